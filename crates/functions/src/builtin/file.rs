//! `file`: the content of a file of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::issues::{runtime_error, string_of};
use bunraku_syntax::{About, Issue};

use crate::builtin::join::join;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the content of the first file that exists.
    ///
    /// A reference is `module/file`, for a file in the directory `files` of the module, or an absolute path.
    ///
    /// ```puppet
    /// file('mysql/mysqltuner.pl')
    /// ```
    "file" {
        "arity -2" as "(String +$paths) >> String" => content(call, *args),
    }
}

fn content(call: &mut Call<'_, '_>, references: &[Value]) -> Result<String, Issue> {
    let environment = call.frame.compilation.environment;
    for reference in references {
        let found = environment.find_file(legacy_arguments::text(Some(reference))?);
        if let Some(path) = found.filter(|path| environment.world().stamp(path).is_some()) {
            return match environment.world().read(&path) {
                Ok(bytes) => string_of(bytes),
                Err(error) => fail(format!("{error} - {path}")),
            };
        }
    }
    let issue = runtime_error(format!("Could not find any files from {}", join(references, Some(", "))));
    Err(match references {
        [Value::String(reference)] => {
            let known = environment.references_like(reference, "files");
            issue.with_nearest(reference, known, |meant| meant).with_about(About::Argument(0))
        }
        _ => issue,
    })
}
