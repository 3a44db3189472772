//! Puppet's log: one line for each thing that is said.

use super::Checked;
use crate::{Diagnostic, Severity, giving_up};

/// Puppet logs at most so many of each severity.
const MAX_SHOWN: usize = 10;

/// What Puppet logs about a source: the message that ends it all begins with the prefix.
pub fn plain(checked: &Checked, prefix: &str) -> Vec<(Severity, String)> {
    let located = |diagnostic: &Diagnostic| diagnostic.located(Some(&checked.source));
    let warnings = checked.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Error);
    let mut lines: Vec<(Severity, String)> =
        warnings.clone().take(MAX_SHOWN).map(|warning| (Severity::Warning, located(warning))).collect();
    let errors: Vec<&Diagnostic> = checked.errors().collect();
    match errors.as_slice() {
        [] => {}
        [error, ..] if errors.len() == 1 || checked.is_fatal => {
            lines.push((Severity::Error, format!("{prefix}{}", located(error))));
        }
        _ => {
            lines.extend(errors.iter().take(MAX_SHOWN).map(|error| (Severity::Error, located(error))));
            lines.push((Severity::Error, giving_up(errors.len(), warnings.count())));
        }
    }
    lines
}
