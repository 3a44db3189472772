//! What a core fact is: a name, where its value comes from, and the legacy names of its parts.

use bunraku_pcore::Value;

use crate::host::Host;

/// A core fact.
pub(crate) struct Fact {
    /// The name of the structured fact.
    pub(crate) name: &'static str,
    /// How it is found out; `Undef` if the machine does not tell.
    pub(crate) resolve: fn(&Host<'_>) -> Value,
    /// Legacy names with the paths below the fact that they stand for; an empty path is all of it.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    /// Further legacy facts.
    pub(crate) legacy: Option<Legacy>,
}

/// Legacy facts that are no part of a structured fact.
pub(crate) struct Legacy {
    /// Their names; `*` stands for any letters.
    pub(crate) names: &'static [&'static str],
    /// How they are found out.
    pub(crate) resolve: LegacyFacts,
}

/// Finds the legacy facts that belong to the value of a structured one.
pub(crate) type LegacyFacts = fn(&Host<'_>, &Value) -> Vec<(String, Value)>;

impl Fact {
    /// A fact without legacy names.
    pub(crate) const fn new(name: &'static str, resolve: fn(&Host<'_>) -> Value) -> Fact {
        Fact { name, resolve, aliases: &[], legacy: None }
    }

    /// Whether this is one of its legacy names.
    pub(crate) fn has_legacy(&self, name: &str) -> bool {
        self.aliases.iter().any(|(alias, _)| *alias == name)
            || self.legacy.as_ref().is_some_and(|legacy| legacy.names.iter().any(|pattern| matches(pattern, name)))
    }
}

/// Whether a name fits a pattern in which `*` stands for any letters.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

/// A structured value of those parts that have a value; nothing if none has.
pub(crate) fn structure<K: Into<Value>>(parts: impl IntoIterator<Item = (K, Value)>) -> Value {
    let parts = parts.into_iter().filter(|(_, value)| !value.is_undef());
    let mut parts = parts.map(|(name, value)| (name.into(), value)).peekable();
    match parts.peek() {
        None => Value::Undef,
        Some(_) => Value::hash(parts),
    }
}

/// The part of a value that a path leads to; the empty path leads to all of it.
pub(crate) fn part<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    if path.is_empty() {
        return Some(value);
    }
    path.split('.').try_fold(value, |value, name| value.get(name))
}
