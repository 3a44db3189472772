//! What a check finds, and how it could be put right.

use std::borrow::Cow;
use std::fmt;

/// How bad a problem is, or what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A warning.
    Warning,
    /// An error.
    Error,
    /// A control comment says that it does not matter.
    Ignored,
    /// It has been put right.
    Fixed,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::Warning => "warning",
            Kind::Error => "error",
            Kind::Ignored => "ignored",
            Kind::Fixed => "fixed",
        })
    }
}

/// Something that a check has to say about a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub kind: Kind,
    /// The name of the check.
    pub check: &'static str,
    /// What is said about it.
    pub message: Cow<'static, str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The bytes that it is about.
    pub range: (u32, u32),
    /// Why it is ignored.
    pub reason: Option<String>,
    /// What puppet-lint's JSON and log formats have under names of their own.
    pub details: Vec<(&'static str, Detail)>,
    /// How to put it right.
    pub fix: Option<Fix>,
}

/// Something that only some checks say of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// A number of columns.
    Number(usize),
    /// Whether something is so.
    Boolean(bool),
    /// A name.
    String(String),
}

impl fmt::Display for Detail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Number(number) => number.fmt(formatter),
            Detail::Boolean(is_so) => is_so.fmt(formatter),
            Detail::String(text) => text.fmt(formatter),
        }
    }
}

/// The check that syntax errors are reported under.
pub const SYNTAX: &str = "syntax";

impl Problem {
    /// A syntax error. Its message and place are those of puppet-lint; `parser validate` says more.
    pub(crate) fn syntax(message: &'static str, line: u32, column: u32, at: u32) -> Self {
        let (kind, message) = (Kind::Error, Cow::Borrowed(message));
        Self {
            kind,
            check: SYNTAX,
            message,
            line,
            column,
            range: (at, at),
            reason: None,
            details: Vec::new(),
            fix: None,
        }
    }
}

/// Edits that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The edits, none of which overlap.
    pub edits: Vec<Edit>,
    /// What they may change.
    pub effect: Effect,
}

/// What a fix may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// White space, quotes and comments: the syntax tree stays the same.
    Layout,
    /// The code, but not what it means.
    Code,
    /// What the code means, in rare cases. Somebody should look at it.
    Meaning,
}

/// Another text for a range of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// What to write there.
    pub text: String,
}

impl Edit {
    pub(crate) fn new(start: u32, end: u32, text: impl Into<String>) -> Self {
        Self { start, end, text: text.into() }
    }
}
