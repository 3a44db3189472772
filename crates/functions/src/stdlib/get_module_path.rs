//! `get_module_path`: the directory of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the directory of a module; it fails if there is none.
    ///
    /// ```puppet
    /// get_module_path('stdlib')
    /// ```
    "get_module_path" of "stdlib" {
        "arity -1" as "(String $module) >> String" => get_module_path(call, *args),
    }
}

/// The directory of a module.
pub(crate) fn get_module_path(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let [name] = args else { return fail("get_module_path(): Wrong number of arguments, expects one") };
    let name = inspect::to_s(name);
    let environment = call.frame.compilation.environment;
    match environment.module(&name) {
        Some(module) => Ok(module.path.to_string()),
        None => fail(format!("Could not find module {name} in environment {}", environment.name)),
    }
}
