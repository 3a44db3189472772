//! Facts from a file: YAML or JSON, bare, in the shape PuppetDB and agents send, or as a server keeps them.

use std::sync::Arc;

use bunraku_environment::{Settings, World};
use bunraku_notation::yaml;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

/// How a file begins in which the reference keeps what an agent sent.
const KEPT_BY_SERVER: &[u8] = b"--- !ruby/object:Puppet::Node::Facts";

/// How files begin that some editors write.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads facts. A hash under `values` next to a `name` holds the facts, as in what an agent uploads; otherwise all of the
/// file does.
pub fn read(world: &dyn World, path: &str) -> Result<Arc<Hash>, Issue> {
    let wrong = |detail: &dyn std::fmt::Display| Issue::new("", format!("Could not read facts from {path}: {detail}"));
    let bytes = world.read_named(path).map_err(|error| wrong(&bunraku_diagnostic::reason(&error)))?;
    // The class that the reference would make of it says nothing that the shape does not.
    let bytes = match bytes.strip_prefix(KEPT_BY_SERVER) {
        Some(rest) => [b"---", rest].concat(),
        None => bytes,
    };
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).map(<[u8]>::to_vec).unwrap_or(bytes);
    // JSON is read as what it is: its numbers and escapes differ from YAML's.
    let json =
        std::str::from_utf8(&bytes).map_err(|error| Issue::new("", error.to_string())).and_then(crate::json::read);
    let value = match json {
        Ok(value) => value,
        // YAML takes more than JSON does, such as words after the end.
        Err(error) if path.ends_with(".json") => return Err(wrong(&error)),
        Err(_) => yaml::load(&bytes, path).map_err(|error| wrong(&error))?.value.unwrap_or_default(),
    };
    match value {
        Value::Hash(hash) => Ok(match (hash.get_str("name"), hash.get_str("values")) {
            (Some(Value::String(_)), Some(Value::Hash(values))) => without_timestamp(values),
            _ => hash,
        }),
        _ => Err(wrong(&"a hash of facts is expected")),
    }
}

/// When the facts were found out is no fact.
fn without_timestamp(values: &Arc<Hash>) -> Arc<Hash> {
    let is_fact = |(name, _): &(&Value, &Value)| name.as_str() != Some("_timestamp");
    match values.get_str("_timestamp") {
        None => Arc::clone(values),
        Some(_) => {
            let facts = values.iter().filter(is_fact);
            Arc::new(facts.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
    }
}

/// The file in which a server of Puppet keeps the facts of a node, if it does.
pub fn kept(world: &dyn World, name: &str, settings: &Settings) -> Result<Option<String>, Issue> {
    // A name is no path.
    if name.contains('/') {
        return Ok(None);
    }
    let (yaml, json) = (settings.text("yamldir")?, settings.text("server_datadir")?);
    let paths = [format!("{yaml}/facts/{name}.yaml"), format!("{json}/facts/{name}.json")];
    Ok(paths.into_iter().find(|path| world.is_file(path)))
}

/// The file with the facts of a node in a directory that has one for each.
pub fn in_directory(world: &dyn World, directory: &str, name: &str) -> Result<String, Issue> {
    let paths = ["yaml", "yml", "json"].map(|extension| format!("{directory}/{name}.{extension}"));
    let found = paths.into_iter().find(|path| !name.contains('/') && world.is_file(path));
    found.ok_or_else(|| Issue::new("", format!("{directory} has no facts of the node {name}")))
}

/// The name that facts tell of their node.
pub fn node_name(facts: &Hash) -> Option<&str> {
    let networking = facts.get_str("networking").and_then(|networking| networking.get("fqdn"));
    let names = [facts.get_str("clientcert"), networking, facts.get_str("fqdn")];
    names.into_iter().flatten().find_map(Value::as_str)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_environment::Memory;

    use super::*;

    #[test]
    fn json_is_read_as_json() {
        let check = |text: &str, expected: &str| {
            let world = Memory::default();
            world.write("/facts.json", text);
            let message = format!("Could not read facts from /facts.json: {expected}");
            assert_eq!(read(&world, "/facts.json").unwrap_err().message(), message);
        };
        check("{\"k\": 1} x", "trailing characters at line 1 column 10");
        check("{\"k\": 1", "EOF while parsing an object at line 1 column 7");
        check("k: 1", "expected value at line 1 column 1");
        check(&"[".repeat(100_000), "recursion limit exceeded at line 1 column 128");
        check("[1]", "a hash of facts is expected");
    }

    #[test]
    fn every_shape_is_read() {
        let check = |text: &str| {
            let world = Memory::default();
            world.write("/facts", text);
            let facts = Value::Hash(read(&world, "/facts").unwrap());
            assert_eq!(facts.to_string(), "{kernel => Linux}", "{text}");
        };
        check("kernel: Linux\n");
        check("\u{feff}{\"kernel\": \"Linux\"}");
        check(r#"{"kernel": "Linux"}"#);
        check(r#"{"name": "a.example.com", "values": {"kernel": "Linux"}}"#);
        check(r#"{"name": "a.example.com", "values": {"kernel": "Linux", "_timestamp": "2026-01-01"}}"#);
        check("--- !ruby/object:Puppet::Node::Facts\nname: a.example.com\nvalues:\n  kernel: Linux\n");
    }
}
