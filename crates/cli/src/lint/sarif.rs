//! Problems as puppet-lint's SARIF.

use bunraku_lint::{Kind, RULES, SYNTAX};
use serde_json::{Value, json};

use super::json::pretty;
use super::shown::{Shown, full_path};

/// The name of the directory that relative paths begin from.
const ROOT: &str = "ROOTPATH";

/// A SARIF log. Paths are relative to the directory that was given, or to that of the file that was given.
pub(super) fn sarif(problems: &[Shown<'_>], first_path: &str, current_dir: &str) -> String {
    let full = full_path(first_path, current_dir);
    let is_directory = std::path::Path::new(first_path).is_dir();
    let root = if is_directory { full.as_str() } else { full.rsplit_once('/').map_or("", |(directory, _)| directory) };
    let root = format!("{}/", root.trim_end_matches('/'));
    let mut checks: Vec<&str> = Vec::new();
    let mut results = Vec::new();
    for shown in problems {
        let check = shown.problem.check;
        let index = checks.iter().position(|it| *it == check).unwrap_or_else(|| {
            checks.push(check);
            checks.len() - 1
        });
        let path = full_path(&shown.file.path, current_dir);
        let uri = path.strip_prefix(&root).unwrap_or(&path);
        results.push(json!({
            "ruleId": check,
            "ruleIndex": index,
            "message": {"text": shown.problem.message},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": uri, "uriBaseId": ROOT},
                "region": {"startLine": shown.problem.line, "startColumn": column(*shown)},
            }}],
        }));
    }
    let log = json!({
        "$schema": "https://www.schemastore.org/schemas/json/sarif-2.1.0-rtm.5.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "bunraku",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": checks.iter().map(|check| rule(check)).collect::<Vec<_>>(),
            }},
            "results": results,
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {ROOT: {"uri": format!("file://{root}")}},
        }],
    });
    pretty(&log)
}

/// The column in the units that SARIF counts.
fn column(shown: Shown<'_>) -> usize {
    let before = shown.line().chars().take(shown.problem.column.saturating_sub(1) as usize);
    // A column behind the end of the line stays what it is.
    let (count, units) = before.fold((0, 0), |(count, units), it| (count + 1, units + it.len_utf16()));
    shown.problem.column as usize + units - count
}

fn rule(check: &str) -> Value {
    let rule = RULES.iter().find(|rule| rule.name == check);
    let (kind, description) = match rule {
        Some(rule) => (rule.kind, rule.description),
        None => (Kind::Error, "The source can be read."),
    };
    debug_assert!(rule.is_some() || check == SYNTAX, "{check}");
    let mut entry = json!({
        "id": check,
        "fullDescription": {"text": description},
        "defaultConfiguration": {"level": kind.to_string()},
    });
    if let (Some(help), Some(object)) = (rule.and_then(|it| it.help_uri()), entry.as_object_mut()) {
        object.insert("helpUri".to_owned(), help.into());
    }
    entry
}
