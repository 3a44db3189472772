//! `binary_file`: the bytes of a file of a module.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::data_types::Binary;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the content of a file as a `Binary`.
    ///
    /// The reference is `module/file`, for a file in the directory `files` of the module, or an absolute path.
    ///
    /// ```puppet
    /// binary_file('logos/small.png')
    /// ```
    "binary_file" {
        "(String $path)" as ">> Binary" => binary_file(call, path),
    }
}

fn binary_file(call: &mut Call<'_, '_>, reference: &str) -> Result<Value, Issue> {
    let environment = call.frame.compilation.environment;
    match environment.find_file(reference).and_then(|path| environment.world().read(&path).ok()) {
        Some(bytes) => Ok(Value::Binary(Arc::new(Binary::new(bytes)))),
        None => fail(format!("binary_file(): The given file '{reference}' does not exist")),
    }
}
