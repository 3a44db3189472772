//! Graphs of a run as GraphViz reads them: what contains what, who waits for whom, and dependency cycles.

use std::io;
use std::path::Path;

use crate::graph::Graph;
use crate::resource::{Body, Resource};
use crate::write;

/// How a resource is called in a graph.
fn name(resource: &Resource) -> String {
    let prefix = match resource.body {
        Body::Begin => "Admissible_",
        Body::End => "Completed_",
        _ => return resource.site.label.clone(),
    };
    let (type_name, title) = resource.site.label.split_once('[').unwrap_or((&resource.site.label, "]"));
    format!("Whit[{prefix}{}[{title}]", type_name.to_lowercase())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A graph with resources and what leads from one to another.
pub(crate) fn graph(title: &str, names: &[String], edges: &[(String, String)]) -> String {
    let mut text = format!("digraph {title} {{\n    label = {}\n", quoted(title));
    for name in names {
        let name = quoted(name);
        text.push_str(&format!("    {name} [\n        fontsize = 8,\n        label = {name}\n    ]\n\n"));
    }
    for (from, to) in edges {
        text.push_str(&format!("    {} -> {} [\n        fontsize = 8\n    ]\n\n", quoted(from), quoted(to)));
    }
    text + "}\n"
}

/// The graph of who waits for whom.
pub(crate) fn relationships(title: &str, resources: &[Resource], relationships: &Graph) -> String {
    let name = |number: usize| resources.get(number).map(name).unwrap_or_default();
    let names: Vec<String> = relationships.vertices().map(name).collect();
    let before = |target: usize| relationships.before(target).into_iter().map(move |source| (source, target));
    let edges = relationships.vertices().flat_map(before).map(|(source, target)| (name(source), name(target)));
    graph(title, &names, &edges.collect::<Vec<_>>())
}

/// The graph of cycles: each way round on a line.
pub(crate) fn cycles(paths: &[Vec<String>]) -> String {
    let line = |path: &Vec<String>| path.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" -> ") + "\n";
    let lines: String = paths.iter().map(line).collect();
    format!("digraph Resource_Cycles {{\n  label = \"Resource Cycles\"\n{lines}}}\n")
}

/// Writes a graph into a directory.
pub(crate) fn keep(directory: &Path, name: &str, text: &str) -> io::Result<()> {
    write::replace(&directory.join(format!("{name}.dot")), text, 0o644)
}
