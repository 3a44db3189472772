//! `mysql::strip_hash`: a hash without empty strings.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};

function! {
    /// Returns a hash without the entries whose value is an empty string, and so for the hashes in it.
    ///
    /// ```puppet
    /// mysql::strip_hash({ 'a' => '', 'b' => 1 }) # {'b' => 1}
    /// ```
    "mysql::strip_hash" of "mysql" {
        "(Hash $hash) >> Hash" => strip_hash(hash),
    }
}

fn strip_hash(hash: &Hash) -> Hash {
    let stripped = without_empty(hash).map(|(key, value)| match value {
        Value::Hash(inner) => {
            let inner: Hash = without_empty(inner).map(|(key, value)| (key.clone(), value.clone())).collect();
            (key.clone(), inner.into())
        }
        other => (key.clone(), other.clone()),
    });
    stripped.collect()
}

fn without_empty(hash: &Hash) -> impl Iterator<Item = (&Value, &Value)> {
    hash.iter().filter(|(_, value)| value.as_str() != Some(""))
}
