//! `convert_to_json_string`: a value as JSON.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::json;
use crate::legacy_arguments;

function! {
    /// Returns a value as JSON. An array of strings such as `key:value` is taken for a hash.
    ///
    /// ```puppet
    /// convert_to_json_string(['a:1', 'b:2']) # '{"a":"1","b":"2"}'
    /// ```
    "convert_to_json_string" of "neutron" {
        "(Any *$args)" as "(Any $value = undef) >> String" => convert_to_json_string(*args),
    }
}

fn convert_to_json_string(args: &[Value]) -> Result<String, Issue> {
    match args.first() {
        Some(Value::Array(elements)) if are_pairs(elements)? => {
            let mut hash = Hash::new();
            for element in elements.iter() {
                let Value::String(pair) = element else {
                    return Err(legacy_arguments::undefined_method("split", element));
                };
                let mut parts = pair.trim_end_matches(':').split(':');
                let mut part = || parts.next().filter(|_| !pair.chars().all(|letter| letter == ':'));
                let (key, value) = (part(), part());
                hash.insert(key.map_or(Value::Undef, Value::from), value.map_or(Value::Undef, Value::from));
            }
            json::generate(&hash.into())
        }
        other => json::generate(other.unwrap_or(&Value::Undef)),
    }
}

/// Whether all elements have a colon, up to the first that has none.
fn are_pairs(elements: &[Value]) -> Result<bool, Issue> {
    for element in elements {
        let has_colon = match element {
            Value::String(text) => text.contains(':'),
            Value::Array(elements) => elements.contains(&":".into()),
            Value::Hash(hash) => hash.get_str(":").is_some(),
            other => return Err(legacy_arguments::undefined_method("include?", other)),
        };
        if !has_colon {
            return Ok(false);
        }
    }
    Ok(true)
}
