//! What is wrong, without a place. Codes and messages are those of the reference implementation where it has them.

use std::fmt;

use ecow::EcoString;

use crate::diagnostic::Diagnostic;
use crate::place::Location;
use crate::span::{FileId, Span};

/// A code and a message, without a place. One word wide, so results that carry it stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue(Box<(&'static str, EcoString)>);

impl Issue {
    /// An issue with its stable code and the sentence users see.
    pub fn new(code: &'static str, message: impl Into<EcoString>) -> Self {
        Self(Box::new((code, message.into())))
    }

    /// The stable code, such as `SYNTAX_ERROR`; empty where the reference has none.
    pub fn code(&self) -> &'static str {
        self.0.0
    }

    /// The sentence users see, without a place.
    pub fn message(&self) -> &str {
        &self.0.1
    }

    /// This issue as an error at a place.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic::new(self, Location::Span(span))
    }

    /// This issue as an error on the line a place begins on; the reference names no column for some errors.
    pub fn on_line(self, span: Span) -> Diagnostic {
        Diagnostic::new(self, Location::Line(span))
    }

    /// This issue as an error of a file as a whole.
    pub fn in_file(self, file: FileId) -> Diagnostic {
        Diagnostic::new(self, Location::File(file))
    }

    /// This issue as an error whose place is not known.
    pub fn nowhere(self) -> Diagnostic {
        Diagnostic::new(self, Location::Unknown)
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Issue {}

/// What keeps something from being written to its end.
impl From<Issue> for std::io::Error {
    fn from(issue: Issue) -> Self {
        std::io::Error::other(issue)
    }
}
