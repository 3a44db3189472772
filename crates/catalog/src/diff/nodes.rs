//! What is different between the catalogs of many nodes: what several nodes have in common is told once.

use ecow::EcoString;
use indexmap::IndexMap;

use super::Diff;
use super::render::{Format, render};

/// The differences of many nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nodes {
    /// What is different, by the nodes it is different on: what most of them have in common comes first.
    pub groups: Vec<Group>,
    /// How many nodes have equal catalogs.
    pub equal: usize,
    /// How many nodes have catalogs that differ.
    pub different: usize,
    /// Nodes that only the old side has.
    pub only_old: Vec<EcoString>,
    /// Nodes that only the new side has.
    pub only_new: Vec<EcoString>,
}

/// Differences that the same nodes have.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The nodes.
    pub nodes: Vec<EcoString>,
    /// What all of them have in common.
    pub diff: Diff,
}

impl Nodes {
    /// Puts together what is the same on several nodes.
    pub fn new(diffs: impl IntoIterator<Item = (EcoString, Diff)>) -> Self {
        let mut names = Vec::new();
        let mut pieces: IndexMap<String, (Diff, Vec<usize>)> = IndexMap::new();
        let mut equal = 0;
        for (name, diff) in diffs {
            if diff.is_empty() {
                equal += 1;
                continue;
            }
            for piece in diff.pieces() {
                let (_, nodes) =
                    pieces.entry(render(&piece, Format::Json)).or_insert_with(|| (piece.clone(), Vec::new()));
                nodes.push(names.len());
            }
            names.push(name);
        }
        let mut groups: IndexMap<Vec<usize>, Diff> = IndexMap::new();
        for (piece, nodes) in pieces.into_values() {
            groups.entry(nodes).or_default().extend(piece);
        }
        let named = |nodes: Vec<usize>| nodes.iter().filter_map(|at| names.get(*at).cloned()).collect();
        let mut groups: Vec<Group> =
            groups.into_iter().map(|(nodes, diff)| Group { nodes: named(nodes), diff }).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.nodes.len()));
        Nodes { groups, equal, different: names.len(), ..Nodes::default() }
    }

    /// Whether all nodes have the same catalogs on both sides.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.only_old.is_empty() && self.only_new.is_empty()
    }

    /// How many nodes there are of each kind.
    pub fn totals(&self) -> String {
        let mut totals = format!("{} different, {} equal", self.different, self.equal);
        for (count, side) in [(self.only_old.len(), "old"), (self.only_new.len(), "new")] {
            if count > 0 {
                totals.push_str(&format!(", {count} only {side}"));
            }
        }
        totals
    }
}

impl Diff {
    /// Every difference by itself.
    fn pieces(self) -> Vec<Diff> {
        let none = Diff::default;
        let mut pieces = Vec::new();
        pieces.extend(self.added.into_iter().map(|it| Diff { added: vec![it], ..none() }));
        pieces.extend(self.removed.into_iter().map(|it| Diff { removed: vec![it], ..none() }));
        pieces.extend(self.changed.into_iter().map(|it| Diff { changed: vec![it], ..none() }));
        pieces.extend(self.moved.into_iter().map(|it| Diff { moved: vec![it], ..none() }));
        pieces.extend(self.added_edges.into_iter().map(|it| Diff { added_edges: vec![it], ..none() }));
        pieces.extend(self.removed_edges.into_iter().map(|it| Diff { removed_edges: vec![it], ..none() }));
        pieces.extend(self.added_classes.into_iter().map(|it| Diff { added_classes: vec![it], ..none() }));
        pieces.extend(self.removed_classes.into_iter().map(|it| Diff { removed_classes: vec![it], ..none() }));
        pieces
    }

    fn extend(&mut self, other: Diff) {
        self.added.extend(other.added);
        self.removed.extend(other.removed);
        self.changed.extend(other.changed);
        self.moved.extend(other.moved);
        self.added_edges.extend(other.added_edges);
        self.removed_edges.extend(other.removed_edges);
        self.added_classes.extend(other.added_classes);
        self.removed_classes.extend(other.removed_classes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::render_nodes;
    use crate::reference::Reference;

    fn added(titles: &[&str]) -> Diff {
        Diff { added: titles.iter().map(|title| Reference::new("file", title)).collect(), ..Diff::default() }
    }

    fn nodes() -> Nodes {
        let diffs = [("a", &["/x", "/y"][..]), ("b", &["/y"]), ("c", &[]), ("d", &["/y"])];
        let mut nodes = Nodes::new(diffs.map(|(name, titles)| (name.into(), added(titles))));
        nodes.only_new.push("e".into());
        nodes
    }

    #[test]
    fn what_nodes_have_in_common_is_told_once() {
        assert_eq!(
            render_nodes(&nodes(), Format::Text),
            "On 3 nodes: a, b, d\n  Added resources:\n    + File[/y]\n\
             On a\n  Added resources:\n    + File[/x]\n\
             Only in the new catalogs: e\n\
             3 different, 1 equal, 1 only new\n"
        );
        assert!(Nodes::new([("a".into(), Diff::default())]).is_empty());
    }

    #[test]
    fn every_format_names_the_nodes() {
        for format in [Format::Json, Format::Markdown, Format::Html] {
            let text = render_nodes(&nodes(), format);
            assert!(["a", "b", "d", "e", "File[/x]"].iter().all(|word| text.contains(word)), "{text}");
            assert_eq!(text.matches("File[/y]").count(), 1, "{text}");
        }
    }
}
