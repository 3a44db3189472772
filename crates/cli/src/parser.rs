//! `parser`: looks at manifests without evaluating them.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::check::{Check, Language};
use crate::dump::{Dump, Header};

/// Interact directly with the parser
#[derive(Debug, Args)]
pub(crate) struct ParserCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Validate the syntax of manifests
    Validate(Check),
    /// Print the syntax tree of manifests
    Dump {
        #[command(flatten)]
        dump: Dump,
        /// Validates too; otherwise only syntax errors are reported
        #[arg(long, overrides_with = "no_validate")]
        validate: bool,
        #[arg(long, hide = true)]
        no_validate: bool,
    },
}

impl ParserCommand {
    pub(crate) fn run(&self) -> ExitCode {
        match &self.action {
            Action::Validate(check) => {
                check.run(Language::Manifest, "Could not parse for environment production: ", false)
            }
            Action::Dump { dump, validate, no_validate } => {
                dump.run(Language::Manifest, *validate && !no_validate, Header::Always)
            }
        }
    }
}
