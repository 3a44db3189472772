//! What is wrong with the arguments, in Puppet's words where it has some, and with its exit code.

use std::process::ExitCode;

use bunraku::Settings;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::output::{print_styled, tell};
use crate::report::log;
use crate::version;

/// Subcommands that only Puppet has, and what does their work.
pub(crate) const ELSEWHERE: [(&str, &str); 4] = [
    ("device", "devices are managed by Puppet's own `puppet device`"),
    ("report", "reports are written by `bunraku apply` and kept by `bunraku server`"),
    ("script", "plans are run by Bolt; `bunraku apply` and `bunraku eval` run code"),
    ("strings", "functions are documented by `bunraku function`, resource types by `bunraku describe`"),
];

/// Actions that only Puppet has.
const ACTIONS_ELSEWHERE: [(&str, &str, &str); 2] = [
    ("catalog", "apply", "use `bunraku apply --catalog FILE`"),
    ("catalog", "save", "redirect what `bunraku catalog compile` prints"),
];

/// Subcommands that say no more about a flag than Puppet does: those that scripts call.
const APPLICATIONS: [&str; 3] = ["agent", "apply", "resource"];

/// Subcommands that need an action.
const FACES: [&str; 8] = ["catalog", "config", "epp", "generate", "module", "node", "parser", "plugin"];

/// What does the work of a subcommand that only Puppet has.
pub(crate) fn elsewhere(name: &str) -> Option<String> {
    let (_, advice) = ELSEWHERE.iter().find(|it| it.0 == name)?;
    Some(format!("Bunraku has no subcommand '{name}': {advice}"))
}

/// The same for an action.
pub(crate) fn action_elsewhere(command: &str, name: &str) -> Option<String> {
    let (.., advice) = ACTIONS_ELSEWHERE.iter().find(|it| (it.0, it.1) == (command, name))?;
    Some(format!("Bunraku has no action '{command} {name}': {advice}"))
}

/// Shows help that was asked for.
fn help(error: &Error) -> ExitCode {
    match print_styled(error.render().ansi()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            log("Error", &message);
            ExitCode::FAILURE
        }
    }
}

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
        ErrorKind::DisplayHelp => return help(error),
        // Puppet takes this for a question what there is to ask.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if command == Some("describe") => return help(error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            if let Some(command) = command.filter(|command| FACES.contains(command)) {
                log("Error", &format!("'{command}' has no default action.  See `puppet help {command}`."));
            }
            let _ = error.print();
            return ExitCode::FAILURE;
        }
        ErrorKind::InvalidSubcommand => {
            let name = given(ContextKind::InvalidSubcommand);
            let problem = match command {
                Some(command) => action_elsewhere(command, name)
                    .unwrap_or_else(|| format!("'{command}' has no '{name}' action.  See `puppet help {command}`.")),
                None => elsewhere(name).unwrap_or_else(|| format!("Unknown Puppet subcommand '{name}'")),
            };
            log("Error", &problem);
        }
        ErrorKind::UnknownArgument => {
            let flag = given(ContextKind::InvalidArg);
            log("Error", &format!("Could not parse application options: invalid option: {flag}"));
            if command.is_some_and(|command| APPLICATIONS.contains(&command)) {
                // A switch that is turned off has a dash after `no`.
                if let Some(name) = flag.strip_prefix("--no").filter(|name| Settings::is_switch(name) == Some(true)) {
                    tell(format_args!("Did you mean?  no-{name}\n"));
                }
                return ExitCode::FAILURE;
            }
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
