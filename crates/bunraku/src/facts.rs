//! Facts from a file: YAML or JSON, bare or in the shape PuppetDB and agents send.

use std::sync::Arc;

use bunraku_environment::World;
use bunraku_hiera::yaml;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

/// Reads facts. A hash under `values` next to a `name` holds the facts, as in what an agent uploads; otherwise all of the
/// file does.
pub fn read(world: &dyn World, path: &str) -> Result<Arc<Hash>, Issue> {
    let wrong = |detail: &dyn std::fmt::Display| Issue::new("", format!("Could not read facts from {path}: {detail}"));
    let bytes = world.read(path).map_err(|error| wrong(&error))?;
    // JSON is read as what it is: its numbers and escapes differ from YAML's.
    let value = match serde_json::from_slice::<serde_json::Value>(&bytes) {
        Ok(json) => crate::json::value(&json),
        Err(_) => yaml::load(&bytes, path).map_err(|error| wrong(&error))?.value.unwrap_or_default(),
    };
    match value {
        Value::Hash(hash) => Ok(match (hash.get_str("name"), hash.get_str("values")) {
            (Some(Value::String(_)), Some(Value::Hash(values))) => values.clone(),
            _ => hash,
        }),
        _ => Err(wrong(&"a hash of facts is expected")),
    }
}
