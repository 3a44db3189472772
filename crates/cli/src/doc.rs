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

/// The references, under the names that Puppet has for them.
const REFERENCES: [(&str, &str); 7] = [
    ("configuration", "A reference for all settings"),
    ("function", "All functions available in the parser"),
    ("indirection", "Indirection types and where they come from"),
    ("metaparameter", "All Puppet metaparameters and all their details"),
    ("providers", "Which providers resource types have"),
    ("report", "All available transaction reports"),
    ("type", "All Puppet resource types and all their details"),
];

/// What Puppet calls indirections, and where Bunraku has them from. There is one way for each, so nothing is chosen.
const INDIRECTIONS: [(&str, &str); 8] = [
    (
        "catalog",
        "Compiled from the environment for the facts of the node; `bunraku catalog compile`, or a server asks it.",
    ),
    ("facts", "Found out on the machine itself; a server keeps the facts that agents send, or asks PuppetDB for them."),
    ("file_bucket_file", "Files below `bucketdir` by their checksums; `bunraku filebucket`."),
    ("file_content", "Files of modules and of the mounts in `fileserver.conf`."),
    ("file_metadata", "The same files: kind, owner, mode and checksum."),
    ("node", "Classified by `external_nodes` if `node_terminus` is `exec`, else by node definitions alone."),
    ("report", "Handled by the processors of the setting `reports`."),
    ("resource", "Read from the machine; `bunraku resource`."),
];

/// The processors of reports.
const REPORTS: [(&str, &str); 2] = [
    ("log", "Writes the log lines of a report into the log of the server."),
    (
        "store",
        "Keeps each report as YAML below `reportdir`, in a directory for each node. Nothing is ever deleted there.",
    ),
];

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
            "indirection" => Ok(entries("Indirection Reference", &INDIRECTIONS)),
            "providers" => open().map(|environment| providers(&environment)),
            "report" => Ok(entries("Report Reference", &REPORTS)),
            "type" => open().map(|environment| types(&environment)),
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

/// A page of names with what there is to say about each.
fn entries(title: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!("# {title}\n");
    for (name, documentation) in entries {
        _ = write!(text, "\n## {name}\n\n{documentation}\n");
    }
    text
}

fn providers(environment: &Environment) -> String {
    let mut text = "# Provider Reference\n\nWhich one is used is found out when a resource is managed.\n".to_owned();
    for manual in type_names(Some(environment)).iter().filter_map(|name| type_manual(name, Some(environment))) {
        if !manual.providers.is_empty() {
            let names = manual.providers.iter().map(|name| format!("- {name}\n")).collect::<String>();
            _ = write!(text, "\n## {}\n\n{names}", manual.name);
        }
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
