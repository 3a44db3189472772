//! Deferred calls, made at once.

use bunraku_syntax::deep;
use std::sync::Arc;

use bunraku_compiler::function::{Block, Call};
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::object::Object;
use bunraku_pcore::{Hash, Value};

use crate::number;

/// The value with all deferred calls in it made, inner ones first.
pub(crate) fn resolve(call: &mut Call<'_, '_>, value: &Value) -> Outcome {
    deep(|| match value {
        Value::Object(object) if is_deferred(object) => resolve_call(call, object),
        Value::Array(elements) => {
            let resolved: Vec<Value> = elements.iter().map(|element| resolve(call, element)).collect::<Outcome<_>>()?;
            Ok(resolved.into())
        }
        Value::Hash(hash) => {
            let mut resolved = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                resolved.insert(key.clone(), resolve(call, value)?);
            }
            Ok(resolved.into())
        }
        Value::Sensitive(secret) => Ok(Value::Sensitive(Arc::new(resolve(call, secret)?))),
        other => Ok(other.clone()),
    })
}

fn is_deferred(object: &Object) -> bool {
    object.object_type().type_name().is_some_and(|name| name == "Deferred")
}

/// Calls the function; a name with a dollar is a variable that is dug into.
fn resolve_call(call: &mut Call<'_, '_>, deferred: &Object) -> Outcome {
    let name = deferred.get("name").unwrap_or_default();
    let name = name.as_str().unwrap_or_default();
    let mut arguments = match deferred.get("arguments") {
        Some(Value::Array(arguments)) => {
            arguments.iter().map(|argument| resolve(call, argument)).collect::<Outcome<Vec<_>>>()?
        }
        _ => Vec::new(),
    };
    match name.strip_prefix('$') {
        None => by_name(call, name, arguments, None),
        Some(variable) => {
            arguments.insert(0, call.frame.look_up(variable)?);
            call.function("dig", arguments, None)
        }
    }
}

/// Calls a function whose name was not known before.
pub(crate) fn by_name(
    call: &mut Call<'_, '_>,
    name: &str,
    arguments: Vec<Value>,
    block: Option<&Block<'_>>,
) -> Outcome {
    match call.function(&name.to_lowercase(), arguments, block) {
        Err(Unwind::Issue(issue)) if issue.code() == "UNKNOWN_FUNCTION" => {
            Ok(number::fail(format!("Unknown function '{name}'"))?)
        }
        outcome => outcome,
    }
}
