//! Diagnostics for other programs: JSON, SARIF and GitHub's workflow commands.

use std::io::{self, Write};

use bunraku_syntax::{Diagnostic, Severity, Source};
use serde_json::{Map, Value, json};

use super::{Checked, Format, giving_up, located, log};
use crate::output::print;

/// Writes all diagnostics of all sources.
pub(crate) fn write_machine(format: Format, checked: &[Checked], out: &mut dyn Write) -> io::Result<()> {
    let all = || checked.iter().flat_map(|checked| checked.diagnostics.iter().map(|found| (found, &checked.source)));
    match format {
        Format::Json => {
            let list: Vec<Value> = all().map(|(found, source)| to_json(found, source)).collect();
            writeln!(out, "{:#}", Value::from(list))
        }
        Format::Sarif => {
            let results: Vec<Value> = all().map(|(found, source)| sarif_result(found, source)).collect();
            writeln!(out, "{:#}", sarif(results))
        }
        Format::Github => all().try_for_each(|(found, source)| writeln!(out, "{}", github(found, source))),
        Format::Human | Format::Plain => Ok(()),
    }
}

fn to_json(diagnostic: &Diagnostic, source: &Source) -> Value {
    let mut object = Map::new();
    object.insert("file".into(), source.path.as_deref().into());
    insert_place(&mut object, diagnostic, source);
    object.insert("severity".into(), level(diagnostic).into());
    if !diagnostic.issue.code().is_empty() {
        object.insert("code".into(), diagnostic.issue.code().into());
    }
    object.insert("message".into(), diagnostic.issue.message().into());
    let notes: Vec<Value> = diagnostic
        .notes
        .iter()
        .map(|note| match note.span.map(|span| source.line_column(span.start)) {
            Some((line, column)) => json!({"line": line, "column": column, "message": note.message.as_str()}),
            None => json!({"message": note.message.as_str()}),
        })
        .collect();
    if !notes.is_empty() {
        object.insert("notes".into(), notes.into());
    }
    object.into()
}

/// Shows the object that Puppet makes of what is wrong: the error of each file by its name. Where a file has several, they
/// are logged.
pub(crate) fn show_as_puppet_json(checked: &[Checked], prefix: &str) -> Result<(), String> {
    let mut all = Map::new();
    for checked in checked {
        let errors: Vec<&Diagnostic> = checked.errors().collect();
        let Some(first) = errors.first() else { continue };
        let path = checked.source.path.as_deref();
        let place = path.map(|path| format!(" (file: {path})")).unwrap_or_default();
        let name = checked.name.clone();
        if errors.len() == 1 || checked.is_fatal {
            let place = first.span().map(|span| checked.source.line_column(span.start));
            all.insert(
                name,
                json!({
                    "issue_code": first.issue.code(),
                    "message": first.issue.message(),
                    "full_message": format!("{prefix}{}", located(first, &checked.source)),
                    "file": path,
                    "line": place.map(|(line, _)| line),
                    "pos": place.map(|(_, column)| column),
                }),
            );
            continue;
        }
        errors.iter().for_each(|error| log("Error", &located(error, &checked.source)));
        let message = giving_up(errors.len(), checked.diagnostics.len() - errors.len());
        let full_message = format!("{prefix}{message}{place}");
        all.insert(name, json!({
            "issue_code": null, "message": message, "full_message": full_message, "file": path, "line": null, "pos": null,
        }));
    }
    if all.is_empty() { Ok(()) } else { print(format_args!("{:#}\n", Value::from(all))) }
}

fn insert_place(object: &mut Map<String, Value>, diagnostic: &Diagnostic, source: &Source) {
    if let Some(span) = diagnostic.span() {
        let (line, column) = source.line_column(span.start);
        object.insert("line".into(), line.into());
        object.insert("column".into(), column.into());
    }
}

fn sarif(results: Vec<Value>) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "bunraku", "version": env!("CARGO_PKG_VERSION")}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn sarif_result(diagnostic: &Diagnostic, source: &Source) -> Value {
    let mut result = json!({
        "level": level(diagnostic),
        "message": {"text": diagnostic.issue.message()},
    });
    if !diagnostic.issue.code().is_empty() {
        insert(&mut result, "ruleId", diagnostic.issue.code().into());
    }
    if let Some(path) = source.path.as_deref() {
        let mut place = json!({"artifactLocation": {"uri": path}});
        if let Some(span) = diagnostic.span() {
            let (line, column) = source.line_column(span.start);
            insert(&mut place, "region", json!({"startLine": line, "startColumn": column}));
        }
        insert(&mut result, "locations", json!([{"physicalLocation": place}]));
    }
    result
}

fn insert(value: &mut Value, key: &str, inner: Value) {
    if let Value::Object(object) = value {
        object.insert(key.into(), inner);
    }
}

fn github(diagnostic: &Diagnostic, source: &Source) -> String {
    let mut properties = Vec::new();
    if let Some(path) = source.path.as_deref() {
        properties.push(format!("file={}", escape(path, true)));
    }
    if let Some(span) = diagnostic.span() {
        let (line, column) = source.line_column(span.start);
        properties.push(format!("line={line},col={column}"));
    }
    if !diagnostic.issue.code().is_empty() {
        properties.push(format!("title={}", diagnostic.issue.code()));
    }
    let message = escape(diagnostic.issue.message(), false);
    format!("::{} {}::{message}", level(diagnostic), properties.join(","))
}

/// Characters that end a line or a property are written as percent codes.
fn escape(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property {
        return text.replace(':', "%3A").replace(',', "%2C");
    }
    text
}

fn level(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Deprecation => "warning",
    }
}
