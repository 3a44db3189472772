//! Diagnostics as JSON: in a form of our own, and in Puppet's.

use bunraku_syntax::{Diagnostic, Source, giving_up};
use serde_json::{Map, Value, json as object};

use super::{Checked, all, level};

/// An array with an object for each diagnostic.
pub fn json(checked: &[Checked]) -> String {
    let list: Vec<Value> = all(checked).map(|(found, source)| to_json(found, source)).collect();
    format!("{:#}\n", Value::from(list))
}

/// The object that Puppet makes of what is wrong: the error of each file by its name; nothing if there is none. Where a
/// file has several, it says how many: they are to be logged.
pub fn puppet_json(checked: &[Checked], prefix: &str) -> Option<String> {
    let mut files = Map::new();
    for checked in checked {
        let errors: Vec<&Diagnostic> = checked.errors().collect();
        let Some(first) = errors.first() else { continue };
        let path = checked.source.path.as_deref();
        let error = if errors.len() == 1 || checked.is_fatal {
            let place = first.span().map(|span| checked.source.line_column(span.start));
            object!({
                "issue_code": first.issue.code(),
                "message": first.issue.message(),
                "full_message": format!("{prefix}{}", first.located(Some(&checked.source))),
                "file": path,
                "line": place.map(|(line, _)| line),
                "pos": place.map(|(_, column)| column),
            })
        } else {
            let place = path.map(|path| format!(" (file: {path})")).unwrap_or_default();
            let message = giving_up(errors.len(), checked.diagnostics.len() - errors.len());
            let full_message = format!("{prefix}{message}{place}");
            object!({
                "issue_code": null, "message": message, "full_message": full_message,
                "file": path, "line": null, "pos": null,
            })
        };
        files.insert(checked.name.clone(), error);
    }
    (!files.is_empty()).then(|| format!("{:#}\n", Value::from(files)))
}

fn to_json(diagnostic: &Diagnostic, source: &Source) -> Value {
    let mut object = Map::new();
    object.insert("file".into(), source.path.as_deref().into());
    if let Some(span) = diagnostic.span() {
        let (line, column) = source.line_column(span.start);
        object.insert("line".into(), line.into());
        object.insert("column".into(), column.into());
    }
    object.insert("severity".into(), level(diagnostic).into());
    if !diagnostic.issue.code().is_empty() {
        object.insert("code".into(), diagnostic.issue.code().into());
    }
    object.insert("message".into(), diagnostic.issue.message().into());
    let notes: Vec<Value> = diagnostic
        .notes
        .iter()
        .map(|note| match note.span.map(|span| source.line_column(span.start)) {
            Some((line, column)) => object!({"line": line, "column": column, "message": note.message.as_str()}),
            None => object!({"message": note.message.as_str()}),
        })
        .collect();
    if !notes.is_empty() {
        object.insert("notes".into(), notes.into());
    }
    object.into()
}
