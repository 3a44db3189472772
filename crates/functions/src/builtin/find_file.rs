//! `find_file`: the path of a file of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the path of the first file that exists, or `undef`.
    ///
    /// A reference is `module/file`, for a file in the directory `files` of the module, or an absolute path.
    ///
    /// ```puppet
    /// find_file('mysql/my.cnf')
    /// ```
    "find_file" {
        "(String *$paths)" as ">> Optional[String]" => find_file(call, *paths),
        "(Array[String] *$paths_array)" as ">> Optional[String]" => find_file_of(call, paths_array),
    }
}

fn find_file(call: &mut Call<'_, '_>, references: &[Value]) -> Option<Value> {
    let environment = call.frame.compilation.environment;
    let paths = references.iter().filter_map(Value::as_str).filter_map(|reference| environment.find_file(reference));
    paths.into_iter().find(|path| environment.world().stamp(path).is_some()).map(Value::from)
}

fn find_file_of(call: &mut Call<'_, '_>, references: &[Value]) -> Option<Value> {
    find_file(call, references)
}
