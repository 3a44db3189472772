//! What is different between two catalogs.

mod nodes;
mod render;

pub use nodes::{Group, Nodes};
pub use render::{Format, render, render_nodes};

use bunraku_pcore::Value;
use ecow::EcoString;
use rustc_hash::FxHashSet;

use crate::catalog::Catalog;
use crate::edge::Edge;
use crate::reference::Reference;
use crate::resource::Resource;
use crate::secret::{REDACTED, redacted};

/// The differences, each list in the order of the catalog it comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Diff {
    /// Resources only the new catalog has.
    pub added: Vec<Reference>,
    /// Resources only the old catalog has.
    pub removed: Vec<Reference>,
    /// Resources with other parameters.
    pub changed: Vec<Change>,
    /// Resources that stand elsewhere among those both catalogs have.
    pub moved: Vec<Reference>,
    /// Containment only the new catalog has.
    pub added_edges: Vec<Edge>,
    /// Containment only the old catalog has.
    pub removed_edges: Vec<Edge>,
    /// Classes only the new catalog has.
    pub added_classes: Vec<EcoString>,
    /// Classes only the old catalog has.
    pub removed_classes: Vec<EcoString>,
}

/// A resource with other parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The resource.
    pub reference: Reference,
    /// What is different about it.
    pub parameters: Vec<ParameterChange>,
}

/// A parameter with another value. Secrets in the values are redacted: a difference is made to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterChange {
    /// Its name.
    pub name: EcoString,
    /// The value in the old catalog.
    pub old: Option<Value>,
    /// The value in the new catalog.
    pub new: Option<Value>,
}

impl Diff {
    /// Compares two catalogs. Places, tags, versions and identifiers do not count.
    pub fn new(old: &Catalog, new: &Catalog) -> Self {
        let only_in = |one: &Catalog, other: &Catalog| -> Vec<Reference> {
            let references = one.resources().map(|resource| &resource.reference);
            references.filter(|reference| other.resource(reference).is_none()).cloned().collect()
        };
        let both = || old.resources().filter_map(|resource| Some((resource, new.resource(&resource.reference)?)));
        Diff {
            added: only_in(new, old),
            removed: only_in(old, new),
            changed: both().filter_map(|(old, new)| change(old, new)).collect(),
            moved: moved(both().map(|(resource, _)| &resource.reference), new),
            added_edges: missing(&new.edges, &old.edges),
            removed_edges: missing(&old.edges, &new.edges),
            added_classes: missing(&new.classes, &old.classes),
            removed_classes: missing(&old.classes, &new.classes),
        }
    }

    /// Whether the catalogs say the same.
    pub fn is_empty(&self) -> bool {
        *self == Diff::default()
    }
}

fn change(old: &Resource, new: &Resource) -> Option<Change> {
    let is_sensitive =
        |name: &EcoString| old.sensitive_parameters.contains(name) || new.sensitive_parameters.contains(name);
    let shown = |name: &EcoString, value: &Value| if is_sensitive(name) { REDACTED.into() } else { redacted(value) };
    let names = old.parameters.keys().chain(new.parameters.keys().filter(|name| !old.parameters.contains_key(*name)));
    let changes = names.filter_map(|name| {
        let (old, new) = (old.get(name), new.get(name));
        let shown = |value: Option<&Value>| value.map(|value| shown(name, value));
        (old != new).then(|| ParameterChange { name: name.clone(), old: shown(old), new: shown(new) })
    });
    let parameters: Vec<ParameterChange> = changes.collect();
    (!parameters.is_empty()).then(|| Change { reference: old.reference.clone(), parameters })
}

/// What one list has and the other has not.
fn missing<T: Eq + std::hash::Hash + Clone>(from: &[T], other: &[T]) -> Vec<T> {
    let other: FxHashSet<&T> = other.iter().collect();
    from.iter().filter(|item| !other.contains(item)).cloned().collect()
}

/// Of the resources that both catalogs have, the fewest that must be moved to get from one order to the other: all but
/// a longest increasing sequence of positions.
fn moved<'c>(order: impl Iterator<Item = &'c Reference>, new: &Catalog) -> Vec<Reference> {
    let order: Vec<(&Reference, usize)> = order.filter_map(|it| Some((it, new.position(it)?))).collect();
    // For every length, the entry that ends a sequence of that length with the smallest position.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(order.len());
    let position = |index: usize| order.get(index).map_or(0, |entry| entry.1);
    for (index, (_, here)) in order.iter().enumerate() {
        let length = ends.partition_point(|end| position(*end) < *here);
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut stays = vec![false; order.len()];
    let mut next = ends.last().copied();
    while let Some(index) = next {
        if let Some(flag) = stays.get_mut(index) {
            *flag = true;
        }
        next = before.get(index).copied().flatten();
    }
    let moved = order.iter().zip(stays).filter(|(_, stays)| !stays);
    moved.map(|((reference, _), _)| (*reference).clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Kind;

    fn catalog(resources: &[(&str, &str, &str)]) -> Catalog {
        let mut catalog = Catalog::new("node", "production");
        for (title, name, value) in resources {
            let mut resource = Resource::new(Reference::new("notify", title), Kind::CompilableType);
            resource.parameters.insert((*name).into(), Value::from(*value));
            catalog.add(resource);
        }
        catalog
    }

    fn check(old: &[(&str, &str, &str)], new: &[(&str, &str, &str)], format: Format, expected: &str) {
        let diff = Diff::new(&catalog(old), &catalog(new));
        assert_eq!(render(&diff, format), expected);
    }

    #[test]
    fn differences_are_found() {
        check(&[("a", "x", "1")], &[("a", "x", "1")], Format::Text, "");
        check(
            &[("a", "x", "1"), ("b", "x", "1"), ("c", "x", "1\n2"), ("d", "x", "1")],
            &[("d", "x", "1"), ("b", "x", "2"), ("c", "x", "1\n3"), ("e", "x", "1")],
            Format::Text,
            "Added resources:\n  + Notify[e]\nRemoved resources:\n  - Notify[a]\nMoved resources:\n  ~ Notify[d]\n\
             Changed resources:\n  ~ Notify[b]\n      x:\n        - \"1\"\n        + \"2\"\n  ~ Notify[c]\n      x:\n          \
             1\n        - 2\n        + 3\n",
        );
    }

    #[test]
    fn every_format_shows_them() {
        let (old, new) = ([("a", "x", "<")], [("a", "y", "1")]);
        check(
            &old,
            &new,
            Format::Markdown,
            "# Catalog differences\n\n## Changed resources\n\n### `Notify[a]`\n\n```diff\n  x:\n- \"<\"\n  y:\n+ \"1\"\n```\n",
        );
        let diff = Diff::new(&catalog(&old), &catalog(&new));
        assert!(render(&diff, Format::Html).contains("<span class=\"removed\">- &quot;&lt;&quot;</span>"));
        let json = render(&diff, Format::Json);
        assert!(json.contains("\"equal\": false") && json.contains("\"old\": \"<\""));
    }

    const FORMATS: [Format; 4] = [Format::Text, Format::Json, Format::Markdown, Format::Html];

    /// A catalog with one resource whose parameter has a value, as if read from JSON.
    fn holding(value: Value) -> Catalog {
        let mut catalog = Catalog::new("node", "production");
        let mut resource = Resource::new(Reference::new("notify", "a"), Kind::CompilableType);
        resource.parameters.insert("x".into(), value);
        catalog.add(resource);
        catalog
    }

    #[test]
    fn secrets_are_never_shown() {
        let sent =
            |secret: &str| Value::hash([("__ptype".into(), "Sensitive".into()), ("__pvalue".into(), secret.into())]);
        let made = |secret: &str| Value::Sensitive(std::sync::Arc::new(secret.into()));
        let deferred = |argument: Value| {
            let arguments = Value::array([argument]);
            Value::hash([
                ("__ptype".into(), "Deferred".into()),
                ("name".into(), "f".into()),
                ("arguments".into(), arguments),
            ])
        };
        let keyed = |secret: Value| Value::hash([(Value::from(1), secret)]);
        let inside: [&dyn Fn(Value) -> Value; 5] = [
            &|secret| secret,
            &|secret| Value::array([Value::from("shown"), secret]),
            &|secret| Value::hash([("password".into(), secret)]),
            &deferred,
            &keyed,
        ];
        for inside in inside {
            for secret in [&sent as &dyn Fn(&str) -> Value, &made] {
                let (old, new) = (holding(inside(secret("hunter2"))), holding(inside(secret("hunter3"))));
                for (old, new) in [(&old, &new), (&old, &holding("open".into())), (&holding("open".into()), &new)] {
                    let diff = Diff::new(old, new);
                    assert_eq!(diff.changed.len(), 1, "a changed secret is a change");
                    for text in FORMATS.map(|format| render(&diff, format)).into_iter().chain([format!("{diff:?}")]) {
                        assert!(!text.contains("hunter") && text.contains("[redacted]"), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn parameters_that_either_catalog_calls_sensitive_are_not_shown() {
        let (old, mut new) = (holding(Value::array(["hunter2".into()])), Catalog::new("node", "production"));
        let mut resource = Resource::new(Reference::new("notify", "a"), Kind::CompilableType);
        resource.parameters.insert("x".into(), "hunter3\nof two lines".into());
        resource.sensitive_parameters.push("x".into());
        new.add(resource);
        for diff in [Diff::new(&old, &new), Diff::new(&new, &old)] {
            for text in FORMATS.map(|format| render(&diff, format)) {
                assert!(!text.contains("hunter") && text.contains("[redacted]"), "{text}");
            }
        }
    }

    #[test]
    fn long_strings_are_compared_line_by_line() {
        let lines = |changed: &[usize]| -> String {
            (0..50_000)
                .map(|line| if changed.contains(&line) { "new\n".to_owned() } else { format!("{line}\n") })
                .collect()
        };
        check(
            &[("a", "x", &lines(&[]))],
            &[("a", "x", &lines(&[1, 49_999]))],
            Format::Text,
            "Changed resources:\n  ~ Notify[a]\n      x:\n          0\n        - 1\n        + new\n          2\n          3\n          4\n          \
             …\n          49996\n          49997\n          49998\n        - 49999\n        + new\n",
        );
        // Nothing in common, and everything in another order.
        let other: String = (0..50_000).map(|line| format!("other {line}\n")).collect();
        let shuffled: String = (0..50_000).map(|line| format!("{}\n", line * 7_919 % 50_000)).collect();
        for new in [other, shuffled] {
            let diff = Diff::new(&holding(lines(&[]).into()), &holding(new.into()));
            assert!(render(&diff, Format::Text).lines().count() > 50_000);
        }
    }

    #[test]
    fn the_ends_of_lines_count() {
        let changed = |old: &str, new: &str, expected: &str| {
            let expected = format!("Changed resources:\n  ~ Notify[a]\n      x:\n{expected}");
            check(&[("a", "x", old)], &[("a", "x", new)], Format::Text, &expected);
        };
        changed("a\nb\n", "a\nb", "          a\n          b\n        - \n");
        changed("a\nb", "a\r\nb", "        - a\n        + a\r\n          b\n");
    }
}
