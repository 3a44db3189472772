//! `bunraku explain`: what the codes of errors, data types and checks of lint mean.

use std::process::ExitCode;

use bunraku::syntax::nearest;
use bunraku::{codes, data_types};
use bunraku_lint::{RULES, Rule};
use clap::Args;

use crate::output::print;
use crate::report::log;

/// Explain the code of an error or warning, a data type, or a check of lint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku explain ILLEGAL_REASSIGNMENT\n  \
    bunraku explain Struct\n  \
    bunraku explain arrow_alignment\n  \
    bunraku explain")]
pub(crate) struct Explain {
    /// A code, as messages on a terminal show it in brackets, a data type, or a check; all are listed if there is none
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

impl Explain {
    /// Runs the command: 1 if there is no such name.
    pub(crate) fn run(self) -> ExitCode {
        let Some(name) = self.name else { return written(list()) };
        if let Some(text) = page(&name) {
            return written(text);
        }
        let known = codes::all().chain(data_types::all()).map(|(known, _)| known);
        let known: Vec<&str> = known.chain(RULES.iter().map(|rule| rule.name)).collect();
        let near = |name: &str| nearest(name, known.iter().copied());
        let meant = near(&name).or_else(|| near(&name.to_uppercase()));
        let meant = meant.map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
        log("Error", &format!("There is no code, data type or check {name}{meant}"));
        ExitCode::FAILURE
    }
}

/// What there is to tell about a name.
fn page(name: &str) -> Option<String> {
    let code = name.to_uppercase();
    if let Some(page) = codes::page(&code) {
        return Some(format!("{code}\n\n{page}\n"));
    }
    if let Some((name, page)) = data_types::all().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(format!("{name}\n\n{page}\n"));
    }
    RULES.iter().find(|rule| rule.name == name).map(|rule| of_check(rule))
}

fn of_check(rule: &Rule) -> String {
    let name = rule.name;
    let state = if rule.is_on { "It is on" } else { "It is off" };
    let other = if rule.is_on { format!("--no-{name}-check") } else { format!("--{name}-check") };
    let more = rule.help_uri().map(|uri| format!("\nSee <{uri}>.\n")).unwrap_or_default();
    format!(
        "{name}\n\n{}\n\nA check of `bunraku lint`: problems are of the kind {}. {state} by default; `{other}` changes that.\n{more}",
        rule.description, rule.kind
    )
}

/// All names with their first sentences: codes, data types and checks, with an empty line between.
fn list() -> String {
    let lines = |all: Vec<(&str, &str)>| -> String {
        all.iter().map(|(name, page)| format!("{name}: {}\n", summary(page))).collect()
    };
    let checks = RULES.iter().map(|rule| (rule.name, rule.description));
    [lines(codes::all().collect()), lines(data_types::all().collect()), lines(checks.collect())].join("\n")
}

/// The first sentence of a page, in one line.
fn summary(page: &str) -> String {
    let paragraph = page.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let sentence = paragraph.split_once(". ").map_or(paragraph.as_str(), |(first, _)| first);
    sentence.trim_end_matches('.').to_owned()
}

fn written(text: String) -> ExitCode {
    print(text).map_or_else(
        |message| {
            log("Error", &message);
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}
