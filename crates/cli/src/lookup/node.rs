//! The node for which to look up: its facts are those a server keeps of it, with the given ones over them.

use std::sync::Arc;

use bunraku::{Disk, Hash, Node, Settings, Value, facts};

use crate::setup::kept_facts;

/// The facts that say who a node is.
const IDENTITY: [&str; 4] = ["hostname", "domain", "fqdn", "clientcert"];

/// A node that was asked for by name, with all facts that are known of it.
pub(super) fn known(mut node: Node, facts_file: Option<&str>, settings: &Settings) -> Result<Node, String> {
    let has_fact = |name: &&str| node.facts.get_str(name).is_some();
    if let Some(file) = facts_file
        && IDENTITY.iter().any(has_fact)
        && !IDENTITY.iter().all(has_fact)
    {
        return Err(format!(
            "When overriding any of the {} facts with {file} given via the --facts flag, they must all be overridden.",
            IDENTITY.join(",")
        ));
    }
    if facts_file.is_some()
        && let Some(kept) = kept_facts(&node.name, settings).map_err(|issue| issue.to_string())?
    {
        let mut all = Arc::unwrap_or_clone(facts::read(&Disk, &kept).map_err(|issue| issue.to_string())?);
        all.extend(node.facts.iter().map(|(name, value)| (name.clone(), value.clone())));
        node.facts = Arc::new(all);
    }
    if node.facts.is_empty() {
        return Err(format!("No facts available for target node: {}", node.name));
    }
    trust_facts(&mut node);
    Ok(node)
}

/// Nobody has proved who the node is: the facts tell. Where they do not, the node is who it was asked for as.
fn trust_facts(node: &mut Node) {
    let mut trusted = Hash::clone(&node.trusted);
    trusted.insert("authenticated".into(), "local".into());
    if let Some(Value::String(certname)) = node.facts.get_str("clientcert") {
        let (hostname, domain) = match certname.split_once('.') {
            Some((hostname, domain)) => (hostname, Value::from(domain)),
            None => (certname.as_str(), Value::Undef),
        };
        trusted.insert("certname".into(), Value::String(certname.clone()));
        trusted.insert("hostname".into(), hostname.into());
        trusted.insert("domain".into(), domain);
    }
    node.trusted = Arc::new(trusted);
}
