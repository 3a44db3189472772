//! Diagnostics as JSON: in a form of our own, and in Puppet's.

use serde_json::{Map, Value, json as object};

use super::{Checked, Finding};
use crate::{At, Diagnostic, Place, giving_up};

/// An array with an object for each diagnostic.
pub fn json(findings: &[Finding<'_>]) -> String {
    let list: Vec<Value> = findings.iter().map(|finding| to_json(*finding)).collect();
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
            let message = giving_up(errors.len(), checked.diagnostics.len() - errors.len());
            let full_message = Place { file: path, ..Place::default() }.after(format_args!("{prefix}{message}"));
            object!({
                "issue_code": null, "message": message, "full_message": full_message,
                "file": path, "line": null, "pos": null,
            })
        };
        files.insert(checked.name.clone(), error);
    }
    (!files.is_empty()).then(|| format!("{:#}\n", Value::from(files)))
}

fn to_json(finding: Finding<'_>) -> Value {
    let diagnostic = finding.diagnostic;
    let mut object = Map::new();
    let source = diagnostic.file().and_then(|file| finding.sources.source(file));
    object.insert("file".into(), source.and_then(|source| source.path.as_deref()).into());
    if let (Some(span), Some(source)) = (diagnostic.span(), source) {
        let (line, column) = source.line_column(span.start);
        object.insert("line".into(), line.into());
        object.insert("column".into(), column.into());
    }
    object.insert("severity".into(), finding.level().into());
    if !diagnostic.issue.code().is_empty() {
        object.insert("code".into(), diagnostic.issue.code().into());
    }
    object.insert("message".into(), diagnostic.issue.message().into());
    if diagnostic.headline() != diagnostic.issue.message() {
        object.insert("headline".into(), diagnostic.headline().into());
    }
    let labels = diagnostic.labels.iter().map(|label| {
        let mut value = remark(finding, Some(&label.at), &label.message);
        value.insert("primary".into(), label.is_primary.into());
        value.into()
    });
    let notes = diagnostic.notes.iter().map(|note| remark(finding, note.at.as_ref(), &note.message).into());
    let help = diagnostic.advice().map(Value::from);
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                let mut object = place(finding, Some(&At::Code(edit.span)));
                object.insert("replacement".into(), edit.replacement.as_str().into());
                object.into()
            })
            .collect();
        object!({"message": fix.message.as_str(), "edits": edits})
    });
    for (name, list) in [
        ("labels", labels.collect::<Vec<Value>>()),
        ("notes", notes.collect()),
        ("help", help.collect()),
        ("fixes", fixes.collect()),
    ] {
        if !list.is_empty() {
            object.insert(name.into(), list.into());
        }
    }
    object.into()
}

/// A place and what is said about it.
fn remark(finding: Finding<'_>, at: Option<&At>, message: &str) -> Map<String, Value> {
    let mut object = place(finding, at);
    object.insert("message".into(), message.into());
    object
}

fn place(finding: Finding<'_>, at: Option<&At>) -> Map<String, Value> {
    let mut object = Map::new();
    let Some(region) = at.and_then(|at| finding.region_at(at)) else { return object };
    if let Some(path) = region.path {
        object.insert("file".into(), path.into());
    }
    object.insert("line".into(), region.start.0.into());
    object.insert("column".into(), region.start.1.into());
    if let Some((line, column)) = region.end {
        object.insert("endLine".into(), line.into());
        object.insert("endColumn".into(), column.into());
    }
    object
}
