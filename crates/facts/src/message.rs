//! What is worth saying while facts are found.

use std::fmt;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For those who look for a mistake.
    Debug,
    /// What happens.
    Info,
    /// Something is left out.
    Warn,
    /// Something is wrong; a command that finds facts fails in the end.
    Error,
}

/// One message, which is said once however often its cause occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub level: Level,
    /// The part of Facter that says it in the reference.
    pub source: String,
    /// What it says.
    pub text: String,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Level::Debug => "DEBUG",
            Level::Info => "INFO",
            Level::Warn => "WARN",
            Level::Error => "ERROR",
        })
    }
}
