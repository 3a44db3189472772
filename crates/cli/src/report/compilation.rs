//! What a compilation said and why it failed, on standard error.

use std::io::{IsTerminal, stderr};

use bunraku::{Environment, Failure, Level, Log, Settings, missing_fact, render};
use clap::ValueEnum;

use super::{log, word};
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
        log(word(entry.level), &entry.located(environment));
    }
}

/// The code of warnings that Puppet shows with `--debug` only.
const FOR_DEBUGGING: &str = "EMPTY_RESOURCE_SPECIALIZATION";

/// The least important level that is shown.
fn least_important(settings: &Settings) -> Level {
    let setting = settings.text("log_level").unwrap_or_default();
    Level::ALL.into_iter().find(|level| level.name() == setting).unwrap_or(Level::Notice)
}

/// Shows why there is no catalog of a node, or no text: with an excerpt on a terminal, in Puppet's one line elsewhere.
pub(crate) fn show_failure(environment: &Environment, failure: &Failure, node: Option<&str>) {
    if stderr().is_terminal() {
        for diagnostic in &failure.diagnostics {
            let diagnostic = match missing_fact(diagnostic, environment) {
                Some(hint) => &diagnostic.clone().with_help(hint),
                None => diagnostic,
            };
            tell(render::human(diagnostic, environment, true));
        }
        return;
    }
    let on_node = node.map(|node| format!(" on node {node}")).unwrap_or_default();
    let last = failure.messages().len().saturating_sub(1);
    for (index, message) in failure.messages().iter().enumerate() {
        log("Error", &format!("{message}{}", if index == last { &on_node } else { "" }));
        // Notes about code are shown with the code.
        let notes = failure.diagnostics.get(index).into_iter().flat_map(|diagnostic| &diagnostic.notes);
        for note in notes.filter(|note| note.at.is_none()) {
            tell(format_args!("  note: {}\n", note.message));
        }
        if let Some(hint) = failure.diagnostics.get(index).and_then(|it| missing_fact(it, environment)) {
            tell(format_args!("  note: {hint}\n"));
        }
    }
}
