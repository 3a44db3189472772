//! `bunraku doc`: references of settings, functions, metaparameters and resource types as Markdown.

use std::fmt::Write;
use std::process::ExitCode;

use bunraku::{Environment, METAPARAMETERS, RunMode, type_manual, type_names};
use clap::Args;

use crate::function;
use crate::output::print;
use crate::report::log;
use crate::settings::SettingFlags;

/// Write references as Markdown.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku doc --list\n  bunraku doc --reference function > functions.md")]
pub(crate) struct Doc {
    /// List the references there are
    #[arg(short, long)]
    list: bool,
    /// The reference to write; can be given several times
    #[arg(short, long, value_name = "NAME", default_value = "type")]
    reference: Vec<String>,
    #[command(flatten)]
    settings: Box<SettingFlags>,
}

/// The references of Puppet, and whether they are written here.
const REFERENCES: [(&str, &str); 4] = [
    ("configuration", "A reference for all settings"),
    ("function", "All functions available in the parser"),
    ("metaparameter", "All Puppet metaparameters and all their details"),
    ("type", "All Puppet resource types and all their details"),
];

/// References of Puppet's own insides, which are not the same here.
const ELSEWHERE: [&str; 3] = ["indirection", "providers", "report"];

impl Doc {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        match self.text().and_then(print) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &format!("Could not run: {message}"));
                ExitCode::FAILURE
            }
        }
    }

    fn text(&self) -> Result<String, String> {
        if self.list {
            return Ok(REFERENCES.iter().map(|(name, summary)| format!("{name} - {summary}\n")).collect());
        }
        let mut names: Vec<&str> = self.reference.iter().map(String::as_str).collect();
        names.sort_unstable();
        let open = || self.settings.environment(RunMode::User, Some("")).map_err(|issue| issue.message().to_owned());
        let page = |name: &str| match name {
            "configuration" => open().map(|environment| settings(&environment)),
            "function" => Ok(function::manual()),
            "metaparameter" => Ok(metaparameters()),
            "type" => open().map(|environment| types(&environment)),
            _ if ELSEWHERE.contains(&name) => {
                Err(format!("the reference {name} is about the insides of Puppet, which Bunraku does not have"))
            }
            _ => Err(format!("Could not find reference {name}")),
        };
        names.into_iter().map(page).collect()
    }
}

fn settings(environment: &Environment) -> String {
    let mut text = "# Configuration Reference\n".to_owned();
    let mut names: Vec<&str> = environment.settings.all().map(|(name, _)| name).collect();
    names.sort_unstable();
    for name in names {
        let value = environment.settings.text(name).unwrap_or_default();
        _ = write!(text, "\n### {name}\n\n- *Value here*: `{value}`\n");
    }
    text
}

fn metaparameters() -> String {
    let mut text = "# Metaparameter Reference\n\n## Available Metaparameters\n".to_owned();
    for (name, documentation) in METAPARAMETERS {
        _ = write!(text, "\n### {name}\n\n{documentation}\n");
    }
    text
}

fn types(environment: &Environment) -> String {
    let mut text = "# Resource Type Reference\n".to_owned();
    for manual in type_names(Some(environment)).iter().filter_map(|name| type_manual(name, Some(environment))) {
        _ = write!(text, "\n## {}\n\n{}\n\n### Attributes\n", manual.name, manual.documentation);
        for attribute in manual.attributes {
            let mark = if attribute.is_namevar { " (namevar)" } else { "" };
            _ = write!(text, "\n#### {}{mark}\n\n{}\n", attribute.name, attribute.documentation.trim());
        }
        if !manual.providers.is_empty() {
            _ = write!(text, "\n### Providers\n\n{}\n", manual.providers.join(", "));
        }
    }
    text
}
