//! `bunraku help`: what there is, in the layout of `puppet help`; with a subcommand, its own help.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Command;

use crate::output::{print, tell};
use crate::report::log;
use crate::usage::{self, ELSEWHERE};

/// Subcommands that everybody of Puppet knows, in its order.
const COMMON: [&str; 7] = ["agent", "apply", "config", "help", "lookup", "module", "resource"];

/// Further ones that Puppet has.
const SPECIALIZED: [&str; 11] =
    ["catalog", "describe", "doc", "epp", "facts", "filebucket", "generate", "node", "parser", "server", "ssl"];

/// Shows what `help` and the words after it ask for; nothing if that is the help of a subcommand, or no help at all.
pub(crate) fn show(program: &Command, arguments: &[String]) -> Option<ExitCode> {
    let (first, words) = arguments.split_first().filter(|(first, _)| *first == "help")?;
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    match words.as_slice() {
        [] => Some(shown(print(overview(program)))),
        [name, ..] if *name == first => Some(shown(print(overview(program)))),
        [name, rest @ ..] => {
            let Some(command) = program.find_subcommand(name) else { return Some(unknown(name)) };
            let action = rest.first().filter(|action| command.find_subcommand(action).is_none())?;
            Some(unknown_action(name, action))
        }
    }
}

fn shown(printed: Result<(), String>) -> ExitCode {
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            log("Error", &message);
            ExitCode::FAILURE
        }
    }
}

/// A subcommand that only Puppet has, or nobody.
fn unknown(name: &str) -> ExitCode {
    match usage::elsewhere(name) {
        Some(advice) => {
            log("Error", &advice);
            ExitCode::FAILURE
        }
        None => no_help(name, &format!("Could not find Puppet Face {name}")),
    }
}

fn unknown_action(name: &str, action: &str) -> ExitCode {
    match usage::action_elsewhere(name, action) {
        Some(advice) => {
            log("Error", &advice);
            ExitCode::FAILURE
        }
        None => no_help(name, &format!("Unable to load action {action} from {name}")),
    }
}

fn no_help(name: &str, detail: &str) -> ExitCode {
    log("Error", &format!("Could not load help for the face {name}."));
    tell(format_args!("Please check the error logs for more information.\n\nDetail: \"{detail}\"\n"));
    ExitCode::FAILURE
}

/// All subcommands with what each is for.
fn overview(program: &Command) -> String {
    let name = program.get_name();
    let mut text =
        format!("\nUsage: {name} <subcommand> [options] <action> [options]\n\nAvailable subcommands:\n\n  Common:\n");
    let mut own: Vec<&str> = program.get_subcommands().filter(|it| !it.is_hide_set()).map(Command::get_name).collect();
    own.retain(|name| !COMMON.contains(name) && !SPECIALIZED.contains(name));
    let add = |text: &mut String, names: &[&str]| {
        for name in names {
            if let Some(about) = program.find_subcommand(name).and_then(Command::get_about) {
                line(text, name, &about.to_string());
            }
        }
    };
    add(&mut text, &COMMON);
    text.push_str("\n  Specialized:\n");
    add(&mut text, &SPECIALIZED);
    text.push_str("\n  Beyond Puppet:\n");
    add(&mut text, &own);
    text.push_str("\n  Puppet's, done otherwise here:\n");
    for (name, advice) in ELSEWHERE.iter().filter(|(name, _)| program.find_subcommand(name).is_none()) {
        line(&mut text, name, advice);
    }
    _ = write!(
        text,
        "\nSee '{name} help <subcommand> <action>' for help on a specific subcommand action.\n\
         See '{name} help <subcommand>' for help on a specific subcommand.\nBunraku v{}\n",
        env!("CARGO_PKG_VERSION")
    );
    text
}

fn line(text: &mut String, name: &str, about: &str) {
    let summary = about.lines().next().unwrap_or_default();
    _ = writeln!(text, "    {name:<16}  {summary}");
}
