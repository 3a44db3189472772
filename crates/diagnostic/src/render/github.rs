//! Diagnostics as commands of a GitHub workflow, which annotate the source.

use super::{Finding, path};

/// A command for each diagnostic. Paths are relative to the root of the repository.
pub fn github(findings: &[Finding<'_>], root: &str) -> String {
    findings.iter().map(|finding| command(*finding, root) + "\n").collect()
}

fn command(finding: Finding<'_>, root: &str) -> String {
    let mut properties = Vec::new();
    if let Some(region) = finding.region() {
        if let Some(path) = region.path {
            properties.push(format!("file={}", escape(path::shown(path, root), true)));
        }
        properties.push(format!("line={},col={}", region.start.0, region.start.1));
        if let Some((line, column)) = region.end {
            properties.push(format!("endLine={line},endColumn={column}"));
        }
    }
    let issue = &finding.diagnostic.issue;
    if !issue.code().is_empty() {
        properties.push(format!("title={}", issue.code()));
    }
    let mut message = issue.message().to_owned();
    for help in finding.diagnostic.advice() {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    format!("::{} {}::{}", finding.level(), properties.join(","), escape(&message, false))
}

/// Characters that end a line or a property are written as percent codes.
fn escape(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property {
        return text.replace(':', "%3A").replace(',', "%2C");
    }
    text
}
