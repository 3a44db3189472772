//! `mysql::normalise_and_deepmerge`: options merged whatever their spelling.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::{Issue, deep};

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Merges hashes at every depth. Keys that differ only in `-` and `_` are the same; the last spelling counts.
    ///
    /// ```puppet
    /// mysql::normalise_and_deepmerge({ 'max-size' => 1 }, { 'max_size' => 2 }) # {'max_size' => 2}
    /// ```
    "mysql::normalise_and_deepmerge" of "mysql" {
        "(Any *$args)" as "(Any +$hashes) >> Hash" => normalise_and_deepmerge(*args),
    }
}

fn normalise_and_deepmerge(args: &[Value]) -> Result<Hash, Issue> {
    if args.len() < 2 {
        return fail(format!(
            "mysql::normalise_and_deepmerge(): wrong number of arguments ({}; must be at least 2)",
            args.len()
        ));
    }
    let mut result = Hash::new();
    for arg in args {
        match arg {
            Value::String(text) if text.is_empty() => {}
            Value::Hash(hash) => overlay(&mut result, hash)?,
            other => {
                return fail(format!(
                    "mysql::normalise_and_deepmerge: unexpected argument type {}, only expects hash arguments.",
                    host_class(other)
                ));
            }
        }
    }
    Ok(result)
}

fn overlay(result: &mut Hash, hash: &Hash) -> Result<(), Issue> {
    deep(|| {
        for (key, value) in hash.iter() {
            let old = existing(result, key)?;
            let merged = match (&old, value) {
                (Some(Value::Hash(old)), Value::Hash(new)) => {
                    let mut merged = Hash::clone(old);
                    overlay(&mut merged, new)?;
                    merged.into()
                }
                _ => value.clone(),
            };
            result.insert(key.clone(), merged);
        }
        Ok(())
    })
}

/// The value of a key. One with the other spelling is taken out of the hash.
fn existing(hash: &mut Hash, key: &Value) -> Result<Option<Value>, Issue> {
    if let Some(value) = hash.get(key) {
        return Ok(Some(value.clone()));
    }
    let text = legacy_arguments::text(Some(key))?;
    let other = if text.contains('-') { text.replace('-', "_") } else { text.replace('_', "-") };
    Ok(if other == text { None } else { hash.remove(&other.into()) })
}
