//! `to_array_of_json_strings`: hashes as JSON.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::json;
use crate::number::fail;

function! {
    /// Returns each hash of an array as JSON. The array may be JSON itself.
    ///
    /// ```puppet
    /// to_array_of_json_strings([{ 'a' => 1 }]) # ['{"a":1}']
    /// ```
    "to_array_of_json_strings" of "nova" {
        "(Any *$args)" as "(Any $value) >> Any" => to_array_of_json_strings(call, *args),
    }
}

fn to_array_of_json_strings(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let [given] = args else { return fail("to_array_of_json_strings(): Wrong number of arguments") };
    let list = match given {
        Value::String(text) => parse(call, text)?,
        other => other.clone(),
    };
    match list {
        Value::Array(hashes) if hashes.iter().all(|hash| matches!(hash, Value::Hash(_))) => {
            let texts = hashes.iter().map(|hash| json::generate(hash).map(Value::from));
            Ok(texts.collect::<Result<Vec<_>, Issue>>()?.into())
        }
        _ => fail(format!("Syntax error: {} is not an Array or JSON encoded String", inspect::to_s(given))),
    }
}

/// The array that a string tells; an older form has other quotes.
fn parse(call: &mut Call<'_, '_>, text: &str) -> Result<Value, Issue> {
    let parsed = match json::parse(text) {
        Ok(value) => value,
        Err(_) if text.is_empty() => Value::Undef,
        Err(_) => {
            let Ok(value) = json::parse(&text.replace('\'', "\"")) else {
                return fail(format!("Syntax error: {text} is not valid"));
            };
            let message = format!(
                "{text} is not valid JSON. Support for this format is deprecated and may be removed in future."
            );
            call.frame.compilation.log(Level::Warning, &message);
            value
        }
    };
    Ok(if matches!(parsed, Value::Array(_)) { parsed } else { Value::array([parsed]) })
}
