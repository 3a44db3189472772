//! Diagnostics as SARIF 2.1.0, for code scanning.

use serde_json::{Value, json};

use super::{Finding, Region, path};
use crate::{At, Edit};

/// The name of the directory that relative paths begin from.
const ROOT: &str = "%SRCROOT%";

/// A SARIF log with a result for each diagnostic. Paths below the root are relative to it. `help` has the page of a code.
pub fn sarif(findings: &[Finding<'_>], root: &str, help: impl Fn(&str) -> Option<String>) -> String {
    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.diagnostic.issue.code()).collect();
    codes.retain(|code| !code.is_empty());
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<Value> = findings.iter().map(|finding| result(*finding, &codes, root)).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(code, help(code))).collect();
    let base = format!("file://{}/", path::percent_encoded(root.trim_end_matches('/')));
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "bunraku", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "originalUriBaseIds": {ROOT: {"uri": base}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

/// What a code means. The first line of its page says it in short.
fn rule(code: &str, page: Option<String>) -> Value {
    let Some(page) = page else { return json!({"id": code}) };
    let short = page.lines().next().unwrap_or(code).to_owned();
    json!({
        "id": code,
        "shortDescription": {"text": short},
        "help": {"text": page.as_str(), "markdown": page.as_str()},
    })
}

fn result(finding: Finding<'_>, codes: &[&str], root: &str) -> Value {
    let diagnostic = finding.diagnostic;
    let mut text = diagnostic.issue.message().to_owned();
    for help in diagnostic.advice() {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let mut result = json!({"level": finding.level(), "message": {"text": text}});
    let code = diagnostic.issue.code();
    if let Ok(index) = codes.binary_search(&code) {
        insert(&mut result, "ruleId", code.into());
        insert(&mut result, "ruleIndex", index.into());
    }
    if let Some(place) = finding.region().and_then(|region| location(&region, root)) {
        insert(&mut result, "locations", json!([{"physicalLocation": place}]));
    }
    let labels = diagnostic.labels.iter().filter(|label| !label.is_primary).map(|label| (&label.message, &label.at));
    let notes = diagnostic.notes.iter().filter_map(|note| Some((&note.message, note.at.as_ref()?)));
    let related: Vec<Value> = labels
        .chain(notes)
        .filter_map(|(message, at)| {
            let place = location(&finding.region_at(at)?, root)?;
            Some(json!({"physicalLocation": place, "message": {"text": message.as_str()}}))
        })
        .collect();
    if !related.is_empty() {
        insert(&mut result, "relatedLocations", related.into());
    }
    let fixes: Vec<Value> = diagnostic
        .fixes
        .iter()
        .filter_map(|fix| {
            let changes: Option<Vec<Value>> = fix.edits.iter().map(|edit| change(finding, edit, root)).collect();
            Some(json!({"description": {"text": fix.message.as_str()}, "artifactChanges": changes?}))
        })
        .collect();
    if !fixes.is_empty() {
        insert(&mut result, "fixes", fixes.into());
    }
    result
}

/// A file and a region of it: that is always there, for viewers refuse results without one.
fn location(region: &Region<'_>, root: &str) -> Option<Value> {
    Some(json!({"artifactLocation": artifact(region.path?, root), "region": lines(region)}))
}

fn artifact(file: &str, root: &str) -> Value {
    match path::relative(file, root) {
        Some(relative) => json!({"uri": path::percent_encoded(relative), "uriBaseId": ROOT}),
        None if file.starts_with('/') => json!({"uri": format!("file://{}", path::percent_encoded(file))}),
        None => json!({"uri": path::percent_encoded(file)}),
    }
}

fn lines(region: &Region<'_>) -> Value {
    let mut lines = json!({"startLine": region.start.0, "startColumn": region.start.1});
    if let Some((line, column)) = region.end {
        insert(&mut lines, "endLine", line.into());
        insert(&mut lines, "endColumn", column.into());
    }
    lines
}

fn change(finding: Finding<'_>, edit: &Edit, root: &str) -> Option<Value> {
    let at = At::Code(edit.span);
    let region = finding.region_at(&at)?;
    let mut deleted = lines(&region);
    if region.end.is_none() {
        insert(&mut deleted, "endLine", region.start.0.into());
        insert(&mut deleted, "endColumn", region.start.1.into());
    }
    let replacement = json!({"deletedRegion": deleted, "insertedContent": {"text": edit.replacement.as_str()}});
    Some(json!({"artifactLocation": artifact(region.path?, root), "replacements": [replacement]}))
}

fn insert(value: &mut Value, key: &str, inner: Value) {
    if let Value::Object(object) = value {
        object.insert(key.into(), inner);
    }
}
