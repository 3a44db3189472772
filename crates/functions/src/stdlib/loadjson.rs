//! `loadjson`: data from a JSON file.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use ecow::eco_format;

use crate::json;
use crate::older;

function! {
    /// Returns the data of a JSON file, or the default if there is no such file or it cannot be read.
    ///
    /// ```puppet
    /// loadjson('/etc/app/data.json', {})
    /// ```
    "loadjson" of "stdlib" {
        "arity -2" => loadjson(call, *args),
    }
}

fn loadjson(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let default = args.get(1).filter(|default| default.is_truthy());
    match (load(call, args), default) {
        (Err(_), Some(default)) => Ok(default.clone()),
        (Ok(value), _) if !value.is_truthy() => Ok(args.get(1).cloned().unwrap_or_default()),
        (result, _) => result,
    }
}

fn load(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let path = match args.first() {
        Some(Value::String(path)) => path,
        other => return Err(older::undefined_method("start_with?", other.unwrap_or(&Value::Undef))),
    };
    match call.frame.compilation.environment.world().read_text(path) {
        Ok(text) => json::parse(&text),
        Err(_) => {
            call.frame.log(Level::Warning, eco_format!("Can't load '{path}' File does not exist!"), None);
            Ok(Value::Undef)
        }
    }
}
