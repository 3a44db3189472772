//! The differences between two catalogs as text, JSON, Markdown or HTML.

use std::fmt::Write;

use bunraku_pcore::Value;
use ecow::EcoString;
use similar::{Algorithm, ChangeTag, capture_diff_slices, group_diff_ops};

use super::{Change, Diff, ParameterChange};
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
    match format {
        Format::Text => text(diff),
        Format::Json => json(diff),
        Format::Markdown => markdown(diff),
        Format::Html => html(diff),
    }
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

fn text(diff: &Diff) -> String {
    let mut out = String::new();
    for (sign, heading, items) in lists(diff) {
        if !items.is_empty() {
            line(&mut out, format_args!("{heading}:"));
        }
        for item in items {
            line(&mut out, format_args!("  {sign} {item}"));
        }
    }
    if !diff.changed.is_empty() {
        line(&mut out, format_args!("Changed resources:"));
    }
    for change in &diff.changed {
        line(&mut out, format_args!("  ~ {}", change.reference));
        for parameter in &change.parameters {
            line(&mut out, format_args!("      {}:", parameter.name));
            for (sign, text) in parameter_lines(parameter) {
                line(&mut out, format_args!("        {sign} {text}"));
            }
        }
    }
    out
}

fn markdown(diff: &Diff) -> String {
    let mut out = String::from("# Catalog differences\n");
    if diff.is_empty() {
        out.push_str("\nNone.\n");
    }
    for (_, heading, items) in lists(diff).iter().filter(|(_, _, items)| !items.is_empty()) {
        line(&mut out, format_args!("\n## {heading}\n"));
        for item in items {
            line(&mut out, format_args!("- `{item}`"));
        }
    }
    if !diff.changed.is_empty() {
        out.push_str("\n## Changed resources\n");
    }
    for change in &diff.changed {
        line(&mut out, format_args!("\n### `{}`\n\n```diff", change.reference));
        for parameter in &change.parameters {
            line(&mut out, format_args!("  {}:", parameter.name));
            for (sign, text) in parameter_lines(parameter) {
                line(&mut out, format_args!("{sign} {text}"));
            }
        }
        out.push_str("```\n");
    }
    out
}

fn html(diff: &Diff) -> String {
    let mut out = String::from(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Catalog differences</title><style>\
         body{font-family:sans-serif}pre{background:#f6f6f6;padding:.5em}.added{color:#060}.removed{color:#a00}\
         </style></head><body>\n<h1>Catalog differences</h1>\n",
    );
    if diff.is_empty() {
        out.push_str("<p>None.</p>\n");
    }
    for (_, heading, items) in lists(diff).iter().filter(|(_, _, items)| !items.is_empty()) {
        line(&mut out, format_args!("<h2>{heading}</h2>\n<ul>"));
        for item in items {
            line(&mut out, format_args!("<li><code>{}</code></li>", escaped(item)));
        }
        out.push_str("</ul>\n");
    }
    if !diff.changed.is_empty() {
        out.push_str("<h2>Changed resources</h2>\n");
    }
    for change in &diff.changed {
        line(&mut out, format_args!("<h3><code>{}</code></h3>\n<pre>", escaped(&change.reference.to_string())));
        for parameter in &change.parameters {
            line(&mut out, format_args!("{}:", escaped(&parameter.name)));
            for (sign, text) in parameter_lines(parameter) {
                let class = match sign {
                    '+' => "added",
                    '-' => "removed",
                    _ => "same",
                };
                line(&mut out, format_args!("<span class=\"{class}\">{sign} {}</span>", escaped(&text)));
            }
        }
        out.push_str("</pre>\n");
    }
    out.push_str("</body></html>\n");
    out
}

fn json(diff: &Diff) -> String {
    let mut writer = Json::new(true);
    writer.begin_map();
    writer.key("equal");
    writer.data(&Value::Boolean(diff.is_empty()));
    for (name, references) in [("added", &diff.added), ("removed", &diff.removed), ("moved", &diff.moved)] {
        writer.key(name);
        json_list(&mut writer, references.iter().map(ToString::to_string));
    }
    for (name, classes) in [("added_classes", &diff.added_classes), ("removed_classes", &diff.removed_classes)] {
        writer.key(name);
        json_list(&mut writer, classes.iter().map(EcoString::to_string));
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
        json_change(&mut writer, change);
    }
    writer.end_list();
    writer.end_map();
    let mut text = writer.finish();
    text.push('\n');
    text
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
            let mut json = Json::new(false);
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
