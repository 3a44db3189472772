//! What compilations said and why they failed: on standard error for people, as one report for programs.

use std::sync::{Mutex, PoisonError};

use bunraku::render::Finding;
use bunraku::{Diagnostic, Environment, Failure, Issue, Level, Log, Settings, Severity, missing_fact, render};
use clap::{Args, ValueEnum};

use super::{Format, log, machine_readable, word};
use crate::output::{on_terminal, print, tell};

/// How commands that evaluate code tell what is wrong.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ErrorFormat {
    /// How to show what is wrong [default: human on a terminal, else plain]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Messages")]
    pub(crate) format: Option<Format>,
}

/// Tells what is wrong, in the form that was asked for. What programs read comes at the end, once.
pub(crate) struct Reporter<'e> {
    format: Format,
    /// Whether messages are about several nodes, so that each says which one it means.
    is_of_many: bool,
    found: Mutex<Vec<(&'e Environment, Diagnostic)>>,
}

impl<'e> Reporter<'e> {
    /// A reporter in a form, or in the one that suits where messages go.
    pub(crate) fn new(format: Option<Format>) -> Self {
        let default = if on_terminal() { Format::Human } else { Format::Plain };
        Reporter { format: format.unwrap_or(default), is_of_many: false, found: Mutex::default() }
    }

    /// The same for so many nodes.
    pub(crate) fn for_many(self, count: usize) -> Self {
        Reporter { is_of_many: count > 1, ..self }
    }

    /// Whether it is other programs that read what is wrong.
    pub(crate) fn is_for_programs(&self) -> bool {
        !matches!(self.format, Format::Human | Format::Plain)
    }

    /// Whether what is wrong is shown with the code.
    pub(crate) fn is_for_people(&self) -> bool {
        self.format == Format::Human
    }

    /// Tells what a compilation said; of that, warnings are for programs, too.
    pub(crate) fn logs(&self, environment: &'e Environment, logs: &[Log]) {
        if self.is_for_programs() {
            logs.iter().filter_map(warning).for_each(|warning| self.keep(environment, warning));
        } else {
            show_logs(environment, logs);
        }
    }

    /// Tells why there is no catalog of a node, or no text.
    pub(crate) fn failure(&self, environment: &'e Environment, failure: &Failure, node: Option<&str>) {
        if self.format == Format::Plain {
            return show_plainly(environment, failure, node);
        }
        let node = node.filter(|_| self.is_of_many && self.is_for_people());
        for diagnostic in &failure.diagnostics {
            match node {
                // What several nodes fail for is shown once; the others are named.
                Some(node) if self.is_known(environment, diagnostic) => {
                    log("Error", &format!("the same on node {node}: {}", diagnostic.issue.message()));
                }
                Some(node) => {
                    self.keep(environment, diagnostic.clone());
                    self.diagnostic(environment, &diagnostic.clone().with_remark(format!("on node {node}")));
                }
                None => self.diagnostic(environment, diagnostic),
            }
        }
    }

    /// Tells one thing that is wrong, but not in Puppet's plain form, in which more belongs to it.
    pub(crate) fn diagnostic(&self, environment: &'e Environment, diagnostic: &Diagnostic) {
        let diagnostic = match missing_fact(diagnostic, environment) {
            Some(hint) => diagnostic.clone().with_help(hint),
            None => diagnostic.clone(),
        };
        match self.is_for_programs() {
            true => self.keep(environment, diagnostic),
            false => tell(render::human(&diagnostic, environment, true)),
        }
    }

    /// Several nodes fail for the same reason: that is one thing to mend.
    fn keep(&self, environment: &'e Environment, diagnostic: Diagnostic) {
        if !self.is_known(environment, &diagnostic) {
            self.found.lock().unwrap_or_else(PoisonError::into_inner).push((environment, diagnostic));
        }
    }

    fn is_known(&self, environment: &'e Environment, diagnostic: &Diagnostic) -> bool {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().any(|(other, known)| std::ptr::eq(*other, environment) && known == diagnostic)
    }

    /// Writes the report for programs, if it is one for them.
    pub(crate) fn finish(self) -> Result<(), String> {
        if !self.is_for_programs() {
            return Ok(());
        }
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let findings: Vec<Finding<'_>> =
            found.iter().map(|(sources, diagnostic)| Finding { diagnostic, sources: *sources }).collect();
        print(machine_readable(self.format, &findings))
    }
}

/// A warning as something that is wrong with the code.
fn warning(log: &Log) -> Option<Diagnostic> {
    if log.level < Level::Warning || log.issue == Some(FOR_DEBUGGING) {
        return None;
    }
    let issue = Issue::new(log.issue.unwrap_or_default(), log.message.clone());
    let severity = if log.level == Level::Warning { Severity::Warning } else { Severity::Error };
    Some(log.span.map_or_else(|| issue.clone().nowhere(), |span| issue.clone().at(span)).with_severity(severity))
}

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
    Reporter::new(None).failure(environment, failure, node);
}

/// Puppet's line for each error.
fn show_plainly(environment: &Environment, failure: &Failure, node: Option<&str>) {
    let on_node = node.map(|node| format!(" on node {node}")).unwrap_or_default();
    let last = failure.messages().len().saturating_sub(1);
    for (index, message) in failure.messages().iter().enumerate() {
        log("Error", &format!("{message}{}", if index == last { &on_node } else { "" }));
        // Notes about code are shown with the code.
        let notes = failure.diagnostics.get(index).into_iter().flat_map(|diagnostic| &diagnostic.notes);
        for note in notes.filter(|note| note.is_remark()) {
            tell(format_args!("  note: {}\n", note.message));
        }
        if let Some(hint) = failure.diagnostics.get(index).and_then(|it| missing_fact(it, environment)) {
            tell(format_args!("  note: {hint}\n"));
        }
    }
}
