//! The graph in the language of Graphviz, as the agent writes it.

use std::fmt::Write;

use super::{Cause, Graph};

pub(super) fn write(graph: &Graph<'_>) -> String {
    let mut text = "digraph Relationships {\n    label = \"Relationships\"\n".to_owned();
    for resource in graph.catalog().resources() {
        push_line(&mut text, format_args!("    {} [fontsize = 8]", quoted(&resource.reference.to_string())));
    }
    for relationship in graph.relationships() {
        let (Some(first), Some(second)) =
            (graph.reference(relationship.first()), graph.reference(relationship.second()))
        else {
            continue;
        };
        let style = match relationship.cause {
            Cause::Containment => "style = dotted, arrowhead = none",
            Cause::Autorequire => "style = dashed",
            Cause::Metaparameter(_) => "style = solid",
        };
        let (first, second) = (quoted(&first.to_string()), quoted(&second.to_string()));
        push_line(&mut text, format_args!("    {first} -> {second} [{style}]"));
    }
    text.push_str("}\n");
    text
}

fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    _ = writeln!(text, "{line}");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
