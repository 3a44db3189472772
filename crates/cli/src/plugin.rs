//! `bunraku plugin`: what modules of the server have for agents.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::output::print;
use crate::remote::Remote;
use crate::report::refuse;
use crate::setup::Setup;

/// Bring the facts, types and functions of the server's modules to this machine.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku plugin download --server puppet.example.com")]
pub(crate) struct PluginCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Download(Box<Download>),
}

/// Bring what has changed on the server, as every run of the agent does first.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku plugin download --environment staging")]
struct Download {
    #[command(flatten)]
    setup: Setup,
}

impl PluginCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let Action::Download(download) = self.action;
        let brought = Remote::connect(&download.setup).and_then(|mut remote| remote.bring_plugins());
        let told = brought.and_then(|files| match files.as_slice() {
            [] => print("No plugins downloaded.\n"),
            files => print(format_args!("Downloaded these plugins: {}\n", files.join(", "))),
        });
        match told {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => refuse("plugin download", &message),
        }
    }
}
