//! Why something could not be done to the machine.

use std::io;

/// What went wrong, as it is logged and reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is said about it.
    pub message: String,
    /// What it was caused by, where the reference tells that too.
    pub original: Option<String>,
    /// Whether the machine failed, not a rule: the reference then says which value could not be set.
    pub is_raw: bool,
}

/// What a step comes to.
pub(crate) type Outcome<T = ()> = Result<T, Fault>;

impl Fault {
    /// A rule was broken, or a command failed.
    pub fn new(message: impl Into<String>) -> Self {
        Fault { message: message.into(), original: None, is_raw: false }
    }

    /// The machine refused something.
    pub(crate) fn raw(message: impl Into<String>) -> Self {
        Fault { is_raw: true, ..Fault::new(message) }
    }

    /// The operating system refused something that was done to a path.
    pub(crate) fn io(error: &io::Error, path: &str) -> Self {
        Fault::raw(format!("{} - {path}", reason(error)))
    }

    /// The message, with what caused it on lines of their own.
    pub(crate) fn with_original(&self, message: &str) -> String {
        match &self.original {
            Some(original) => format!("{message}\nWrapped exception:\n{original}"),
            None => message.to_owned(),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// What the operating system says, without the number that Rust adds.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
