//! `extlib::to_ini`: settings as the text of a file.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;

function! {
    /// Returns a hash from sections to settings as the text of an INI file. The second argument has what stands before, between
    /// and around the values: `header`, `section_prefix`, `section_suffix`, `key_val_separator`, `quote_char`, `quote_booleans`
    /// and `quote_numerics`.
    ///
    /// ```puppet
    /// extlib::to_ini({ 'main' => { 'a' => 1 } })
    /// ```
    "extlib::to_ini" of "extlib" {
        "(Hash $data, Hash $settings = undef) >> String" => to_ini(data, settings),
    }
}

fn to_ini(data: &Hash, settings: Option<&Hash>) -> Result<String, Issue> {
    let setting = |name: &str, default: Value| settings.and_then(|all| all.get_str(name)).cloned().unwrap_or(default);
    let text = |name: &str, default: &str| inspect::to_s(&setting(name, default.into())).into_owned();
    let (prefix, suffix) = (text("section_prefix", "["), text("section_suffix", "]"));
    let (separator, quote) = (text("key_val_separator", "="), text("quote_char", "\""));
    let quotes_booleans = setting("quote_booleans", true.into()).is_truthy();
    let quotes_numbers = setting("quote_numerics", true.into()).is_truthy();
    let mut lines = vec![text("header", "# THIS FILE IS CONTROLLED BY PUPPET"), String::new()];
    for (section, values) in data.iter() {
        lines.push(format!("{prefix}{}{suffix}", inspect::to_s(section)));
        for (key, value) in entries(values)? {
            let is_quoted = match &value {
                Value::Boolean(_) => quotes_booleans,
                Value::Integer(_) | Value::Float(_) => quotes_numbers,
                _ => true,
            };
            let quote = if is_quoted { quote.as_str() } else { "" };
            let (key, value) = (inspect::to_s(&key), inspect::to_s(&value));
            lines.push(format!("{key}{separator}{quote}{value}{quote}"));
        }
        lines.push(String::new());
    }
    Ok(lines.join("\n"))
}

/// The settings of a section. Compatibility: an array is taken for pairs, as Ruby does.
fn entries(section: &Value) -> Result<Vec<(Value, Value)>, Issue> {
    match section {
        Value::Hash(hash) => Ok(hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect()),
        Value::Array(elements) => Ok(elements
            .iter()
            .map(|element| match element {
                Value::Array(pair) => {
                    (pair.first().cloned().unwrap_or_default(), pair.get(1).cloned().unwrap_or_default())
                }
                other => (other.clone(), Value::Undef),
            })
            .collect()),
        other => Err(legacy_arguments::undefined_method("each", other)),
    }
}
