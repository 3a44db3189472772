//! `bunraku schema`: what the JSON of commands looks like, as JSON Schemas for programs that read it.

use std::process::ExitCode;

use bunraku::syntax::nearest;
use clap::Args;

use crate::output::print;
use crate::report::log;

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        /// Names and schemas, in the order of the alphabet.
        const SCHEMAS: &[(&str, &str)] = &[$(($name, include_str!(concat!("schema/", $name, ".json")))),*];
    };
}

schemas![
    "catalog",
    "catalog-diff",
    "certificates",
    "compat-report",
    "diagnostics",
    "explanation",
    "lint",
    "lint-baseline",
    "lookup-diff",
    "parameters",
    "plan",
    "server-log",
    "syntax-tree",
];

/// Print the JSON Schema of what a command writes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku schema\n  \
    bunraku schema catalog > catalog.schema.json")]
pub(crate) struct Schema {
    /// The name of a schema; all are listed if there is none
    name: Option<String>,
}

impl Schema {
    /// Runs the command: 1 if there is no such schema.
    pub(crate) fn run(self) -> ExitCode {
        let printed = match self.name {
            None => SCHEMAS.iter().try_for_each(|(name, schema)| print(format_args!("{name}: {}\n", title(schema)))),
            Some(wanted) => match SCHEMAS.iter().find(|(name, _)| *name == wanted) {
                Some((_, schema)) => print(schema),
                None => {
                    let meant = nearest(&wanted, SCHEMAS.iter().map(|(name, _)| *name));
                    let meant = meant.map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
                    Err(format!("There is no schema {wanted}{meant}"))
                }
            },
        };
        printed.map_or_else(
            |message| {
                log("Error", &message);
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        )
    }
}

/// What a schema is of.
fn title(schema: &str) -> String {
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap_or_default();
    schema.get("title").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}
