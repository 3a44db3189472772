//! `stdlib::rewrap_sensitive_data`: data without secrets inside, secret as a whole.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;

function! {
    /// Takes the values out of all `Sensitive` in data, and makes the whole `Sensitive` if there was one. A lambda may change
    /// the data before that.
    ///
    /// ```puppet
    /// stdlib::rewrap_sensitive_data({'a' => Sensitive('b')}) |$data| { $data.stdlib::to_json }
    /// ```
    "stdlib::rewrap_sensitive_data" of "stdlib" {
        "(Any $data, Callable[Any] &$block = undef)" as ">> Any" => rewrap_sensitive_data(call, data),
    }
}

fn rewrap_sensitive_data(call: &mut Call<'_, '_>, data: &Value) -> Outcome {
    rewrap(data, |data| if call.block.is_some() { call.yield_to_block(vec![data]) } else { Ok(data) })
}

/// Changes data that has no secrets inside; the result is a secret if there were any.
pub(crate) fn rewrap(data: &Value, change: impl FnOnce(Value) -> Outcome) -> Outcome {
    let mut is_sensitive = false;
    let plain = unwrap(data, &mut is_sensitive);
    let changed = change(plain)?;
    Ok(if is_sensitive { Value::Sensitive(Arc::new(changed)) } else { changed })
}

fn unwrap(value: &Value, is_sensitive: &mut bool) -> Value {
    deep(|| match value {
        Value::Sensitive(secret) => {
            *is_sensitive = true;
            unwrap(secret, is_sensitive)
        }
        Value::Array(elements) => {
            Value::array(elements.iter().map(|element| unwrap(element, is_sensitive)).collect::<Vec<_>>())
        }
        Value::Hash(hash) => {
            let mut plain = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                plain.insert(unwrap(key, is_sensitive), unwrap(value, is_sensitive));
            }
            plain.into()
        }
        other => other.clone(),
    })
}
