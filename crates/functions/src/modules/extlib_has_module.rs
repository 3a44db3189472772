//! `extlib::has_module`: whether a module is installed.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::json;

function! {
    /// Returns whether a module of this author is installed.
    ///
    /// ```puppet
    /// extlib::has_module('puppetlabs/stdlib')
    /// ```
    "extlib::has_module" of "extlib" {
        "(Pattern[/\\A\\w+[-\\/]\\w+\\z/] $module_name) >> Boolean" => has_module(call, module_name),
    }
}

fn has_module(call: &mut Call<'_, '_>, name: &str) -> Result<bool, Issue> {
    let full_name = name.replace('/', "-");
    let (_, name) = full_name.split_once('-').unwrap_or(("", &full_name));
    let environment = call.frame.compilation.environment;
    let Some(module) = environment.module(name) else { return Ok(false) };
    match environment.world().read_text(&format!("{}/metadata.json", module.path)) {
        Ok(text) => match json::parse(&text)? {
            Value::Hash(metadata) => Ok(metadata.get_str("name").and_then(Value::as_str) == Some(&full_name)),
            _ => Ok(false),
        },
        Err(_) => Ok(false),
    }
}
