//! The differences between two catalogs as text, JSON, Markdown or HTML.

use std::fmt::Write;

use bunraku_pcore::Value;
use ecow::EcoString;
use similar::{Algorithm, ChangeTag, capture_diff_slices, group_diff_ops};

use super::{Change, Diff, Nodes, ParameterChange};
use crate::edge::Edge;
use crate::wire::{Json, Writer};

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;

/// How differences are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For review tools.
    Markdown,
    /// For a browser.
    Html,
}

/// Shows the differences.
pub fn render(diff: &Diff, format: Format) -> String {
    let mut out = String::new();
    match format {
        Format::Text => text(&mut out, diff, ""),
        Format::Json => return json(diff),
        Format::Markdown => {
            out.push_str("# Catalog differences\n");
            if diff.is_empty() {
                out.push_str("\nNone.\n");
            }
            markdown(&mut out, diff, "##");
        }
        Format::Html => {
            out.push_str(HTML_HEAD);
            if diff.is_empty() {
                out.push_str("<p>None.</p>\n");
            }
            html(&mut out, diff, 2);
            out.push_str(HTML_FOOT);
        }
    }
    out
}

/// Shows the differences of many nodes.
pub fn render_nodes(nodes: &Nodes, format: Format) -> String {
    let mut out = String::new();
    match format {
        Format::Json => return json_nodes(nodes),
        Format::Text => {
            for group in &nodes.groups {
                line(&mut out, format_args!("{}", heading(&group.nodes)));
                text(&mut out, &group.diff, "  ");
            }
            lonely(nodes).for_each(|it| line(&mut out, format_args!("{it}")));
            line(&mut out, format_args!("{}", nodes.totals()));
        }
        Format::Markdown => {
            line(&mut out, format_args!("# Catalog differences\n\n{}", nodes.totals()));
            for group in &nodes.groups {
                line(&mut out, format_args!("\n## {}", heading(&group.nodes)));
                markdown(&mut out, &group.diff, "###");
            }
            lonely(nodes).for_each(|it| line(&mut out, format_args!("\n{it}")));
        }
        Format::Html => {
            out.push_str(HTML_HEAD);
            line(&mut out, format_args!("<p>{}</p>", nodes.totals()));
            for group in &nodes.groups {
                line(&mut out, format_args!("<section><h2>{}</h2>", escaped(&heading(&group.nodes))));
                html(&mut out, &group.diff, 3);
                out.push_str("</section>\n");
            }
            lonely(nodes).for_each(|it| line(&mut out, format_args!("<p>{}</p>", escaped(&it))));
            out.push_str(HTML_FOOT);
        }
    }
    out
}

/// Which nodes a group of differences is about.
fn heading(nodes: &[EcoString]) -> String {
    match nodes {
        [node] => format!("On {node}"),
        nodes => format!("On {} nodes: {}", nodes.len(), nodes.join(", ")),
    }
}

/// The nodes that have nothing to be compared with.
fn lonely(nodes: &Nodes) -> impl Iterator<Item = String> {
    let sides = [("old", &nodes.only_old), ("new", &nodes.only_new)];
    let sides = sides.into_iter().filter(|(_, names)| !names.is_empty());
    sides.map(|(side, names)| format!("Only in the {side} catalogs: {}", names.join(", ")))
}

/// The parts that are plain lists, with a sign and a heading.
fn lists(diff: &Diff) -> [(&'static str, &'static str, Vec<String>); 7] {
    fn show<T: ToString>(items: &[T]) -> Vec<String> {
        items.iter().map(ToString::to_string).collect()
    }
    let edges = |edges: &[Edge]| edges.iter().map(|edge| format!("{} contains {}", edge.source, edge.target)).collect();
    [
        ("+", "Added resources", show(&diff.added)),
        ("-", "Removed resources", show(&diff.removed)),
        ("+", "Added classes", show(&diff.added_classes)),
        ("-", "Removed classes", show(&diff.removed_classes)),
        ("+", "Added containment", edges(&diff.added_edges)),
        ("-", "Removed containment", edges(&diff.removed_edges)),
        ("~", "Moved resources", show(&diff.moved)),
    ]
}

fn text(out: &mut String, diff: &Diff, indent: &str) {
    for (sign, heading, items) in lists(diff) {
        if !items.is_empty() {
            line(out, format_args!("{indent}{heading}:"));
        }
        for item in items {
            line(out, format_args!("{indent}  {sign} {item}"));
        }
    }
    if !diff.changed.is_empty() {
        line(out, format_args!("{indent}Changed resources:"));
    }
    for change in &diff.changed {
        line(out, format_args!("{indent}  ~ {}", change.reference));
        for parameter in &change.parameters {
            line(out, format_args!("{indent}      {}:", parameter.name));
            for (sign, text) in parameter_lines(parameter) {
                line(out, format_args!("{indent}        {sign} {text}"));
            }
        }
    }
}

fn markdown(out: &mut String, diff: &Diff, level: &str) {
    for (_, heading, items) in lists(diff).iter().filter(|(_, _, items)| !items.is_empty()) {
        line(out, format_args!("\n{level} {heading}\n"));
        for item in items {
            line(out, format_args!("- `{item}`"));
        }
    }
    if !diff.changed.is_empty() {
        line(out, format_args!("\n{level} Changed resources"));
    }
    for change in &diff.changed {
        line(out, format_args!("\n{level}# `{}`\n\n```diff", change.reference));
        for parameter in &change.parameters {
            line(out, format_args!("  {}:", parameter.name));
            for (sign, text) in parameter_lines(parameter) {
                line(out, format_args!("{sign} {text}"));
            }
        }
        out.push_str("```\n");
    }
}

/// How a page begins: it needs nothing from elsewhere, follows the colours of the reader's system and fits a phone.
const HTML_HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
    <meta name=\"viewport\" content=\"width=device-width\"><title>Catalog differences</title><style>\
    :root{color-scheme:light dark}body{font-family:sans-serif;line-height:1.4;max-width:70em;margin:auto;padding:1em}\
    pre{background:#8881;padding:.5em;overflow:auto}code{overflow-wrap:anywhere}.added{color:#060}.removed{color:#a00}\
    @media(prefers-color-scheme:dark){.added{color:#7d7}.removed{color:#f99}}\
    </style></head><body><main>\n<h1>Catalog differences</h1>\n";
const HTML_FOOT: &str = "</main></body></html>\n";

fn html(out: &mut String, diff: &Diff, level: usize) {
    for (_, heading, items) in lists(diff).iter().filter(|(_, _, items)| !items.is_empty()) {
        line(out, format_args!("<h{level}>{heading}</h{level}>\n<ul>"));
        for item in items {
            line(out, format_args!("<li><code>{}</code></li>", escaped(item)));
        }
        out.push_str("</ul>\n");
    }
    if !diff.changed.is_empty() {
        line(out, format_args!("<h{level}>Changed resources</h{level}>"));
    }
    let inner = level + 1;
    for change in &diff.changed {
        let resource = escaped(&change.reference.to_string());
        line(out, format_args!("<h{inner}><code>{resource}</code></h{inner}>\n<pre tabindex=\"0\">"));
        for parameter in &change.parameters {
            line(out, format_args!("{}:", escaped(&parameter.name)));
            for (sign, text) in parameter_lines(parameter) {
                let class = match sign {
                    '+' => "added",
                    '-' => "removed",
                    _ => "same",
                };
                line(out, format_args!("<span class=\"{class}\">{sign} {}</span>", escaped(&text)));
            }
        }
        out.push_str("</pre>\n");
    }
}

fn json(diff: &Diff) -> String {
    let mut writer = Json::new(true, 0);
    writer.begin_map();
    json_flag(&mut writer, "equal", diff.is_empty());
    json_lists(&mut writer, diff);
    writer.end_map();
    writer.finish() + "\n"
}

/// Nodes without differences are in no group.
fn json_nodes(nodes: &Nodes) -> String {
    let mut writer = Json::new(true, 0);
    writer.begin_map();
    json_flag(&mut writer, "equal", nodes.is_empty());
    for (name, count) in [("nodes_equal", nodes.equal), ("nodes_different", nodes.different)] {
        writer.key(name);
        writer.data(&Value::Integer(i64::try_from(count).unwrap_or(i64::MAX)));
    }
    for (name, names) in [("only_old", &nodes.only_old), ("only_new", &nodes.only_new)] {
        writer.key(name);
        json_list(&mut writer, names.iter().map(EcoString::to_string));
    }
    writer.key("groups");
    writer.begin_list();
    for group in &nodes.groups {
        writer.begin_map();
        writer.key("nodes");
        json_list(&mut writer, group.nodes.iter().map(EcoString::to_string));
        json_lists(&mut writer, &group.diff);
        writer.end_map();
    }
    writer.end_list();
    writer.end_map();
    writer.finish() + "\n"
}

fn json_flag(writer: &mut Json, name: &str, is_so: bool) {
    writer.key(name);
    writer.data(&Value::Boolean(is_so));
}

fn json_lists(writer: &mut Json, diff: &Diff) {
    for (name, references) in [("added", &diff.added), ("removed", &diff.removed), ("moved", &diff.moved)] {
        writer.key(name);
        json_list(writer, references.iter().map(ToString::to_string));
    }
    for (name, classes) in [("added_classes", &diff.added_classes), ("removed_classes", &diff.removed_classes)] {
        writer.key(name);
        json_list(writer, classes.iter().map(EcoString::to_string));
    }
    for (name, edges) in [("added_edges", &diff.added_edges), ("removed_edges", &diff.removed_edges)] {
        writer.key(name);
        writer.begin_list();
        for edge in edges {
            writer.begin_map();
            writer.key("source");
            writer.string(&edge.source.to_string());
            writer.key("target");
            writer.string(&edge.target.to_string());
            writer.end_map();
        }
        writer.end_list();
    }
    writer.key("changed");
    writer.begin_list();
    for change in &diff.changed {
        json_change(writer, change);
    }
    writer.end_list();
}

fn json_list(writer: &mut Json, items: impl Iterator<Item = String>) {
    writer.begin_list();
    for item in items {
        writer.string(&item);
    }
    writer.end_list();
}

/// A value that is not there is left out, for `null` is a value.
fn json_change(writer: &mut Json, change: &Change) {
    writer.begin_map();
    writer.key("resource");
    writer.string(&change.reference.to_string());
    writer.key("parameters");
    writer.begin_list();
    for parameter in &change.parameters {
        writer.begin_map();
        writer.key("name");
        writer.string(&parameter.name);
        for (key, value) in [("old", &parameter.old), ("new", &parameter.new)] {
            if let Some(value) = value {
                writer.key(key);
                writer.data(value);
            }
        }
        writer.end_map();
    }
    writer.end_list();
    writer.end_map();
}

/// The lines that show a change of a value: those of long strings are compared one by one.
fn parameter_lines(change: &ParameterChange) -> Vec<(char, String)> {
    let [old, new] = [&change.old, &change.new].map(|value| value.as_ref().map(shown));
    match (old, new) {
        (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => changed_lines(&old, &new),
        (old, new) => old.map(|text| ('-', text)).into_iter().chain(new.map(|text| ('+', text))).collect(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        // A string of several lines is easier to read without escapes.
        Value::String(text) if text.contains('\n') => text.to_string(),
        other => {
            let mut json = Json::new(false, 0);
            json.data(other);
            json.finish()
        }
    }
}

/// The lines that are different and their surroundings; what is left out is marked.
fn changed_lines(old: &str, new: &str) -> Vec<(char, String)> {
    let [old, new] = match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (Some(old), Some(new)) => [old, new],
        _ => [old, new],
    };
    let [old, new] = [old, new].map(|text| text.split('\n').collect::<Vec<&str>>());
    let gap = || (' ', "…".to_owned());
    let (mut lines, mut end) = (Vec::new(), 0);
    for group in group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), CONTEXT) {
        if group.first().is_some_and(|first| first.old_range().start > end) {
            lines.push(gap());
        }
        for change in group.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            lines.push((sign, change.value().to_owned()));
        }
        end = group.last().map_or(end, |last| last.old_range().end);
    }
    if end < old.len() {
        lines.push(gap());
    }
    lines
}

/// A string without what means something in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn line(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    _ = writeln!(out, "{line}");
}
