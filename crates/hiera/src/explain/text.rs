//! Prints an explanation as `--explain` does.

use bunraku_syntax::deep;
use std::fmt;

use bunraku_pcore::{Value, inspect};

use super::{Event, Explanation, Node, NodeKind};

impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(root) = self.nodes.first() else { return Ok(()) };
        let mut out = String::new();
        for branch in self.branches(root) {
            self.node(branch, "", &mut out);
        }
        texts(root, "", &mut out);
        formatter.write_str(&out)
    }
}

impl Explanation {
    fn node(&self, node: &Node, indent: &str, out: &mut String) {
        let key = node.key.as_deref().unwrap_or_default();
        match &node.kind {
            NodeKind::Root => {}
            NodeKind::Top => {
                line(out, indent, &format!("Searching for \"{key}\""));
                self.inner(node, indent, out);
            }
            NodeKind::InvalidKey => line(out, indent, &format!("Invalid key \"{key}\"")),
            NodeKind::MergeSource(source) => {
                line(out, indent, &format!("Using merge options from \"{source}\" hash"));
            }
            NodeKind::Module(name) => match node.event {
                Some(Event::ModuleNotFound) => line(out, indent, &format!("Module \"{name}\" not found")),
                _ => line(out, indent, &format!("Module data provider for module \"{name}\" not found")),
            },
            NodeKind::Interpolate(expression) => {
                line(out, indent, &format!("Interpolation on \"{expression}\""));
                self.inner(node, indent, out);
            }
            NodeKind::Merge { strategy, options } => self.merge(node, strategy, options.as_ref(), indent, out),
            NodeKind::Provider { name, configuration, .. } => {
                line(out, indent, name);
                if let Some(path) = configuration {
                    line(out, &deeper(indent), &format!("Using configuration \"{path}\""));
                }
                self.inner_and_outcome(node, indent, out);
            }
            NodeKind::Location { is_uri, location, original } => {
                let (kind, lower) = if *is_uri { ("URI", "uri") } else { ("Path", "path") };
                line(out, indent, &format!("{kind} \"{location}\""));
                line(out, &deeper(indent), &format!("Original {lower}: \"{original}\""));
                self.inner(node, indent, out);
                if node.event == Some(Event::LocationNotFound) {
                    line(out, &deeper(indent), &format!("{kind} not found"));
                }
                outcome(node, &deeper(indent), out);
            }
            NodeKind::SubKey(segments) => {
                line(out, indent, &format!("Sub key: \"{segments}\""));
                self.inner_and_outcome(node, indent, out);
            }
            NodeKind::Segment => outcome(node, indent, out),
            NodeKind::Scope(name) => {
                line(out, indent, name);
                self.inner_and_outcome(node, indent, out);
            }
        }
    }

    fn inner(&self, node: &Node, indent: &str, out: &mut String) {
        let indent = deeper(indent);
        for branch in self.branches(node) {
            self.node(branch, &indent, out);
        }
    }

    fn inner_and_outcome(&self, node: &Node, indent: &str, out: &mut String) {
        self.inner(node, indent, out);
        outcome(node, &deeper(indent), out);
    }

    /// A merge of one candidate is shown as that candidate alone.
    fn merge(&self, node: &Node, strategy: &str, options: Option<&Value>, indent: &str, out: &mut String) {
        match node.branches.as_slice() {
            [] => return,
            [only] => {
                if let Some(branch) = self.nodes.get(*only) {
                    self.node(branch, indent, out);
                }
                return;
            }
            _ => line(out, indent, &format!("Merge strategy {strategy}")),
        }
        let inner = deeper(indent);
        if let Some(options) = options {
            line(out, &inner, &format!("Options: {}", shown(options, &inner)));
        }
        self.inner(node, indent, out);
        if node.event == Some(Event::Result) {
            line(out, &inner, &format!("Merged result: {}", shown(&node.value, &inner)));
        }
    }
}

fn outcome(node: &Node, indent: &str, out: &mut String) {
    let key = node.key.as_deref().unwrap_or_default();
    let suffix = match node.event {
        Some(Event::NotFound) => {
            line(out, indent, &format!("No such key: \"{key}\""));
            None
        }
        Some(Event::Found) => Some(""),
        Some(Event::FoundInOverrides) => Some(" in overrides"),
        Some(Event::FoundInDefaults) => Some(" in defaults"),
        _ => None,
    };
    if let Some(suffix) = suffix {
        line(out, indent, &format!("Found key: \"{key}\" value: {}{suffix}", shown(&node.value, indent)));
    }
    texts(node, indent, out);
}

fn texts(node: &Node, indent: &str, out: &mut String) {
    for text in &node.texts {
        line(out, indent, text);
    }
}

fn line(out: &mut String, indent: &str, text: &str) {
    out.push_str(indent);
    out.push_str(text);
    out.push('\n');
}

fn deeper(indent: &str) -> String {
    format!("{indent}  ")
}

/// A value over several lines, one for each element of a collection.
fn shown(value: &Value, indent: &str) -> String {
    deep(|| {
        let inner = deeper(indent);
        match value {
            Value::Hash(hash) if !hash.is_empty() => {
                let entries: Vec<String> = hash
                    .iter()
                    .map(|(key, value)| format!("{inner}{} => {}", shown(key, &inner), shown(value, &inner)))
                    .collect();
                format!("{{\n{}\n{indent}}}", entries.join(",\n"))
            }
            Value::Array(elements) if !elements.is_empty() => {
                let elements: Vec<String> =
                    elements.iter().map(|element| format!("{inner}{}", shown(element, &inner))).collect();
                format!("[\n{}\n{indent}]", elements.join(",\n"))
            }
            _ => inspect::inspect(value),
        }
    })
}
