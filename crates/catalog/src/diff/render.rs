//! The differences between two catalogs as text, JSON, Markdown or HTML.

use std::fmt::Write;

use bunraku_pcore::Value;
use ecow::EcoString;

use super::{Change, Diff, Line, ParameterChange, diff_lines};
use crate::edge::Edge;
use crate::markup::escaped;
use crate::wire::{Json, Writer, data_text, write_data};

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
    writer.begin_map(9);
    writer.key("equal");
    writer.literal(if diff.is_empty() { "true" } else { "false" });
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
        writer.begin_list(edges.len());
        for edge in edges {
            writer.begin_map(2);
            writer.key("source");
            writer.string(&edge.source.to_string());
            writer.key("target");
            writer.string(&edge.target.to_string());
            writer.end_map();
        }
        writer.end_list();
    }
    writer.key("changed");
    writer.begin_list(diff.changed.len());
    for change in &diff.changed {
        json_change(&mut writer, change);
    }
    writer.end_list();
    writer.end_map();
    let mut text = writer.finish();
    text.push('\n');
    text
}

fn json_list(writer: &mut Json, items: impl ExactSizeIterator<Item = String>) {
    writer.begin_list(items.len());
    for item in items {
        writer.string(&item);
    }
    writer.end_list();
}

/// A value that is not there is left out, for `null` is a value.
fn json_change(writer: &mut Json, change: &Change) {
    writer.begin_map(2);
    writer.key("resource");
    writer.string(&change.reference.to_string());
    writer.key("parameters");
    writer.begin_list(change.parameters.len());
    for parameter in &change.parameters {
        writer.begin_map(3);
        writer.key("name");
        writer.string(&parameter.name);
        for (key, value) in [("old", &parameter.old), ("new", &parameter.new)] {
            match value {
                Some(_) if parameter.is_sensitive => {
                    writer.key(key);
                    writer.string(REDACTED);
                }
                Some(value) => {
                    writer.key(key);
                    write_data(value, writer);
                }
                None => {}
            }
        }
        writer.end_map();
    }
    writer.end_list();
    writer.end_map();
}

const REDACTED: &str = "[redacted]";

/// The lines that show a change of a value: those of long texts are compared one by one.
fn parameter_lines(change: &ParameterChange) -> Vec<(char, String)> {
    let old = change.old.as_ref().map(|value| shown(value, change.is_sensitive));
    let new = change.new.as_ref().map(|value| shown(value, change.is_sensitive));
    match (old, new) {
        (Some(old), Some(new)) if old.contains('\n') || new.contains('\n') => with_context(&diff_lines(&old, &new)),
        (old, new) => old.map(|text| ('-', text)).into_iter().chain(new.map(|text| ('+', text))).collect(),
    }
}

fn shown(value: &Value, is_sensitive: bool) -> String {
    match value {
        _ if is_sensitive => REDACTED.to_owned(),
        // Text of several lines is easier to read without escapes.
        Value::String(text) if text.contains('\n') => text.to_string(),
        other => data_text(other),
    }
}

/// Only the surroundings of changes; what is left out is marked.
fn with_context(lines: &[Line<'_>]) -> Vec<(char, String)> {
    let is_change = |line: &Line<'_>| !matches!(line, Line::Same(_));
    let is_near = |index: usize| {
        let start = index.saturating_sub(CONTEXT);
        let end = (index + CONTEXT + 1).min(lines.len());
        lines.get(start..end).is_some_and(|near| near.iter().any(is_change))
    };
    let mut shown = Vec::new();
    let mut has_gap = false;
    for (index, line) in lines.iter().enumerate() {
        if !is_near(index) {
            if !std::mem::replace(&mut has_gap, true) {
                shown.push((' ', "…".to_owned()));
            }
            continue;
        }
        has_gap = false;
        shown.push(match line {
            Line::Same(text) => (' ', (*text).to_owned()),
            Line::Removed(text) => ('-', (*text).to_owned()),
            Line::Added(text) => ('+', (*text).to_owned()),
        });
    }
    shown
}

fn line(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    _ = writeln!(out, "{line}");
}
