//! `fact`: the value of a fact.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::Value;

use crate::legacy_arguments;
use crate::navigate;

function! {
    /// Returns the value of a fact; the keys of a structured fact follow with dots between them.
    ///
    /// ```puppet
    /// fact('os.family')
    /// ```
    "fact" of "stdlib" {
        "(String $fact_name)" as ">> Any" => fact(call, fact_name),
    }
}

fn fact(call: &mut Call<'_, '_>, name: &str) -> Outcome {
    let mut found = call.frame.variable("facts")?.unwrap_or_default();
    let mut walked: Vec<String> = Vec::new();
    for key in keys(name) {
        found = match &found {
            Value::Undef => return Ok(Value::Undef),
            Value::Hash(hash) => hash.get_str(&key).cloned().unwrap_or_default(),
            Value::Array(elements) => match legacy_arguments::integer_from_text(&key) {
                Some(index) => navigate::element(elements, index),
                None => stuck(call, name, &walked, "is an array; cannot index to", &key),
            },
            _ => stuck(call, name, &walked, "is not a collection; cannot walk to", &key),
        };
        walked.push(key);
    }
    Ok(found)
}

/// Splits at dots; a key in quotes may have dots in it.
fn keys(name: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let (key, after) = match first {
            '.' => ("", rest.strip_prefix('.').unwrap_or_default()),
            '"' => rest.strip_prefix('"').unwrap_or_default().split_once('"').unwrap_or_default(),
            _ => rest.split_at_checked(rest.find(['.', '"']).unwrap_or(rest.len())).unwrap_or((rest, "")),
        };
        keys.extend((!key.is_empty()).then(|| key.to_owned()));
        rest = after;
    }
    keys
}

fn stuck(call: &mut Call<'_, '_>, name: &str, walked: &[String], problem: &str, key: &str) -> Value {
    let quoted = |key: &String| if key.contains('.') { format!("\"{key}\"") } else { key.clone() };
    let walked: Vec<String> = walked.iter().map(quoted).collect();
    let message = format!("fact request for {name} returning nil: '{}' {problem} '{key}'", walked.join("."));
    call.frame.compilation.log(Level::Warning, &message);
    Value::Undef
}
