//! What a compilation said and why it failed, on standard error.

use std::io::{IsTerminal, stderr};

use bunraku::{Environment, Failure, Level, Location, Log, Settings};
use bunraku_syntax::giving_up;
use clap::ValueEnum;

use super::{human, log, with_place};
use crate::output::tell;

/// Puppet's setting `color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Colours of terminals, wherever messages go
    #[value(alias = "true")]
    Ansi,
    /// No colours
    #[value(alias = "html")]
    False,
}

impl Color {
    /// From now on this is how messages are shown.
    pub(crate) fn choose(self) {
        match self {
            Color::Ansi => anstream::ColorChoice::AlwaysAnsi.write_global(),
            Color::False => anstream::ColorChoice::Never.write_global(),
        }
    }
}

/// Shows the messages of a compilation as Puppet's console does.
pub(crate) fn show_logs(environment: &Environment, logs: &[Log]) {
    let threshold = least_important(&environment.settings);
    let is_shown = |entry: &&Log| {
        let is_for_debugging = entry.issue == Some(FOR_DEBUGGING);
        entry.level >= threshold && (threshold == Level::Debug || !is_for_debugging)
    };
    for entry in logs.iter().filter(is_shown) {
        let message = match (&entry.source, entry.span) {
            (Some(scope), _) => format!("{scope}: {}", entry.message),
            (None, Some(span)) => with_place(&entry.message, Location::Span(span), environment.source(span.file)),
            (None, None) => entry.message.to_string(),
        };
        log(word(entry.level), &message);
    }
}

/// The code of warnings that Puppet shows with `--debug` only.
const FOR_DEBUGGING: &str = "EMPTY_RESOURCE_SPECIALIZATION";

/// The least important level that is shown.
fn least_important(settings: &Settings) -> Level {
    let setting = settings.text("log_level").unwrap_or_default();
    Level::ALL.into_iter().find(|level| level.name() == setting).unwrap_or(Level::Notice)
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

/// Shows why there is no catalog of a node, or no text: with an excerpt on a terminal, in Puppet's one line elsewhere.
pub(crate) fn show_failure(environment: &Environment, failure: &Failure, node: Option<&str>) {
    let is_human = stderr().is_terminal();
    let on_node = node.map(|node| format!(" on node {node}")).unwrap_or_default();
    let diagnostics = &failure.diagnostics;
    for diagnostic in diagnostics {
        if is_human {
            tell(human::render(diagnostic, |file| environment.source(file)));
            continue;
        }
        let source = diagnostic.file().and_then(|file| environment.source(file));
        let message = with_place(diagnostic.issue.message(), diagnostic.location, source);
        let prefix = match failure.is_parse_failure && diagnostics.len() == 1 {
            true => format!("Could not parse for environment {}: ", environment.name),
            false => String::new(),
        };
        let on_node = if diagnostics.len() == 1 { &on_node } else { "" };
        log("Error", &format!("{prefix}{message}{on_node}"));
        // Notes about code are shown with the code.
        for note in diagnostic.notes.iter().filter(|note| note.span.is_none()) {
            tell(format_args!("  note: {}\n", note.message));
        }
    }
    if diagnostics.len() > 1 && !is_human {
        log("Error", &format!("{}{on_node}", giving_up(diagnostics.len(), failure.warnings)));
    }
}
