//! A node from its facts.

use std::path::Path;
use std::sync::Arc;

use bunraku::{Hash, Node, Value};
use bunraku_hiera::yaml;

/// Reads facts from a YAML or JSON file: as Facter prints them, or with their values under `values`.
pub(crate) fn read_facts(path: &Path) -> Result<Hash, String> {
    let shown = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| format!("Could not read {shown}: {error}"))?;
    let document = yaml::load(&text, &shown).map_err(|error| error.message)?;
    match document.value {
        Some(Value::Hash(facts)) => Ok(match facts.get_str("values") {
            Some(Value::Hash(values)) => Hash::clone(values),
            _ => Hash::clone(&facts),
        }),
        None => Ok(Hash::default()),
        Some(_) => Err(format!("{shown} does not hold facts by name")),
    }
}

/// The node with these facts, which a server compiles for.
pub(crate) fn from_facts(
    name: Option<&str>,
    facts: Hash,
    mut server_facts: Hash,
    environment: &str,
) -> Result<Node, String> {
    let fact = |path: &[&str]| {
        let mut at = Value::Hash(Arc::new(facts.clone()));
        for key in path {
            at = at.get(key).cloned()?;
        }
        at.as_str().map(str::to_owned)
    };
    let known = name.map(str::to_owned).or_else(|| fact(&["clientcert"])).or_else(|| fact(&["networking", "fqdn"]));
    let name = known.or_else(|| fact(&["fqdn"])).ok_or("the node has no name: give one, or facts that have one")?;
    let (hostname, domain) = match name.split_once('.') {
        Some((hostname, domain)) => (hostname, Value::from(domain)),
        None => (name.as_str(), Value::Undef),
    };
    let empty = || Value::Hash(Arc::default());
    let trusted = [
        ("authenticated", Value::from("remote")),
        ("certname", Value::from(name.as_str())),
        ("extensions", empty()),
        ("hostname", Value::from(hostname)),
        ("domain", domain),
        ("external", empty()),
    ];
    server_facts.insert(Value::from("environment"), Value::from(environment));
    Ok(Node {
        facts: Arc::new(facts),
        trusted: Arc::new(trusted.into_iter().map(|(key, value)| (Value::from(key), value)).collect()),
        server_facts: Arc::new(server_facts),
        ..Node::new(name.as_str())
    })
}
