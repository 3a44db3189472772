//! The arguments of the process as Puppet's users write them: every setting is a flag, and `-` and `_` in the names of
//! flags mean the same.

use std::ffi::OsString;

use bunraku::Settings;
use clap::Command;

/// Writes the arguments as the commands declare them: their own flags in the spelling they have, any other setting as
/// `--set=NAME=VALUE`.
pub(crate) fn normalized(arguments: Vec<OsString>, program: &Command) -> Result<Vec<OsString>, String> {
    let (command, mut normalized, rest) = addressed(arguments, program);
    let mut rest = rest.into_iter();
    while let Some(argument) = rest.next() {
        match argument.to_str().and_then(|text| text.strip_prefix("--")) {
            None => normalized.push(argument),
            Some("") => {
                normalized.push(argument);
                normalized.extend(rest.by_ref());
            }
            Some(flag) => {
                let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
                normalized.push(match (Meaning::of(name, command), value) {
                    (Meaning::Flag(spelling, _), Some(value)) => format!("--{spelling}={value}").into(),
                    // What follows is the value, whatever it looks like: `--knock-out-prefix --`.
                    (Meaning::Flag(spelling, true), None) => {
                        let mut flag = OsString::from(format!("--{spelling}"));
                        if let Some(value) = rest.next() {
                            flag.push("=");
                            flag.push(value);
                        }
                        flag
                    }
                    (Meaning::Flag(spelling, false), None) => format!("--{spelling}").into(),
                    (Meaning::Switch(..), Some(_)) => return Err(format!("needless argument: --{flag}")),
                    (Meaning::Switch(setting, is_on), None) => format!("--set={setting}={is_on}").into(),
                    (Meaning::Setting(setting), value) => {
                        let value = value.map(OsString::from).or_else(|| rest.next());
                        let mut flag = OsString::from(format!("--set={setting}="));
                        flag.push(value.ok_or_else(|| format!("missing argument: --{name}"))?);
                        flag
                    }
                    (Meaning::Unknown, _) => argument,
                });
            }
        }
    }
    Ok(normalized)
}

/// The command that is asked for, the words that name it, and the other arguments. Flags may stand before an action.
fn addressed(arguments: Vec<OsString>, program: &Command) -> (&Command, Vec<OsString>, Vec<OsString>) {
    let (mut command, mut names, mut rest) = (program, Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    names.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        match command.find_subcommand(text) {
            Some(found) => {
                command = found;
                names.push(argument);
            }
            None if text.starts_with('-') => {
                let has_value = is_followed_by_value(text, command);
                rest.push(argument);
                rest.extend(has_value.then(|| arguments.next()).flatten());
            }
            None => {
                rest.push(argument);
                break;
            }
        }
    }
    rest.extend(arguments);
    (command, names, rest)
}

/// Whether a flag that stands before the action has its value in the next argument, as in `config --section agent print`.
fn is_followed_by_value(flag: &str, command: &Command) -> bool {
    let Some(name) = flag.strip_prefix("--").filter(|name| !name.contains('=')) else { return false };
    let has_value =
        |action: &Command| matches!(Meaning::of(name, action), Meaning::Flag(_, true) | Meaning::Setting(_));
    command.get_subcommands().any(has_value)
}

/// What `--name` means to a command.
enum Meaning<'a> {
    /// One of its own flags: how it is spelt, and whether it has one value.
    Flag(&'a str, bool),
    /// A boolean setting that is turned on or off.
    Switch(String, bool),
    /// A setting with a value.
    Setting(String),
    /// Nothing that the command knows.
    Unknown,
}

impl<'a> Meaning<'a> {
    fn of(name: &str, command: &'a Command) -> Meaning<'a> {
        let name = name.replace('-', "_");
        for flag in command.get_arguments() {
            let spellings = flag.get_long().into_iter().chain(flag.get_all_aliases().into_iter().flatten());
            if let Some(spelling) = spellings.into_iter().find(|spelling| spelling.replace('-', "_") == name) {
                let has_one_value = flag.get_num_args().is_some_and(|count| count.min_values() == 1);
                return Meaning::Flag(spelling, has_one_value);
            }
        }
        if !command.get_arguments().any(|flag| flag.get_long() == Some("set")) {
            return Meaning::Unknown;
        }
        match (Settings::is_switch(&name), name.strip_prefix("no_")) {
            (Some(true), _) => Meaning::Switch(name, true),
            (Some(false), _) => Meaning::Setting(name),
            (None, Some(name)) if Settings::is_switch(name) == Some(true) => Meaning::Switch(name.to_owned(), false),
            (None, _) => Meaning::Unknown,
        }
    }
}
