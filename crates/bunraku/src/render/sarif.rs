//! Diagnostics as SARIF 2.1.0, for code scanning.

use bunraku_syntax::{Diagnostic, Source};
use serde_json::{Value, json};

use super::{Checked, all, level};

/// A SARIF log with a result for each diagnostic.
pub fn sarif(checked: &[Checked]) -> String {
    let results: Vec<Value> = all(checked).map(|(found, source)| result(found, source)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "bunraku", "version": env!("CARGO_PKG_VERSION")}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn result(diagnostic: &Diagnostic, source: &Source) -> Value {
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
