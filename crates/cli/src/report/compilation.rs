//! What a compilation said and why it failed, on standard error.

use std::io::{IsTerminal, stderr};

use bunraku::{Environment, Failure, Level, Location, Log};
use clap::Args;

use super::{Format, giving_up, human, log, with_place};

/// Which messages are shown.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Verbosity {
    /// Show all messages
    #[arg(short, long, help_heading = "Messages")]
    debug: bool,
    /// Show messages of level info too
    #[arg(short, long, help_heading = "Messages")]
    verbose: bool,
}

impl Verbosity {
    fn shows(self, level: Level) -> bool {
        match level {
            Level::Debug => self.debug,
            Level::Info => self.debug || self.verbose,
            _ => true,
        }
    }
}

/// Shows the messages of a compilation as Puppet's console does.
pub(crate) fn show_logs(environment: &Environment, logs: &[Log], verbosity: Verbosity) {
    for entry in logs.iter().filter(|entry| verbosity.shows(entry.level)) {
        let message = match (&entry.source, entry.span) {
            (Some(scope), _) => format!("{scope}: {}", entry.message),
            (None, Some(span)) => with_place(&entry.message, Location::Span(span), environment.source(span.file)),
            (None, None) => entry.message.to_string(),
        };
        log(word(entry.level), &message);
    }
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

/// Shows why there is no catalog: with an excerpt on a terminal, in Puppet's one line elsewhere.
pub(crate) fn show_failure(environment: &Environment, failure: &Failure, node: &str, format: Option<Format>) {
    let default = if stderr().is_terminal() { Format::Human } else { Format::Plain };
    let is_human = format.unwrap_or(default) == Format::Human;
    let diagnostics = &failure.diagnostics;
    for diagnostic in diagnostics {
        if is_human {
            anstream::eprint!("{}", human::render(diagnostic, |file| environment.source(file)));
            continue;
        }
        let source = diagnostic.file().and_then(|file| environment.source(file));
        let message = with_place(diagnostic.issue.message(), diagnostic.location, source);
        let prefix = match failure.is_parse_failure && diagnostics.len() == 1 {
            true => format!("Could not parse for environment {}: ", environment.name),
            false => String::new(),
        };
        let node = if diagnostics.len() == 1 { format!(" on node {node}") } else { String::new() };
        log("Error", &format!("{prefix}{message}{node}"));
        // Notes about code are shown with the code.
        for note in diagnostic.notes.iter().filter(|note| note.span.is_none()) {
            anstream::eprintln!("  note: {}", note.message);
        }
    }
    if diagnostics.len() > 1 && !is_human {
        log("Error", &format!("{} on node {node}", giving_up(diagnostics.len(), 0)));
    }
}
