//! Puppet's log: one line for each thing that is said.

use bunraku_compiler::log::{Level, Log};
use bunraku_environment::Environment;
use bunraku_syntax::{Diagnostic, Location, Severity, giving_up};

use super::Checked;

/// Puppet logs at most so many of each severity.
const MAX_SHOWN: usize = 10;

/// What Puppet logs about a source: the message that ends it all begins with the prefix.
pub fn plain(checked: &Checked, prefix: &str) -> Vec<(Level, String)> {
    let located = |diagnostic: &Diagnostic| diagnostic.located(Some(&checked.source));
    let warnings = checked.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Error);
    let mut lines: Vec<(Level, String)> =
        warnings.clone().take(MAX_SHOWN).map(|warning| (Level::Warning, located(warning))).collect();
    let errors: Vec<&Diagnostic> = checked.errors().collect();
    match errors.as_slice() {
        [] => {}
        [error, ..] if errors.len() == 1 || checked.is_fatal => {
            lines.push((Level::Err, format!("{prefix}{}", located(error))));
        }
        _ => {
            lines.extend(errors.iter().take(MAX_SHOWN).map(|error| (Level::Err, located(error))));
            lines.push((Level::Err, giving_up(errors.len(), warnings.count())));
        }
    }
    lines
}

/// What was said while compiling, with its place as Puppet shows it.
pub fn log(entry: &Log, environment: &Environment) -> String {
    match (&entry.source, entry.span) {
        (Some(scope), _) => format!("{scope}: {}", entry.message),
        (None, Some(span)) => Location::Span(span).after(&entry.message, environment.source(span.file)),
        (None, None) => entry.message.to_string(),
    }
}
