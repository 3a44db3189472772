//! Diagnostics as a report of tests in the form of JUnit: a suite for each file, a failed test for each diagnostic.

use super::{Finding, path};

/// A document with a suite for each file; one test that passed if nothing is wrong.
pub fn junit(findings: &[Finding<'_>], root: &str) -> String {
    let mut suites: Vec<(&str, Vec<Finding<'_>>)> = Vec::new();
    for finding in findings {
        let file = finding.region().and_then(|region| region.path).map_or("bunraku", |path| path::shown(path, root));
        match suites.iter_mut().find(|(name, _)| *name == file) {
            Some((_, list)) => list.push(*finding),
            None => suites.push((file, vec![*finding])),
        }
    }
    let failures = findings.len();
    let tests = failures.max(1);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!("<testsuites name=\"bunraku\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n"));
    if suites.is_empty() {
        out.push_str("  <testsuite name=\"bunraku\" tests=\"1\" failures=\"0\" errors=\"0\">\n");
        out.push_str("    <testcase name=\"No errors found\" classname=\"bunraku\"/>\n  </testsuite>\n");
    }
    for (file, findings) in suites {
        let (name, count) = (escape(file), findings.len());
        out.push_str(&format!("  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\">\n"));
        findings.into_iter().for_each(|finding| out.push_str(&case(finding, &name)));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn case(finding: Finding<'_>, file: &str) -> String {
    let issue = &finding.diagnostic.issue;
    let (line, column) = finding.region().map_or((1, 1), |region| region.start);
    let name = if issue.code().is_empty() { finding.level() } else { issue.code() };
    let mut text = format!("line {line}, column {column}: {}", issue.message());
    for help in finding.diagnostic.advice() {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    format!(
        "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\">\n      \
         <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>\n",
        escape(issue.message()),
        finding.level(),
        escape(&text),
    )
}

/// Text in which nothing means something else to a reader of XML; what XML cannot have is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
