//! `bunraku eval`: evaluates Puppet code and shows the value.

mod case;
mod catalog;
mod jsonl;
mod record;
mod repr;

use std::io::{BufReader, BufWriter, stdin, stdout};
use std::process::ExitCode;

pub(crate) use case::run as run_case;

/// Evaluate Puppet code.
#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    /// Read cases as JSON Lines from standard input and write a result for each.
    #[arg(long)]
    jsonl: bool,
}

impl Eval {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        match jsonl::run(BufReader::new(stdin()), BufWriter::new(stdout())) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        }
    }
}
