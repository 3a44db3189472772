//! The node for which to look up: its facts are those a server keeps of it, with the given ones over them.

use std::sync::Arc;

use bunraku::{Disk, Environment, Issue, Node, facts};

use crate::setup::Setup;

/// The facts that say who a node is.
const IDENTITY: [&str; 4] = ["hostname", "domain", "fqdn", "clientcert"];

/// A node that was asked for by name, with all facts that are known of it.
pub(super) fn known(name: &str, setup: &Setup, environment: &Environment) -> Result<Node, Issue> {
    let mut facts = setup.known_facts(setup.facts_file(), Some(name), environment)?.unwrap_or_default();
    let has_fact = |fact: &&str| facts.get_str(fact).is_some();
    if let Some(file) = setup.facts_file() {
        if IDENTITY.iter().any(has_fact) && !IDENTITY.iter().all(has_fact) {
            let message = format!(
                "When overriding any of the {} facts with {file} given via the --facts flag, they must all be overridden.",
                IDENTITY.join(",")
            );
            return Err(Issue::new("", message));
        }
        if let Some(kept) = facts::kept(&Disk, name, &environment.settings)? {
            let mut all = Arc::unwrap_or_clone(facts::read(&Disk, &kept)?);
            all.extend(facts.iter().map(|(fact, value)| (fact.clone(), value.clone())));
            facts = Arc::new(all);
        }
    }
    if facts.is_empty() {
        return Err(Issue::new("", format!("No facts available for target node: {name}")));
    }
    setup.known_node(name, &facts, environment)
}

/// This machine, with its own facts and the given ones over them.
pub(super) fn own(setup: &Setup, environment: &Environment) -> Result<Node, Issue> {
    let mut facts = setup.machine_facts(environment);
    let name = environment.settings.text("certname")?;
    if setup.facts_file().is_some()
        && let Some(given) = setup.known_facts(setup.facts_file(), Some(&name), environment)?
    {
        Arc::make_mut(&mut facts).extend(given.iter().map(|(fact, value)| (fact.clone(), value.clone())));
    }
    Ok(setup.prepare(Some(&name), &facts, environment)?.trusting_facts())
}
