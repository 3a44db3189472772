//! How diagnostics are shown: Puppet's one line, an excerpt of the source for people, or a form for other programs.

mod compilation;

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use bunraku::render::{self, Checked, Finding};
use bunraku::syntax::shortened;
use bunraku::{Diagnostic, Level, Severity};
use clap::ValueEnum;

use crate::output::{keep, print, tell};

pub(crate) use compilation::{Color, ErrorFormat, Reporter, show_failure, show_logs};

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
    /// A report of GitLab's code quality
    Gitlab,
    /// A report of tests in the form of JUnit
    Junit,
}

/// Shows what is wrong with a source in a form for people, on standard error.
pub(crate) fn show(checked: &Checked, format: Format, prefix: &str) {
    if format == Format::Human {
        for diagnostic in &checked.diagnostics {
            tell(render::human(diagnostic, &checked.source, true));
        }
        return;
    }
    for (severity, message) in render::plain(checked, prefix) {
        log(if severity == Severity::Error { "Error" } else { "Warning" }, &message);
    }
}

/// Diagnostics in a form for programs; nothing for people.
pub(crate) fn machine_readable(format: Format, findings: &[Finding<'_>]) -> String {
    let root = std::env::current_dir().map(|path| path.display().to_string()).unwrap_or_default();
    match format {
        Format::Json => render::json(findings),
        Format::Sarif => render::sarif(findings, &root, |code| bunraku::codes::page(code).map(str::to_owned)),
        Format::Github => render::github(findings, &root),
        Format::Gitlab => render::gitlab(findings, &root),
        Format::Junit => render::junit(findings, &root),
        Format::Human | Format::Plain => String::new(),
    }
}

/// Shows the object that Puppet makes of what is wrong. Several errors of a file are logged.
pub(crate) fn show_as_puppet_json(checked: &[Checked], prefix: &str) -> Result<(), String> {
    for checked in checked.iter().filter(|checked| !checked.is_fatal) {
        let errors: Vec<&Diagnostic> = checked.errors().collect();
        if errors.len() > 1 {
            errors.iter().for_each(|error| log("Error", &error.located(Some(&checked.source))));
        }
    }
    render::puppet_json(checked, prefix).map_or(Ok(()), print)
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

/// One line of Puppet's log. What is wrong is said in bounded space, whatever it is said about.
pub(crate) fn log(level: &str, message: &str) {
    match level {
        "Error" | "Warning" => show_line(level, &shortened(message)),
        _ => show_line(level, message),
    }
}

/// The same in full.
pub(crate) fn show_line(level: &str, message: &str) {
    if keep_line(level, message) {
        return;
    }
    let style = match level {
        "Error" | "Alert" | "Critical" | "Emergency" => AnsiColor::Red.on_default().bold(),
        "Warning" => AnsiColor::Yellow.on_default().bold(),
        "Notice" => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    };
    tell(format_args!("{style}{level}: {message}{style:#}\n"));
}

/// Writes a line to the log file as Puppet does; whether there is one.
fn keep_line(level: &str, message: &str) -> bool {
    let level = Level::ALL.into_iter().find(|it| word(*it) == level).map_or("notice", Level::name);
    let now = jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S %z").to_string();
    keep(format_args!("{now} Puppet ({level}): {message}\n"))
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Debug => "Debug",
        Level::Info => "Info",
        Level::Notice => "Notice",
        Level::Warning => "Warning",
        Level::Err => "Error",
        Level::Alert => "Alert",
        Level::Crit => "Critical",
        Level::Emerg => "Emergency",
    }
}
