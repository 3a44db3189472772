//! Providers, of which a compiler needs only the names: `Puppet::Type.type(:package).provide(:apt, …)`.

use bunraku_syntax::with_ample_stack;
use ruby_prism::{CallNode, Node, Visit};

use super::library::text;

/// A provider that a Ruby file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The resource type it is for.
    pub resource_type: String,
    /// Its name.
    pub name: String,
}

/// The providers that a file in `lib/puppet/provider` declares.
pub fn read_providers(source: &str) -> Vec<Provider> {
    with_ample_stack(|| {
        let tree = ruby_prism::parse(source.as_bytes());
        let mut finder = ProviderFinder { found: Vec::new() };
        finder.visit(&tree.node());
        finder.found
    })
}

struct ProviderFinder {
    found: Vec<Provider>,
}

impl<'pr> Visit<'pr> for ProviderFinder {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let type_call = node.receiver().and_then(|receiver| receiver.as_call_node());
        if let (b"provide", Some(type_call)) = (node.name().as_slice(), type_call)
            && type_call.name().as_slice() == b"type"
            && let Some(resource_type) = first_text(&type_call)
            && let Some(name) = first_text(node)
        {
            self.found.push(Provider { resource_type, name });
        }
        ruby_prism::visit_call_node(self, node);
    }
}

fn first_text(call: &CallNode<'_>) -> Option<String> {
    let argument: Node<'_> = call.arguments()?.arguments().first()?;
    let symbol = argument.as_symbol_node().map(|symbol| text(symbol.unescaped()));
    symbol.or_else(|| argument.as_string_node().map(|string| text(string.unescaped())))
}
