//! `epp`: validates, dumps and renders templates.

mod render;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::check::{Check, Language, Output};
use crate::dump::{Dump, Header};
use crate::report;

/// Interact directly with the EPP template parser
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku epp validate templates/\n  \
    bunraku epp render -e 'Hello <%= $name %>' --values '{ name => you }'")]
pub(crate) struct EppCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Validate the syntax of templates
    #[command(after_help = "Examples:\n  \
        bunraku epp validate templates/ --continue_on_error\n  \
        bunraku epp validate profile/motd.epp --modulepath modules")]
    Validate {
        #[command(flatten)]
        check: Box<Check>,
        /// Goes on after the first template with errors
        #[arg(long = "continue_on_error")]
        continue_on_error: bool,
        #[arg(long = "no-continue_on_error", hide = true, overrides_with = "continue_on_error")]
        no_continue_on_error: bool,
    },
    Render(Box<render::Render>),
    /// Print the syntax tree of templates
    #[command(after_help = "Examples:\n  \
        bunraku epp dump --format pn templates/motd.epp\n  \
        bunraku epp dump -e 'Hello <%= $name %>'")]
    Dump {
        #[command(flatten)]
        dump: Box<Dump>,
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
            Action::Validate { check, continue_on_error, .. } => {
                let output = if *continue_on_error { Output::All } else { Output::UntilError };
                match check.run(Language::Template, output) {
                    Ok(true) => ExitCode::SUCCESS,
                    Ok(false) => report::refuse("epp validate", "Errors while validating epp"),
                    Err(issue) => report::refuse("epp validate", issue.message()),
                }
            }
            Action::Render(render) => render.run(),
            Action::Dump { dump, no_validate, no_header, .. } => {
                let header = if *no_header { Header::Never } else { Header::ForSeveral };
                dump.run(Language::Template, !no_validate, header)
            }
        }
    }
}
