//! The explanation of a lookup: a tree of where it searched and what it met, kept while the lookup runs.
//! `text.rs` prints it as `--explain` does, `data.rs` gives it as data.

mod data;
mod sources;
mod text;

use std::sync::Arc;

use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use crate::error::Error;

pub use sources::{DataSource, line_of};

/// What an explanation covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explain {
    /// The search for the value, and for its options.
    Data,
    /// The search for `lookup_options` alone.
    OnlyOptions,
}

/// The account of a lookup.
#[derive(Debug)]
pub struct Explanation {
    covers: Explain,
    nodes: Vec<Node>,
    /// The way from the root to where the lookup is now.
    open: Vec<usize>,
    has_failed: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    kind: NodeKind,
    event: Option<Event>,
    key: Option<EcoString>,
    value: Value,
    texts: Vec<EcoString>,
    branches: Vec<usize>,
}

/// What a part of an explanation is about.
#[derive(Debug, Default)]
pub(crate) enum NodeKind {
    #[default]
    Root,
    /// The search for a key.
    Top,
    InvalidKey,
    MergeSource(EcoString),
    Module(EcoString),
    Interpolate(EcoString),
    Merge {
        strategy: &'static str,
        options: Option<Value>,
    },
    Provider {
        name: EcoString,
        configuration: Option<EcoString>,
        module: Option<EcoString>,
    },
    Location {
        is_uri: bool,
        location: EcoString,
        original: EcoString,
    },
    SubKey(EcoString),
    Segment,
    Scope(EcoString),
}

/// What happened there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Found,
    FoundInOverrides,
    FoundInDefaults,
    NotFound,
    LocationNotFound,
    ModuleNotFound,
    ModuleProviderNotFound,
    Result,
}

impl Explanation {
    /// An explanation of nothing yet.
    pub fn new(covers: Explain) -> Explanation {
        Explanation { covers, nodes: vec![Node::default()], open: vec![0], has_failed: false }
    }

    /// Adds why the lookup failed.
    pub fn fail(&mut self, error: &Error) {
        self.open.truncate(1);
        self.remark(ecow::eco_format!("{error}"));
        self.has_failed = true;
    }

    /// Whether the lookup failed.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Whether only `lookup_options` are searched for.
    pub(crate) fn only_options(&self) -> bool {
        self.covers == Explain::OnlyOptions
    }

    /// Begins a part.
    pub(crate) fn push(&mut self, kind: NodeKind, key: Option<EcoString>) {
        let index = self.nodes.len();
        self.nodes.push(Node { kind, key, ..Node::default() });
        if let Some(node) = self.current() {
            node.branches.push(index);
        }
        self.open.push(index);
    }

    /// Ends the part begun last.
    pub(crate) fn pop(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Notes what happened in the present part.
    pub(crate) fn note(&mut self, event: Event, key: Option<EcoString>, value: Value) {
        if let Some(node) = self.current() {
            node.event = Some(event);
            node.value = value;
            if key.is_some() {
                node.key = key;
            }
        }
    }

    /// How much has been said so far.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Hides the values of everything that was said after a certain point.
    pub(crate) fn redact_since(&mut self, length: usize) {
        for node in self.nodes.iter_mut().skip(length).filter(|node| !node.value.is_undef()) {
            node.value = Value::Sensitive(Arc::new(std::mem::take(&mut node.value)));
        }
    }

    /// Adds a remark to the present part.
    pub(crate) fn remark(&mut self, text: impl Into<EcoString>) {
        if let Some(node) = self.current() {
            node.texts.push(text.into());
        }
    }

    /// Adds a part without an inner life.
    pub(crate) fn leaf(&mut self, kind: NodeKind, event: Option<Event>) {
        self.push(kind, None);
        if let (Some(event), Some(node)) = (event, self.current()) {
            node.event = Some(event);
        }
        self.pop();
    }

    fn current(&mut self) -> Option<&mut Node> {
        let index = *self.open.last()?;
        self.nodes.get_mut(index)
    }

    fn branches<'e>(&'e self, node: &'e Node) -> impl Iterator<Item = &'e Node> {
        node.branches.iter().filter_map(|index| self.nodes.get(*index))
    }
}

/// The options of a strategy without its name, which is said before; nothing if none are left.
pub(crate) fn options_without_strategy(options: Option<&Hash>) -> Option<Value> {
    let rest: Hash = options?
        .iter()
        .filter(|(key, _)| key.as_str() != Some("strategy"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    (!rest.is_empty()).then(|| Value::from(rest))
}
