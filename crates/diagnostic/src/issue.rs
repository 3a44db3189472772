//! What is wrong, without a place. Codes and messages are those of the reference implementation where it has them.

use std::fmt;

use ecow::{EcoString, eco_format};

use crate::diagnostic::Diagnostic;
use crate::label::{At, Label};
use crate::place::Location;
use crate::similar::nearest;
use crate::span::{FileId, Span};

/// A code and a message, without a place. One word wide, so results that carry it stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue(Box<Content>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Content {
    code: &'static str,
    message: EcoString,
    /// The message for people, where the reference puts more around it than they need.
    headline: Option<EcoString>,
    /// A few words about where it happens, such as what was meant instead.
    advice: Option<EcoString>,
    /// The places that it is about.
    labels: Vec<Label>,
    /// What more there is to do about it.
    help: Vec<EcoString>,
    /// Which part of a call it is about.
    about: Option<About>,
}

/// The part of a call that an issue is about. Whoever has the code at hand knows where that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The name of what is called.
    Callee,
    /// An argument, counted from 0.
    Argument(usize),
}

impl Issue {
    /// An issue with its stable code and the sentence users see.
    pub fn new(code: &'static str, message: impl Into<EcoString>) -> Self {
        let message = message.into();
        Self(Box::new(Content {
            code,
            message,
            headline: None,
            advice: None,
            labels: Vec::new(),
            help: Vec::new(),
            about: None,
        }))
    }

    /// The stable code, such as `SYNTAX_ERROR`; empty where the reference has none.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The same issue with another code.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = code;
        self
    }

    /// The sentence users see, without a place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The sentence without what the reference puts around it.
    pub fn headline(&self) -> &str {
        self.0.headline.as_ref().unwrap_or(&self.0.message)
    }

    /// The same issue in other words for people.
    #[must_use]
    pub fn with_headline(mut self, headline: impl Into<EcoString>) -> Self {
        self.0.headline = Some(headline.into());
        self
    }

    /// The same issue as the reference words it further out: with something before its message, which people need not
    /// read.
    #[must_use]
    pub fn after(mut self, prefix: impl fmt::Display) -> Self {
        let message = eco_format!("{prefix}{}", self.0.message);
        let inner = std::mem::replace(&mut self.0.message, message);
        self.0.headline.get_or_insert(inner);
        self
    }

    /// What to do about it, in a few words.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }

    /// The same issue with a few words about what to do.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<EcoString>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// The same issue with what was probably meant, if something known is close to the name that is not.
    #[must_use]
    pub fn with_nearest<T: AsRef<str>>(
        self,
        name: &str,
        known: impl IntoIterator<Item = T>,
        show: impl FnOnce(EcoString) -> EcoString,
    ) -> Self {
        match nearest(name, known) {
            Some(meant) => {
                let advice = eco_format!("did you mean `{}`?", show(meant));
                self.with_advice(advice)
            }
            None => self,
        }
    }

    /// The same issue with another place that it is about.
    #[must_use]
    pub fn with_related(mut self, message: impl Into<EcoString>, at: impl Into<At>) -> Self {
        self.0.labels.push(Label { at: at.into(), message: message.into(), is_primary: false });
        self
    }

    /// The same issue with the place of its cause, if that is not known better already. Without a message the advice is
    /// shown there.
    #[must_use]
    pub fn with_primary(mut self, message: impl Into<EcoString>, at: impl Into<At>) -> Self {
        if !self.0.labels.iter().any(|label| label.is_primary) {
            self.0.labels.push(Label { at: at.into(), message: message.into(), is_primary: true });
        }
        self
    }

    /// The places that it is about.
    pub fn labels(&self) -> &[Label] {
        &self.0.labels
    }

    /// The same issue with one more piece of advice, which belongs to no place.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<EcoString>) -> Self {
        self.0.help.push(help.into());
        self
    }

    /// The advice that belongs to no place.
    pub fn help(&self) -> &[EcoString] {
        &self.0.help
    }

    /// The same issue about a part of the call that failed, or about none.
    #[must_use]
    pub fn with_about(mut self, about: impl Into<Option<About>>) -> Self {
        self.0.about = about.into();
        self
    }

    /// The part of the call that it is about.
    pub fn about(&self) -> Option<About> {
        self.0.about
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

/// What the operating system says, without the number that Rust adds to it.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
