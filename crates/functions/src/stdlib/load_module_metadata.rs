//! `load_module_metadata`: what a module says about itself.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::json;
use crate::number::fail;
use crate::stdlib::get_module_path::get_module_path;

function! {
    /// Returns the content of the file `metadata.json` of a module. Without that file it fails, or returns an empty hash if the
    /// second argument is true.
    ///
    /// ```puppet
    /// load_module_metadata('stdlib')['version']
    /// ```
    "load_module_metadata" of "stdlib" {
        "arity -1" as "(String $module, Any $allow_missing = undef) >> Hash" => load_module_metadata(call, *args),
    }
}

fn load_module_metadata(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let (name, may_be_empty) = match args {
        [name] => (name, false),
        [name, flag] => (name, flag.is_truthy()),
        _ => return fail("load_module_metadata(): Wrong number of arguments, expects one or two"),
    };
    let directory = get_module_path(call, std::slice::from_ref(name))?;
    match call.frame.compilation.environment.world().read_text(&format!("{directory}/metadata.json")) {
        Ok(text) => json::parse(&text),
        Err(_) if may_be_empty => Ok(Value::hash([])),
        Err(_) => {
            let name = inspect::to_s(name);
            fail(format!("load_module_metadata(): No metadata.json file for module {name}"))
        }
    }
}
