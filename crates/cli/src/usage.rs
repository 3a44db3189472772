//! What is wrong with the arguments, in Puppet's words where it has some, and with its exit code.

use std::process::ExitCode;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::output::{print_styled, tell};
use crate::report::log;

/// Subcommands that only Puppet has.
const ELSEWHERE: [&str; 15] = [
    "agent",
    "config",
    "describe",
    "device",
    "doc",
    "filebucket",
    "generate",
    "module",
    "node",
    "plugin",
    "report",
    "resource",
    "script",
    "ssl",
    "strings",
];

/// Shows help, the version, or what is wrong with the arguments of a command.
pub(crate) fn show(error: &Error, command: Option<&str>) -> ExitCode {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let rendered = error.render().to_string();
    let (message, details) = rendered.strip_prefix("error: ").unwrap_or(&rendered).split_once('\n').unwrap_or_default();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return match print_styled(error.render().ansi()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => {
                    log("Error", &message);
                    ExitCode::FAILURE
                }
            };
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            return ExitCode::FAILURE;
        }
        ErrorKind::InvalidSubcommand => {
            let name = given(ContextKind::InvalidSubcommand);
            log(
                "Error",
                &match command {
                    Some(command) => format!("'{command}' has no '{name}' action.  See `puppet help {command}`."),
                    None if ELSEWHERE.contains(&name) => {
                        format!("Bunraku has no subcommand '{name}'; what it compiles, Puppet's agent applies")
                    }
                    None => format!("Unknown Puppet subcommand '{name}'"),
                },
            );
        }
        ErrorKind::UnknownArgument => {
            let flag = given(ContextKind::InvalidArg);
            log("Error", &format!("Could not parse application options: invalid option: {flag}"));
        }
        _ => log("Error", &format!("Could not parse application options: {message}")),
    }
    tell(details);
    ExitCode::FAILURE
}
