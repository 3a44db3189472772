//! Problems as a report for Code Climate, which GitLab reads, too.

use std::collections::HashMap;

use bunraku::render::fingerprint;
use bunraku_lint::{Kind, RULES};
use serde_json::json;

use super::json::pretty;
use super::shown::Shown;

/// An object for each error and warning.
pub(super) fn code_climate(problems: &[Shown<'_>]) -> String {
    // The line is no part of a fingerprint: the same problem on another line is not a new one.
    let mut seen: HashMap<u64, u64> = HashMap::new();
    let mut entries = Vec::new();
    for shown in problems {
        let problem = shown.problem;
        let severity = match problem.kind {
            Kind::Warning => "minor",
            Kind::Error => "major",
            Kind::Ignored | Kind::Fixed => continue,
        };
        let same = fingerprint(&[&shown.file.path, problem.check, &problem.message]);
        let occurrence = seen.entry(same).and_modify(|count| *count += 1).or_insert(0);
        let rule = RULES.iter().find(|rule| rule.name == problem.check);
        let mut entry = json!({
            "type": "issue",
            "check_name": problem.check,
            "description": problem.message,
            "categories": ["Style"],
            "severity": severity,
            "location": {"path": shown.file.path, "lines": {"begin": problem.line, "end": problem.line}},
            "fingerprint": format!("{:032x}", (u128::from(same) << 64) | u128::from(*occurrence)),
        });
        if let (Some(rule), Some(object)) = (rule, entry.as_object_mut()) {
            let more = rule.help_uri().map_or(String::new(), |page| {
                format!(" See [this page]({page}) for more information about the `{}` check.", rule.name)
            });
            object.insert("content".to_owned(), format!("{}{more}", rule.description).into());
        }
        entries.push(entry);
    }
    pretty(&entries.into())
}
