//! What is wrong with the arguments, in Puppet's words where it has some, and with its exit code.

use std::process::ExitCode;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::output::{print_styled, tell};
use crate::report::log;
use crate::version;

/// Subcommands that only Puppet has, and what does their work.
const ELSEWHERE: [(&str, &str); 6] = [
    ("agent", "run `bunraku apply`, or an agent of Puppet or OpenVox with `bunraku server`"),
    ("device", "devices are managed by Puppet's own `puppet device`"),
    ("plugin", "modules are read where they are; an agent gets them from `bunraku server`"),
    ("report", "reports are written by `bunraku apply` and kept by `bunraku server`"),
    ("script", "plans are run by Bolt; `bunraku apply` and `bunraku eval` run code"),
    ("strings", "functions are documented by `bunraku function`, resource types by `bunraku describe`"),
];

/// Actions that only Puppet has.
const ACTIONS_ELSEWHERE: [(&str, &str, &str); 4] = [
    ("catalog", "apply", "use `bunraku apply --catalog FILE`"),
    ("catalog", "download", "catalogs are compiled here: use `bunraku catalog compile`"),
    ("catalog", "save", "redirect what `bunraku catalog compile` prints"),
    ("node", "clean", "use `bunraku ca clean`, and remove what is kept of the node below vardir"),
];

/// Subcommands that need an action.
const FACES: [&str; 7] = ["catalog", "config", "epp", "generate", "module", "node", "parser"];

/// Shows help, the version, or what is wrong with the arguments of a command.
pub(crate) fn show(error: &Error, command: Option<&str>) -> ExitCode {
    let given = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let rendered = error.render().to_string();
    let (message, details) = rendered.strip_prefix("error: ").unwrap_or(&rendered).split_once('\n').unwrap_or_default();
    match error.kind() {
        ErrorKind::DisplayVersion => return version::compatible(),
        ErrorKind::DisplayHelp => {
            return match print_styled(error.render().ansi()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(message) => {
                    log("Error", &message);
                    ExitCode::FAILURE
                }
            };
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            if let Some(command) = command.filter(|command| FACES.contains(command)) {
                log("Error", &format!("'{command}' has no default action.  See `puppet help {command}`."));
            }
            let _ = error.print();
            return ExitCode::FAILURE;
        }
        ErrorKind::InvalidSubcommand => {
            let name = given(ContextKind::InvalidSubcommand);
            log(
                "Error",
                &match command {
                    Some(command) => match ACTIONS_ELSEWHERE.iter().find(|it| (it.0, it.1) == (command, name)) {
                        Some((.., advice)) => format!("Bunraku has no action '{command} {name}': {advice}"),
                        None => format!("'{command}' has no '{name}' action.  See `puppet help {command}`."),
                    },
                    None => match ELSEWHERE.iter().find(|it| it.0 == name) {
                        Some((_, advice)) => format!("Bunraku has no subcommand '{name}': {advice}"),
                        None => format!("Unknown Puppet subcommand '{name}'"),
                    },
                },
            );
        }
        ErrorKind::UnknownArgument => {
            let flag = given(ContextKind::InvalidArg);
            log("Error", &format!("Could not parse application options: invalid option: {flag}"));
        }
        _ => log("Error", &format!("Could not parse application options: {message}")),
    }
    // Whoever asks for what there is in Puppet, or a face for what it does not have, has been told where to go.
    let is_answered = error.kind() == ErrorKind::InvalidSubcommand
        && command.map_or_else(
            || ELSEWHERE.iter().any(|it| it.0 == given(ContextKind::InvalidSubcommand)),
            |command| FACES.contains(&command),
        );
    if !is_answered {
        tell(details);
    }
    ExitCode::FAILURE
}
