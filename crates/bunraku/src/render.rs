//! How diagnostics are shown: Puppet's one line, an excerpt of the source for people, or a form for other programs.

mod github;
mod human;
mod json;
mod plain;
mod sarif;

use bunraku_syntax::{Diagnostic, Severity, Source};

pub use github::github;
pub use human::human;
pub use json::{json, puppet_json};
pub use plain::{log, plain};
pub use sarif::sarif;

/// A source and what is wrong with it.
#[derive(Debug)]
pub struct Checked {
    /// What the user calls it.
    pub name: String,
    /// The source itself.
    pub source: Source,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the first error keeps the rest from being looked at, as a syntax error does.
    pub is_fatal: bool,
}

impl Checked {
    /// The diagnostics that make it unusable.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether it cannot be used.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }
}

/// All diagnostics, each with its source.
fn all(checked: &[Checked]) -> impl Iterator<Item = (&Diagnostic, &Source)> {
    checked.iter().flat_map(|checked| checked.diagnostics.iter().map(|found| (found, &checked.source)))
}

/// The word that programs know for a severity.
fn level(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning | Severity::Deprecation => "warning",
    }
}
