//! Diagnostics as a report of GitLab's code quality.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Finding, path};
use crate::Severity;

/// An array with an object for each diagnostic. Paths are relative to the root of the repository.
pub fn gitlab(findings: &[Finding<'_>], root: &str) -> String {
    let mut seen = HashMap::new();
    let list: Vec<Value> = findings.iter().map(|finding| entry(*finding, root, &mut seen)).collect();
    format!("{:#}\n", Value::from(list))
}

fn entry(finding: Finding<'_>, root: &str, seen: &mut HashMap<u64, u64>) -> Value {
    let region = finding.region();
    let path = region.as_ref().and_then(|region| region.path).map_or("", |path| path::shown(path, root));
    let start = region.as_ref().map_or((1, 1), |region| region.start);
    let end = region.and_then(|region| region.end).unwrap_or(start);
    let issue = &finding.diagnostic.issue;
    // The line is no part of it: the same fault on another line is not a new one.
    let same = fingerprint(&[path, issue.code(), issue.message()]);
    let occurrence = seen.entry(same).and_modify(|count| *count += 1).or_insert(0);
    json!({
        "description": issue.message(),
        "check_name": issue.code(),
        "fingerprint": format!("{same:016x}{occurrence:04x}"),
        "severity": match finding.diagnostic.severity {
            Severity::Error => "critical",
            Severity::Warning => "minor",
            Severity::Deprecation => "info",
        },
        "location": {
            "path": path,
            "positions": {
                "begin": {"line": start.0, "column": start.1},
                "end": {"line": end.0, "column": end.1},
            },
        },
    })
}

/// A number that is the same wherever and whenever it is computed: FNV-1a.
pub fn fingerprint(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xFF]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
