//! What can go wrong in Ruby, with the place in the Ruby code where it did.

use std::fmt;
use std::path::Path;

use serde_json::Value as Json;

use super::host::HostError;

/// An error of a template or function written in Ruby.
#[derive(Debug, Clone, PartialEq)]
pub struct RubyError {
    /// What kind of failure it is.
    pub kind: RubyErrorKind,
    /// The message, as the exception has it.
    pub message: String,
    /// The Ruby class of the exception.
    pub class: Option<String>,
    /// The file of the template or function.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<u32>,
    /// The number by which the host knows an error of its own that has passed through the Ruby code.
    pub number: Option<usize>,
}

/// Kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RubyErrorKind {
    /// An exception that Ruby code may rescue.
    Raised,
    /// An exception of another sort, such as a syntax error.
    Fatal,
    /// The limit of time, memory, size or depth is reached.
    Limit,
    /// The helper ended or broke the conversation.
    Died,
    /// There is no Ruby to run.
    Missing,
    /// A Hiera backend has no value for the key.
    NotFound,
    /// What a function gives is no value of the language.
    NoValue,
    /// The compiler itself is leaving through this call.
    Unwound,
}

impl RubyError {
    pub(crate) fn new(kind: RubyErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        RubyError { kind, message, class: None, file: None, line: None, number: None }
    }

    /// What runs needs a real Ruby, which is not there, or cannot take over from code that has already done something.
    pub(crate) fn needs_ruby(reason: &str, missing: Option<&Path>) -> Self {
        let message = match missing {
            Some(ruby) => {
                let ruby = ruby.display();
                format!(
                    "this needs Ruby for {reason}, and there is no '{ruby}' on this machine; install Ruby, or do without it"
                )
            }
            None => {
                format!("only Ruby itself can do this: {reason}; the code has done too much already to be run again")
            }
        };
        RubyError::new(RubyErrorKind::Missing, message)
    }

    /// The helper is no longer there.
    pub(super) fn gone() -> Self {
        RubyError::new(RubyErrorKind::Died, "the Ruby helper has ended")
    }

    /// The helper said something that makes no sense here.
    pub(super) fn protocol(message: &Json) -> Self {
        let kind = match message {
            Json::Null => "nothing",
            Json::String(_) => "text",
            _ => "something else",
        };
        RubyError::new(RubyErrorKind::Died, format!("the Ruby helper answered {kind} where it should not"))
    }

    /// The same error at a file, unless it knows one.
    pub(super) fn or_at(mut self, file: &str) -> Self {
        if self.file.is_none() {
            self.file = Some(file.to_string());
        }
        self
    }
}

impl From<HostError> for RubyError {
    /// A result that the compiler cannot take.
    fn from(error: HostError) -> Self {
        match error {
            HostError::Unwind => RubyError::new(RubyErrorKind::Unwound, "the call was left"),
            HostError::Message { message, .. } => RubyError::new(RubyErrorKind::Raised, message),
        }
    }
}

impl fmt::Display for RubyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(formatter, " (file: {file}, line: {line})"),
            (Some(file), None) => write!(formatter, " (file: {file})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for RubyError {}

/// The outcome a final message carries.
pub(super) fn outcome(mut message: Json) -> Result<Json, RubyError> {
    if let Some(value) = message.get_mut("ok") {
        return Ok(value.take());
    }
    if message.get("unwind").is_some() {
        return Err(RubyError::new(RubyErrorKind::Unwound, "the call was left"));
    }
    if message.get("not_found").is_some() {
        return Err(RubyError::new(RubyErrorKind::NotFound, "no value was found"));
    }
    let text = |key: &str| message.get(key).and_then(Json::as_str).map(str::to_string);
    let number = |key: &str| message.get(key).and_then(Json::as_u64).and_then(|n| u32::try_from(n).ok());
    let Some(error) = text("error") else {
        return Err(RubyError::protocol(&message));
    };
    let class = text("class");
    let kind = match class.as_deref() {
        Some("Bunraku::TimeLimit" | "Bunraku::OutputLimit" | "NoMemoryError" | "SystemStackError") => {
            RubyErrorKind::Limit
        }
        Some("Bunraku::NoValue") => RubyErrorKind::NoValue,
        _ if message.get("standard") == Some(&Json::Bool(true)) => RubyErrorKind::Raised,
        _ => RubyErrorKind::Fatal,
    };
    let own = number("number").and_then(|own| usize::try_from(own).ok());
    let (file, line) = (text("file"), number("line"));
    Err(RubyError { class, file, line, number: own, ..RubyError::new(kind, error) })
}
