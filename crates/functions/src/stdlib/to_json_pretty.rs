//! `to_json_pretty`: a value as JSON for people.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::json;
use crate::stdlib::rewrap_sensitive_data::rewrap;
use bunraku_pcore::serialize::JsonLayout;

function! {
    /// Returns a hash or array as JSON with line ends and indentation. With a true second argument, entries that are
    /// `undef` are left out. The options are `indent`, `space`, `space_before`, `object_nl`, `array_nl`, `allow_nan` and
    /// `max_nesting`.
    ///
    /// ```puppet
    /// to_json_pretty({'a' => undef, 'b' => 1}, true)
    /// ```
    "to_json_pretty" of "stdlib" {
        "(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = undef, Struct[{indent => Optional[String], space => Optional[String], space_before => Optional[String], object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1, default]]}] $opts = undef)" as ">> Variant[String, Sensitive[String]]" => to_json_pretty(data, skip_undef, opts),
    }
}

function! {
    /// Returns a hash or array as JSON with line ends and indentation. With a true second argument, entries that are
    /// `undef` are left out. The options are `indent`, `space`, `space_before`, `object_nl`, `array_nl`, `allow_nan` and
    /// `max_nesting`.
    ///
    /// ```puppet
    /// to_json_pretty({'a' => undef, 'b' => 1}, true)
    /// ```
    NAMESPACED: "stdlib::to_json_pretty" of "stdlib" {
        "(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = undef, Struct[{indent => Optional[String], space => Optional[String], space_before => Optional[String], object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1, default]]}] $opts = undef)" as ">> Variant[String, Sensitive[String]]" => keeping_secrets(data, skip_undef, opts),
    }
}

/// Secrets in the data make the string a secret.
fn keeping_secrets(data: &Value, skip_undef: Option<bool>, options: Option<&Hash>) -> Outcome {
    rewrap(data, |data| Ok(to_json_pretty(&data, skip_undef, options)?.into()))
}

fn to_json_pretty(data: &Value, skip_undef: Option<bool>, options: Option<&Hash>) -> Result<String, Issue> {
    let option = |name: &str| options.and_then(|options| options.get_str(name));
    let text = |name: &str, default| option(name).and_then(Value::as_str).unwrap_or(default);
    let layout = JsonLayout {
        indent: text("indent", "  "),
        space: text("space", " "),
        space_before: text("space_before", ""),
        object_line_end: text("object_nl", "\n"),
        array_line_end: text("array_nl", "\n"),
        keeps_empty_short: false,
    };
    let deepest = match option("max_nesting") {
        Some(Value::Integer(deepest @ 1..)) => usize::try_from(*deepest).ok(),
        Some(Value::Integer(_)) => None,
        _ => Some(json::DEEPEST),
    };
    let data = if skip_undef == Some(true) { without_undef(data) } else { data.clone() };
    Ok(json::generate_with(&data, layout, deepest)? + "\n")
}

fn without_undef(data: &Value) -> Value {
    match data {
        Value::Array(elements) => Value::array(elements.iter().filter(|element| !element.is_undef()).cloned()),
        Value::Hash(hash) => {
            let kept = hash.iter().filter(|(_, value)| !value.is_undef());
            Value::hash(kept.map(|(key, value)| (key.clone(), value.clone())))
        }
        other => other.clone(),
    }
}
