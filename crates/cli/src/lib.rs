//! The command line: `alias puppet=bunraku` works, with one file for each subcommand.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The Puppet language, fast: reads your modules, manifests, Hiera data and templates unchanged.
#[derive(Debug, Parser)]
#[command(name = "bunraku", version, propagate_version = true, disable_help_subcommand = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands. Those that Puppet has take Puppet's flags and answer with its exit codes.
#[derive(Debug, Subcommand)]
enum Command {}

/// Runs the command that the arguments of the process ask for.
pub fn main() -> ExitCode {
    match Cli::parse().command {}
}
