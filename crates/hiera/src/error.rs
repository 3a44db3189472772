//! Why a lookup failed, and how the failure is shown: the reference reports some as they stand and others where the
//! lookup was called.

use std::fmt;
use std::sync::Arc;

use bunraku_syntax::{At, Diagnostic, FileId, Issue, Source};
use ecow::{EcoString, EcoVec};

/// What a failure is, which decides who may reword it on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A failure of data or configuration: shown as it stands, without the place of the call.
    Lookup,
    /// A failure that turns into [`Kind::Lookup`] when it passes through the lookup of another key.
    General,
    /// Wrong use of the lookup: shown at the place of the call.
    Call,
}

/// How many keys of a trail are kept.
const MAXIMUM_TRAIL: usize = 8;

/// A lookup that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What it is.
    pub kind: Kind,
    /// The code of the reference, where it has one.
    pub code: Option<&'static str>,
    /// The sentence users see.
    pub message: EcoString,
    /// The configuration file it is about.
    pub file: Option<EcoString>,
    /// The line in that file.
    pub line: Option<u64>,
    /// What went wrong in code that the lookup evaluated.
    pub diagnostic: Option<Box<Diagnostic>>,
    /// The keys being looked up when it happened and the data files they were in, the innermost first.
    pub trail: EcoVec<(EcoString, EcoString)>,
    /// The entry of `lookup_options` that is wrong.
    pub wrong_option: Option<Box<WrongOption>>,
    /// The place in a file of data or configuration that is to blame.
    pub cause: Option<Box<Cause>>,
}

/// What is wrong with a file of data or configuration, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What is wrong.
    pub headline: EcoString,
    /// Where.
    pub at: At,
    /// A few words about that place.
    pub advice: EcoString,
}

impl Cause {
    /// A cause on a line of a file, from a column on if that is known; both are counted from 1.
    pub(crate) fn on_line(path: &str, text: &[u8], line: u64, column: Option<u64>) -> Cause {
        let source = Source::file(FileId(0), path, String::from_utf8_lossy(text));
        let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let at = At::line(Arc::new(source), number(line), column.map(number));
        Cause { headline: EcoString::new(), at, advice: EcoString::new() }
    }
}

/// Which of the `lookup_options` is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongOption {
    /// The key that was looked up.
    pub key: EcoString,
    /// The key or pattern that has the options.
    pub entry: EcoString,
    /// The option.
    pub name: &'static str,
}

impl Error {
    /// A failure of data or configuration.
    pub fn lookup(message: impl Into<EcoString>) -> Error {
        Error::new(Kind::Lookup, message)
    }

    /// A failure of something the lookup used.
    pub fn general(message: impl Into<EcoString>) -> Error {
        Error::new(Kind::General, message)
    }

    /// Wrong use of the lookup.
    pub fn call(message: impl Into<EcoString>) -> Error {
        Error::new(Kind::Call, message)
    }

    /// A failure of code that the lookup evaluated; it keeps its place.
    pub fn evaluation(diagnostic: Diagnostic) -> Error {
        let message = EcoString::from(diagnostic.issue.message());
        Error { diagnostic: Some(Box::new(diagnostic)), ..Error::new(Kind::General, message) }
    }

    /// A failure with a code of the reference.
    pub(crate) fn issue(issue: &Issue, file: Option<&str>, line: Option<u64>) -> Error {
        Error {
            code: Some(issue.code()),
            file: file.map(EcoString::from),
            line,
            ..Error::new(Kind::Lookup, issue.message())
        }
    }

    /// The failure of a key in a data file.
    pub(crate) fn on_the_way(mut self, key: &EcoString, path: &EcoString) -> Error {
        if self.trail.len() < MAXIMUM_TRAIL {
            self.trail.push((key.clone(), path.clone()));
        }
        self
    }

    /// The failure of an option that `lookup_options` have for a key.
    pub(crate) fn of_option(mut self, key: &EcoString, entry: &str, name: &'static str) -> Error {
        let wrong = WrongOption { key: key.clone(), entry: entry.into(), name };
        self.wrong_option.get_or_insert_with(|| Box::new(wrong));
        self
    }

    /// The failure with the place that is to blame.
    pub(crate) fn because(mut self, cause: Option<Cause>) -> Error {
        self.cause = cause.map(Box::new);
        self
    }

    /// The failure as it looks after it has passed through the lookup of a key.
    pub(crate) fn within_lookup(self) -> Error {
        match self.kind {
            Kind::General => {
                let diagnostic = self.diagnostic.map(|diagnostic| {
                    // What remains of an error in evaluated code is its text and place.
                    let issue = Issue::new("", diagnostic.issue.message());
                    Box::new(Diagnostic { issue, ..*diagnostic })
                });
                Error { kind: Kind::Lookup, diagnostic, ..self }
            }
            Kind::Lookup | Kind::Call => self,
        }
    }

    fn new(kind: Kind, message: impl Into<EcoString>) -> Error {
        Error {
            kind,
            code: None,
            message: message.into(),
            file: None,
            line: None,
            diagnostic: None,
            trail: EcoVec::new(),
            wrong_option: None,
            cause: None,
        }
    }
}

impl From<Issue> for Error {
    fn from(issue: Issue) -> Error {
        Error::general(issue.message())
    }
}

impl fmt::Display for Error {
    /// The sentence, and the place in the configuration it is about.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(formatter, " (file: {file}, line: {line})"),
            (Some(file), None) => write!(formatter, " (file: {file})"),
            (None, _) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
