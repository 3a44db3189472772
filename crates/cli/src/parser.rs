//! `parser`: looks at manifests without evaluating them.

use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use crate::check::{Check, Language, Output};
use crate::dump::{Dump, Header};
use crate::report;

/// Interact directly with the parser
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku parser validate manifests/ modules/\n  \
    bunraku parser dump -e '$x = 1 + 2'")]
pub(crate) struct ParserCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Validate the syntax of manifests
    #[command(after_help = "Examples:\n  \
        bunraku parser validate manifests/ modules/\n  \
        bunraku parser validate --format sarif site.pp > report.sarif\n  \
        git show :manifests/init.pp | bunraku parser validate")]
    Validate {
        #[command(flatten)]
        check: Box<Check>,
        /// The form of the result: console, or Puppet's JSON
        #[arg(long = "render-as", value_name = "FORMAT", conflicts_with = "format")]
        render_as: Option<RenderAs>,
    },
    /// Print the syntax tree of manifests
    #[command(after_help = "Examples:\n  \
        bunraku parser dump --format pn --pretty manifests/init.pp\n  \
        bunraku parser dump -e '$x = 1 + 2'")]
    Dump {
        #[command(flatten)]
        dump: Box<Dump>,
        /// Validates too; otherwise only syntax errors are reported
        #[arg(long, overrides_with = "no_validate")]
        validate: bool,
        #[arg(long, hide = true)]
        no_validate: bool,
    },
}

/// The forms of a result that Puppet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RenderAs {
    /// Messages on standard error
    Console,
    /// An object with the error of each file
    Json,
}

impl ParserCommand {
    pub(crate) fn run(&self) -> ExitCode {
        match &self.action {
            Action::Validate { check, render_as } => {
                let output = if *render_as == Some(RenderAs::Json) { Output::Json } else { Output::All };
                let is_valid = check.run(Language::Manifest, output);
                is_valid.map_or_else(|issue| report::refuse("parser validate", issue.message()), report::exit_code)
            }
            Action::Dump { dump, validate, no_validate } => {
                dump.run(Language::Manifest, *validate && !no_validate, Header::Always)
            }
        }
    }
}
