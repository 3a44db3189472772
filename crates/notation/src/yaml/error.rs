//! What is wrong with a YAML text, in Psych's words.

use std::fmt;

use super::scanner::Problem;

/// A YAML text that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The whole message as Psych words it; it begins with the name of the file where Psych's does.
    pub message: String,
    /// Line and column, counted from one, where they are known.
    pub place: Option<(u64, u64)>,
    /// What was being read, as the message says it at its end; empty if it does not.
    pub context: &'static str,
}

impl Error {
    /// What is wrong, without the file and the place.
    pub fn problem(&self) -> &str {
        let message = self.message.split_once("): ").map_or(self.message.as_str(), |(_, problem)| problem);
        message.rsplit_once(" at line ").map_or(message, |(problem, _)| problem)
    }

    /// A text that breaks the rules of YAML.
    ///
    /// Compatibility: Psych shows where the surrounding construct began, not where the problem is, and the first
    /// column of the first line when there is no construct.
    pub(super) fn syntax(file: &str, problem: &Problem) -> Error {
        let mark = problem.mark.map_or((1, 1), |mark| (mark.line.saturating_add(1), mark.column.saturating_add(1)));
        let (line, column) = mark;
        let context = problem.context;
        let problem = match context {
            "" => problem.problem.to_owned(),
            _ => format!("{} {context}", problem.problem),
        };
        let place = Some((line, column));
        Error { message: format!("({file}): {problem} at line {line} column {column}"), place, context }
    }

    /// A value of a class that data may not have.
    pub(super) fn disallowed_class(file: &str, class: &str) -> Error {
        Error { message: format!("({file}): Tried to load unspecified class: {class}"), place: None, context: "" }
    }

    /// An alias for which there is no anchor.
    pub(super) fn unknown_alias(name: &str) -> Error {
        Error { message: format!("Unknown alias: {name}"), place: None, context: "" }
    }

    /// A problem for which the message is all there is.
    pub(super) fn plain(message: String) -> Error {
        Error { message, place: None, context: "" }
    }

    /// A text beyond one of our own limits.
    pub(super) fn limit(file: &str, problem: &str, line: u64, column: u64) -> Error {
        let place = Some((line, column));
        Error { message: format!("({file}): {problem} at line {line} column {column}"), place, context: "" }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
