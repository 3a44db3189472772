//! Diagnostics as commands of a GitHub workflow, which annotate the source.

use bunraku_syntax::{Diagnostic, Source};

use super::{Checked, all, level};

/// A command for each diagnostic.
pub fn github(checked: &[Checked]) -> String {
    all(checked).map(|(found, source)| command(found, source) + "\n").collect()
}

fn command(diagnostic: &Diagnostic, source: &Source) -> String {
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
