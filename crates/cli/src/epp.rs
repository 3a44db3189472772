//! `epp`: validates, dumps and renders templates.

mod render;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::check::{Check, Language};
use crate::dump::{Dump, Header};
use crate::report;

/// Interact directly with the EPP template parser
#[derive(Debug, Args)]
pub(crate) struct EppCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Validate the syntax of templates
    Validate {
        #[command(flatten)]
        check: Check,
        /// Goes on after the first template with errors
        #[arg(long = "continue_on_error", alias = "continue-on-error")]
        continue_on_error: bool,
    },
    Render(Box<render::Render>),
    /// Print the syntax tree of templates
    Dump {
        #[command(flatten)]
        dump: Dump,
        /// Reports syntax errors only
        #[arg(long)]
        no_validate: bool,
        #[arg(long, hide = true, overrides_with = "no_validate")]
        validate: bool,
        /// Does not show the names of files
        #[arg(long)]
        no_header: bool,
        #[arg(long, hide = true, overrides_with = "no_header")]
        header: bool,
    },
}

impl EppCommand {
    pub(crate) fn run(&self) -> ExitCode {
        match &self.action {
            Action::Validate { check, continue_on_error } => {
                let code = check.run(Language::Template, "", !continue_on_error);
                if code != ExitCode::SUCCESS {
                    report::log("Error", "Errors while validating epp");
                }
                code
            }
            Action::Render(render) => render.run(),
            Action::Dump { dump, no_validate, no_header, .. } => {
                let header = if *no_header { Header::Never } else { Header::ForSeveral };
                dump.run(Language::Template, !no_validate, header)
            }
        }
    }
}
