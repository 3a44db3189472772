//! An issue with its places: what the reference reports, and what a person needs beyond that.

use ecow::EcoString;

use crate::issue::Issue;
use crate::label::{At, Edit, Fix, Label, Note};
use crate::place::Location;
use crate::source::Source;
use crate::span::{FileId, Span};

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

/// An issue with its place and severity, as the reference reports them, and what helps to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in the reference's words.
    pub issue: Issue,
    /// How bad it is.
    pub severity: Severity,
    /// Where the reference says it is.
    pub location: Location,
    /// What is wrong in fewer or clearer words than the reference's, for people.
    pub headline: Option<EcoString>,
    /// The places that matter. Without a primary one, that of the reference is it.
    pub labels: Vec<Label>,
    /// Remarks about other places: the way to the error, the bracket that was never closed.
    pub notes: Vec<Note>,
    /// What to do about it.
    pub help: Vec<EcoString>,
    /// Changes that would mend it, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error at a location, without anything further.
    pub fn new(issue: Issue, location: Location) -> Self {
        let (labels, help) = (issue.labels().to_vec(), issue.help().to_vec());
        Self {
            issue,
            severity: Severity::Error,
            location,
            headline: None,
            labels,
            notes: Vec::new(),
            help,
            fixes: Vec::new(),
        }
    }

    /// Whether validation found it, and not the lexer, which warns by itself: only these are counted.
    pub fn is_of_validation(&self) -> bool {
        self.issue.code() != "UNRECOGNIZED_ESCAPE"
    }

    /// The same diagnostic with another severity.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The same diagnostic in other words for people.
    pub fn with_headline(self, headline: impl Into<EcoString>) -> Self {
        Self { headline: Some(headline.into()), ..self }
    }

    /// The same diagnostic with the place where the fault is.
    pub fn with_primary(mut self, message: impl Into<EcoString>, at: impl Into<At>) -> Self {
        self.labels.push(Label { at: at.into(), message: message.into(), is_primary: true });
        self
    }

    /// The same diagnostic with another place that has to do with it.
    pub fn with_label(mut self, message: impl Into<EcoString>, at: impl Into<At>) -> Self {
        self.labels.push(Label { at: at.into(), message: message.into(), is_primary: false });
        self
    }

    /// The same diagnostic with one more remark about a place.
    pub fn with_note(mut self, message: impl Into<EcoString>, at: impl Into<At>) -> Self {
        self.notes.push(Note { message: message.into(), at: Some(at.into()) });
        self
    }

    /// The same diagnostic with one more remark, which names its place itself if it has one.
    pub fn with_remark(mut self, message: impl Into<EcoString>) -> Self {
        self.notes.push(Note { message: message.into(), at: None });
        self
    }

    /// The same diagnostic with one more piece of advice.
    pub fn with_help(mut self, message: impl Into<EcoString>) -> Self {
        self.help.push(message.into());
        self
    }

    /// The same diagnostic with a change that would mend it.
    pub fn with_fix(mut self, message: impl Into<EcoString>, span: Span, replacement: impl Into<EcoString>) -> Self {
        let edits = vec![Edit { span, replacement: replacement.into() }];
        self.fixes.push(Fix { message: message.into(), edits });
        self
    }

    /// What to do about it, for those who cannot show it at its place.
    pub fn advice(&self) -> impl Iterator<Item = &str> {
        self.issue.advice().into_iter().chain(self.help.iter().map(EcoString::as_str))
    }

    /// The message with its place, as Puppet shows it.
    pub fn located(&self, source: Option<&Source>) -> String {
        self.location.after(self.issue.message(), source)
    }

    /// What people read first.
    pub fn headline(&self) -> &str {
        self.headline.as_deref().unwrap_or(self.issue.headline())
    }

    /// The range of bytes it is about as the reference has it, where one is known.
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

    /// Where the fault is: the primary label, or else what the reference reports.
    pub fn primary(&self) -> Option<At> {
        let label = self.labels.iter().find(|label| label.is_primary);
        label.map(|label| label.at.clone()).or_else(|| self.span().map(At::Code))
    }
}

/// What is said after several errors of one file.
pub fn giving_up(errors: usize, warnings: usize) -> String {
    match warnings {
        0 => format!("Language validation logged {errors} errors. Giving up"),
        _ => format!("Language validation logged {errors} errors, and {warnings} warnings. Giving up"),
    }
}
