//! Facts from a file: YAML or JSON, bare, in the shape PuppetDB and agents send, or as a server keeps them.

use std::sync::Arc;

use bunraku_environment::World;
use bunraku_notation::yaml;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

/// How a file begins in which the reference keeps what an agent sent.
const KEPT_BY_SERVER: &[u8] = b"--- !ruby/object:Puppet::Node::Facts";

/// Reads facts. A hash under `values` next to a `name` holds the facts, as in what an agent uploads; otherwise all of the
/// file does.
pub fn read(world: &dyn World, path: &str) -> Result<Arc<Hash>, Issue> {
    let wrong = |detail: &dyn std::fmt::Display| Issue::new("", format!("Could not read facts from {path}: {detail}"));
    let bytes = world.read(path).map_err(|error| wrong(&error))?;
    // The class that the reference would make of it says nothing that the shape does not.
    let bytes = match bytes.strip_prefix(KEPT_BY_SERVER) {
        Some(rest) => [b"---", rest].concat(),
        None => bytes,
    };
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_environment::Memory;

    use super::*;

    #[test]
    fn every_shape_is_read() {
        let check = |text: &str| {
            let world = Memory::default();
            world.write("/facts", text);
            assert_eq!(read(&world, "/facts").unwrap().get_str("kernel"), Some(&Value::from("Linux")), "{text}");
        };
        check("kernel: Linux\n");
        check(r#"{"kernel": "Linux"}"#);
        check(r#"{"name": "a.example.com", "values": {"kernel": "Linux"}}"#);
        check("--- !ruby/object:Puppet::Node::Facts\nname: a.example.com\nvalues:\n  kernel: Linux\n");
    }
}
