//! `bunraku version`: which release this is, and which releases of the language it is compatible with.
//!
//! `--version` is what tools ask that want to know which Puppet they deal with, so it tells the compatible release alone.

use std::process::ExitCode;

use bunraku::Target;
use clap::Args;

use crate::output::print;
use crate::report::log;

/// Tell the version of Bunraku and the releases it is compatible with.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku version")]
pub(crate) struct Version {}

impl Version {
    /// Runs the command.
    pub(crate) fn run(&self) -> ExitCode {
        let mut text = format!("bunraku {}\n", env!("CARGO_PKG_VERSION"));
        for name in Target::NAMES {
            let mark = if Target::parse(name) == Ok(Target::default()) { " (default)" } else { "" };
            let version = Target::parse(name).map(Target::version).unwrap_or_default();
            text.push_str(&format!("--target {name}: {version}{mark}\n"));
        }
        show(text)
    }
}

/// What `--version` tells.
pub(crate) fn compatible() -> ExitCode {
    show(format!("{}\n", Target::default().version()))
}

fn show(text: String) -> ExitCode {
    match print(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            log("Error", &message);
            ExitCode::FAILURE
        }
    }
}
