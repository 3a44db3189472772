//! The node a catalog is compiled for.

use std::sync::Arc;

use ecow::EcoString;

use bunraku_pcore::{Hash, Value};

/// What is known of a node before its catalog is compiled.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The certificate name.
    pub name: EcoString,
    /// The facts; each is also a variable at top scope.
    pub facts: Arc<Hash>,
    /// `$trusted`.
    pub trusted: Arc<Hash>,
    /// `$server_facts`.
    pub server_facts: Arc<Hash>,
    /// Parameters that a node classifier sets; they win over facts.
    pub parameters: Vec<(EcoString, Value)>,
    /// Classes that a node classifier assigns, some with parameters.
    pub classes: Vec<(EcoString, Option<Arc<Hash>>)>,
}

impl Node {
    /// A node without facts.
    pub fn new(name: impl Into<EcoString>) -> Node {
        Node { name: name.into(), ..Node::default() }
    }

    /// Puts the node into another environment.
    pub fn move_to(&mut self, environment: &str) {
        Arc::make_mut(&mut self.server_facts).insert("environment".into(), environment.into());
    }

    /// The node with these facts.
    pub fn with_facts(mut self, facts: Hash) -> Node {
        self.facts = Arc::new(facts);
        self
    }
}
