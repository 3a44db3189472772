//! Values as people and logs may see them: without the secrets in them.

use bunraku_pcore::serialize::{self, TYPE_KEY, VALUE_KEY};
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::deep;

/// What stands for a secret.
pub const REDACTED: &str = "[redacted]";

/// A value as plain data in which nothing is secret, whether it was compiled here or read from a catalog.
pub fn redacted(value: &Value) -> Value {
    deep(|| {
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.clone(),
            Value::Array(elements) => Value::array(elements.iter().map(redacted)),
            Value::Hash(hash) if is_sensitive(hash) => REDACTED.into(),
            // What was read from a catalog must not be converted again: `__ptype` would be taken for a key of the user's.
            Value::Hash(hash) if hash.keys().all(|key| matches!(key, Value::String(_))) => {
                Value::hash(hash.iter().map(|(key, value)| (key.clone(), redacted(value))))
            }
            Value::Hash(hash) => {
                let flat = hash.iter().flat_map(|(key, value)| [redacted(key), redacted(value)]);
                Value::hash([(TYPE_KEY.into(), "Hash".into()), (VALUE_KEY.into(), Value::array(flat))])
            }
            Value::Sensitive(_) => REDACTED.into(),
            other => match serialize::to_data(other) {
                Ok(data) => redacted(&data),
                Err(_) => inspect::to_s(other).as_ref().into(),
            },
        }
    })
}

/// Whether a hash is the form in which catalogs have a `Sensitive` value.
fn is_sensitive(hash: &Hash) -> bool {
    hash.get_str(TYPE_KEY).and_then(Value::as_str) == Some("Sensitive")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn secrets_are_found_wherever_they_are() {
        let secret = || Value::Sensitive(Arc::new("hunter2".into()));
        let sent = || Value::hash([(TYPE_KEY.into(), "Sensitive".into()), (VALUE_KEY.into(), "hunter2".into())]);
        let marker = || Value::from(REDACTED);
        for secret in [secret(), sent()] {
            assert_eq!(redacted(&secret), marker());
            let list = Value::array(["a".into(), Value::array([secret.clone()])]);
            assert_eq!(redacted(&list), Value::array(["a".into(), Value::array([marker()])]));
            let hash = Value::hash([("user".into(), 1.into()), ("password".into(), secret.clone())]);
            assert_eq!(redacted(&hash), Value::hash([("user".into(), 1.into()), ("password".into(), marker())]));
            let keyed = Value::hash([(Value::from(1), secret.clone()), (secret, Value::Default)]);
            assert!(!format!("{:?}", redacted(&keyed)).contains("hunter2"));
        }
        let deferred = Value::hash([
            (TYPE_KEY.into(), "Deferred".into()),
            ("name".into(), "f".into()),
            ("arguments".into(), Value::array([sent()])),
        ]);
        let shown = Value::hash([
            (TYPE_KEY.into(), "Deferred".into()),
            ("name".into(), "f".into()),
            ("arguments".into(), Value::array([marker()])),
        ]);
        assert_eq!(redacted(&deferred), shown);
    }
}
