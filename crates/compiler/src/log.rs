//! What a program says while it is evaluated: `notice()` and its kin, and warnings of the language.

use ecow::EcoString;

use bunraku_environment::Environment;
use bunraku_syntax::{Location, Span};

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only of interest when looking for a fault.
    Debug,
    /// What is being done.
    Info,
    /// What a user should see.
    Notice,
    /// What may be wrong.
    Warning,
    /// What is wrong.
    Err,
    /// What must be seen to at once.
    Alert,
    /// What endangers the system.
    Crit,
    /// What makes the system unusable.
    Emerg,
}

impl Level {
    /// All levels, the least important first.
    pub const ALL: [Level; 8] =
        [Level::Debug, Level::Info, Level::Notice, Level::Warning, Level::Err, Level::Alert, Level::Crit, Level::Emerg];

    /// The name of the level, which is also that of its logging function.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Crit => "crit",
            Level::Emerg => "emerg",
        }
    }
}

/// One message.
#[derive(Clone, Debug)]
pub struct Log {
    /// Its importance.
    pub level: Level,
    /// Its text.
    pub message: EcoString,
    /// `Scope(Class[main])` and the like, for what a logging function says.
    pub source: Option<EcoString>,
    /// The code of the issue, for a warning of the language.
    pub issue: Option<&'static str>,
    /// Where the code is that it is about.
    pub span: Option<Span>,
}

impl Log {
    /// The message with its place in the code of an environment, as Puppet shows it.
    pub fn located(&self, environment: &Environment) -> String {
        match (&self.source, self.span) {
            (Some(scope), _) => format!("{scope}: {}", self.message),
            (None, Some(span)) => Location::Span(span).after(&self.message, environment.source(span.file)),
            (None, None) => self.message.to_string(),
        }
    }
}
