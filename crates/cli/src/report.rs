//! How diagnostics are shown: Puppet's one line, an excerpt of the source for people, or a form for other programs.

mod compilation;
mod human;
mod machine;

use std::process::ExitCode;

use bunraku_syntax::{Diagnostic, Location, Severity, Source, giving_up};
use clap::ValueEnum;

use crate::output::tell;

pub(crate) use compilation::{Color, show_failure, show_logs};
pub(crate) use machine::{show_as_puppet_json, write_machine};

/// The forms in which diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With an excerpt of the source; the default on a terminal
    Human,
    /// Puppet's one line for each; the default elsewhere
    Plain,
    /// An array of objects
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Commands of a GitHub workflow, which annotate the source
    Github,
}

/// A source and what is wrong with it.
pub(crate) struct Checked {
    /// What the user calls it.
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether the first error keeps the rest from being looked at, as a syntax error does.
    pub(crate) is_fatal: bool,
}

impl Checked {
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }
}

/// Puppet logs at most so many of each severity.
const MAX_SHOWN: usize = 10;

/// Shows what is wrong with a source in a form for people, on standard error.
pub(crate) fn show(checked: &Checked, format: Format, prefix: &str) {
    if format == Format::Human {
        for diagnostic in &checked.diagnostics {
            tell(human::render(diagnostic, |_| Some(&checked.source)));
        }
        return;
    }
    let warnings = checked.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Error);
    for warning in warnings.clone().take(MAX_SHOWN) {
        log("Warning", &located(warning, &checked.source));
    }
    let errors: Vec<&Diagnostic> = checked.errors().collect();
    match errors.as_slice() {
        [] => {}
        [error, ..] if errors.len() == 1 || checked.is_fatal => {
            log("Error", &format!("{prefix}{}", located(error, &checked.source)));
        }
        _ => {
            for error in errors.iter().take(MAX_SHOWN) {
                log("Error", &located(error, &checked.source));
            }
            log("Error", &giving_up(errors.len(), warnings.count()));
        }
    }
}

/// The message with its place, as Puppet shows it: `message (file: F, line: L, column: C)`.
pub(crate) fn located(diagnostic: &Diagnostic, source: &Source) -> String {
    with_place(diagnostic.issue.message(), diagnostic.location, Some(source))
}

fn with_place(message: &str, location: Location, source: Option<&Source>) -> String {
    let Some(source) = source else { return message.into() };
    let mut place = Vec::new();
    if let (Some(path), false) = (&source.path, location == Location::Unknown) {
        place.push(format!("file: {path}"));
    }
    if let Location::Line(span) = location {
        place.push(format!("line: {}", source.line_column(span.start).0));
    }
    if let Location::Span(span) = location {
        let (line, column) = source.line_column(span.start);
        place.push(format!("line: {line}, column: {column}"));
    }
    if place.is_empty() {
        return message.into();
    }
    format!("{message} ({})", place.join(", "))
}

/// Says why an action could not be done, as Puppet does.
pub(crate) fn refuse(action: &str, message: &str) -> ExitCode {
    log("Error", message);
    try_help(action)
}

/// What Puppet says last when an action could not be done.
pub(crate) fn try_help(action: &str) -> ExitCode {
    log("Error", &format!("Try 'puppet help {action}' for usage"));
    ExitCode::FAILURE
}

/// The exit code of a command that finds out whether something is fine.
pub(crate) fn exit_code(is_fine: bool) -> ExitCode {
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One line of Puppet's log.
pub(crate) fn log(level: &str, message: &str) {
    let style = match level {
        "Error" | "Alert" | "Critical" | "Emergency" => human::ERROR,
        "Warning" => human::WARNING,
        "Notice" => human::NOTICE,
        _ => anstyle::Style::new(),
    };
    tell(format_args!("{style}{level}: {message}{style:#}\n"));
}
