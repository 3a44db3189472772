//! `deep_merge`: hashes merged at every depth.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::{Issue, deep};

use crate::number::fail;

function! {
    /// Merges hashes; where two have a hash for the same key, these are merged too, otherwise the last one counts.
    ///
    /// ```puppet
    /// deep_merge({'a' => {'b' => 1}}, {'a' => {'c' => 2}}) # {'a' => {'b' => 1, 'c' => 2}}
    /// ```
    "deep_merge" of "stdlib" {
        "arity -1" as "(Any +$hashes) >> Hash" => deep_merge(*args),
    }
}

fn deep_merge(args: &[Value]) -> Result<Hash, Issue> {
    if args.len() < 2 {
        return fail(format!("deep_merge(): wrong number of arguments ({}; must be at least 2)", args.len()));
    }
    let mut result = Hash::new();
    for arg in args {
        match arg {
            // An empty string is what undef has become.
            Value::String(text) if text.is_empty() => {}
            Value::Hash(hash) => merge_into(&mut result, hash),
            other => {
                let class = host_class(other);
                return fail(format!("deep_merge: unexpected argument type {class}, only expects hash arguments"));
            }
        }
    }
    Ok(result)
}

fn merge_into(result: &mut Hash, hash: &Hash) {
    deep(|| {
        for (key, value) in hash.iter() {
            let merged = match (result.get(key), value) {
                (Some(Value::Hash(old)), Value::Hash(new)) => {
                    let mut merged = Hash::clone(old);
                    merge_into(&mut merged, new);
                    merged.into()
                }
                _ => value.clone(),
            };
            result.insert(key.clone(), merged);
        }
    })
}
