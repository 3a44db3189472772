//! Why a request came to nothing: the server refused it, or there was no server.

use std::fmt;

/// Why a request came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The server answered, but not with what was asked for.
    Refused {
        /// The status of the answer.
        status: u16,
        /// What the server says about it.
        message: String,
    },
    /// There was no answer.
    Unanswered(String),
}

impl Failure {
    /// Whether the server answered with this status.
    pub fn is(&self, wanted: u16) -> bool {
        matches!(self, Failure::Refused { status, .. } if *status == wanted)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused { status, message } => write!(formatter, "Error {status} on SERVER: {message}"),
            Failure::Unanswered(reason) => formatter.write_str(reason),
        }
    }
}
