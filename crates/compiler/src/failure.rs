//! Why there is no catalog.

use std::fmt;

use bunraku_environment::Environment;
use bunraku_syntax::{Diagnostic, giving_up};

/// Why there is no catalog. Its text is what Puppet logs, line by line; the diagnostics are for those who have the code at
/// hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The errors: one, or several if the main manifests cannot be used.
    pub diagnostics: Vec<Diagnostic>,
    /// How many warnings there are next to several errors.
    pub warnings: usize,
    /// Whether the text of the main manifests is at fault, so that nothing was defined.
    pub is_parse_failure: bool,
    /// What Puppet logs: a line for each error, and after several that it gives up.
    messages: Vec<String>,
}

impl Failure {
    /// The failure of an evaluation: one error in the code of an environment.
    pub fn of(diagnostic: Diagnostic, environment: &Environment) -> Failure {
        Failure::new(vec![diagnostic], 0, false, environment)
    }

    /// A failure with errors in the code of an environment.
    pub(crate) fn new(
        diagnostics: Vec<Diagnostic>,
        warnings: usize,
        is_parse_failure: bool,
        environment: &Environment,
    ) -> Failure {
        let located =
            |diagnostic: &Diagnostic| diagnostic.located(diagnostic.file().and_then(|file| environment.source(file)));
        let mut messages: Vec<String> = diagnostics.iter().map(located).collect();
        match messages.as_mut_slice() {
            [only] if is_parse_failure => {
                *only = format!("Could not parse for environment {}: {only}", environment.name);
            }
            [] | [_] => {}
            several => {
                let last = giving_up(several.len(), warnings);
                messages.push(last);
            }
        }
        Failure { diagnostics, warnings, is_parse_failure, messages }
    }

    /// What Puppet logs, message by message; the last one is about the compilation as a whole.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.messages.join("\n"))
    }
}

impl std::error::Error for Failure {}
