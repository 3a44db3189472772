//! What can be said about a program: an [`Issue`] is what is wrong, a [`Diagnostic`] is an issue with a place.
//! Codes and messages are those of the reference implementation where it has them.

use std::borrow::Cow;
use std::fmt;

use ecow::EcoString;

use crate::source::Source;
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

/// What is said after several errors of one file.
pub fn giving_up(errors: usize, warnings: usize) -> String {
    match warnings {
        0 => format!("Language validation logged {errors} errors. Giving up"),
        _ => format!("Language validation logged {errors} errors, and {warnings} warnings. Giving up"),
    }
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The code cannot be used.
    Error,
    /// The code can be used but is probably wrong.
    Warning,
    /// The code works today and will not in a later version.
    Deprecation,
}

/// Where a diagnostic belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// Not known.
    Unknown,
    /// A file, but no line of it: the reference says no more about an unexpected end of input.
    File(FileId),
    /// The line a range of bytes begins on; messages show no column.
    Line(Span),
    /// A range of bytes.
    Span(Span),
}

impl Location {
    /// A message with this place in a source after it: `message (file: F, line: L, column: C)`. Of a message that nobody
    /// would read to its end, the beginning and the end are left.
    pub fn after(self, message: &str, source: Option<&Source>) -> String {
        let message = shortened(message);
        let Some(source) = source else { return message.into() };
        let mut place = Vec::new();
        if let (Some(path), false) = (&source.path, self == Location::Unknown) {
            place.push(format!("file: {path}"));
        }
        match self {
            Location::Line(span) => place.push(format!("line: {}", source.line_column(span.start).0)),
            Location::Span(span) => {
                let (line, column) = source.line_column(span.start);
                place.push(format!("line: {line}, column: {column}"));
            }
            Location::Unknown | Location::File(_) => {}
        }
        match place.as_slice() {
            [] => message.into(),
            place => format!("{message} ({})", place.join(", ")),
        }
    }
}

/// How many bytes of a long message are shown from its beginning and from its end.
const SHOWN: (usize, usize) = (8_000, 1_000);

/// A message without its middle, if it is too long to be read: values that a program makes can be of any size.
pub fn shortened(message: &str) -> Cow<'_, str> {
    let (head, tail) = SHOWN;
    if message.len() <= 2 * head {
        return Cow::Borrowed(message);
    }
    let is_boundary = |at: &usize| message.is_char_boundary(*at);
    let head = (0..=head).rev().find(is_boundary).unwrap_or(0);
    let tail = (message.len() - tail..=message.len()).find(is_boundary).unwrap_or(message.len());
    let (beginning, end) = (message.get(..head).unwrap_or_default(), message.get(tail..).unwrap_or_default());
    Cow::Owned(format!("{beginning} … [{} bytes left out] … {end}", tail - head))
}

/// An issue with its place, severity and further remarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub issue: Issue,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub location: Location,
    /// Remarks about other places, such as the bracket that was never closed.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// Whether validation found it, and not the lexer, which warns by itself: only these are counted.
    pub fn is_of_validation(&self) -> bool {
        self.issue.code() != "UNRECOGNIZED_ESCAPE"
    }

    /// An error at a location, without notes.
    pub fn new(issue: Issue, location: Location) -> Self {
        Self { issue, severity: Severity::Error, location, notes: Vec::new() }
    }

    /// The same diagnostic with another severity.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The same diagnostic with one more remark.
    pub fn with_note(mut self, message: impl Into<EcoString>, span: Span) -> Self {
        self.notes.push(Note { message: message.into(), span: Some(span) });
        self
    }

    /// The same diagnostic with one more remark, which names its place itself: a place in data, say.
    pub fn with_remark(mut self, message: impl Into<EcoString>) -> Self {
        self.notes.push(Note { message: message.into(), span: None });
        self
    }

    /// The message with its place, as Puppet shows it.
    pub fn located(&self, source: Option<&Source>) -> String {
        self.location.after(self.issue.message(), source)
    }

    /// The range of bytes it is about, where one is known.
    pub fn span(&self) -> Option<Span> {
        match self.location {
            Location::Span(span) | Location::Line(span) => Some(span),
            Location::Unknown | Location::File(_) => None,
        }
    }

    /// The file it is about, where one is known.
    pub fn file(&self) -> Option<FileId> {
        match self.location {
            Location::Span(span) | Location::Line(span) => Some(span.file),
            Location::File(file) => Some(file),
            Location::Unknown => None,
        }
    }
}

/// A remark of a diagnostic about another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: EcoString,
    /// The other place, if it is in code.
    pub span: Option<Span>,
}
