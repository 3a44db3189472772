//! Groups of facts, which a configuration names to block or keep them.

use std::collections::BTreeSet;

use bunraku_pcore::Value;

/// The groups that there always are: names, each followed by its facts on lines that begin with a dash.
const BUILT_IN: &str = include_str!("groups.txt");

/// Groups in their order, with the names of their facts.
#[derive(Debug, Clone)]
pub struct Groups(Vec<(String, Vec<String>)>);

impl Groups {
    /// The groups that there always are, and those of a configuration, which may take their place.
    pub(crate) fn new(configured: &Value) -> Groups {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for line in BUILT_IN.lines() {
            match line.strip_prefix("- ") {
                None => groups.push((line.to_owned(), Vec::new())),
                Some(fact) => {
                    if let Some((_, facts)) = groups.last_mut() {
                        facts.push(fact.to_owned());
                    }
                }
            }
        }
        let Value::Hash(configured) = configured else { return Groups(groups) };
        for (name, facts) in configured.iter() {
            let (name, facts) = (name.to_string(), strings(facts));
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = facts,
                None => groups.push((name, facts)),
            }
        }
        Groups(groups)
    }

    /// Adds groups without facts: files with external facts can be named like groups.
    pub(crate) fn add_files(&mut self, names: impl IntoIterator<Item = String>) {
        let mut known: BTreeSet<String> = self.0.iter().map(|(name, _)| name.clone()).collect();
        self.0.extend(names.into_iter().filter(|name| known.insert(name.clone())).map(|name| (name, Vec::new())));
    }

    /// The facts of a group; nothing if there is no such group or nothing in it.
    pub(crate) fn facts(&self, name: &str) -> Option<&[String]> {
        let (_, facts) = self.0.iter().find(|(known, facts)| known == name && !facts.is_empty())?;
        Some(facts)
    }
}

impl std::fmt::Display for Groups {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, facts) in &self.0 {
            writeln!(formatter, "{name}")?;
            facts.iter().try_for_each(|fact| writeln!(formatter, "- {fact}"))?;
        }
        Ok(())
    }
}

/// The strings of an array, or a single one.
pub(crate) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Array(elements) => elements.iter().map(ToString::to_string).collect(),
        Value::Undef => Vec::new(),
        other => vec![other.to_string()],
    }
}
