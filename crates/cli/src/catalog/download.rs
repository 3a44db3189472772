//! `bunraku catalog download`: the catalog that the server has for this machine, kept for later.

use std::path::Path;
use std::process::ExitCode;

use bunraku::apply::Level;
use bunraku::{whole_file, wire};
use clap::Args;

use crate::remote::Remote;
use crate::setup::Setup;

/// Get the catalog of this machine from its server and keep it, without applying it.
///
/// `bunraku agent --use_cached_catalog` applies it later.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku catalog download --server puppet.example.com")]
pub(super) struct Download {
    #[command(flatten)]
    setup: Setup,
}

impl Download {
    /// Runs the command.
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let mut remote = Remote::connect(&self.setup)?;
        let text = remote.catalog().map_err(|reason| format!("Could not call 'find' on 'catalog': {reason}"))?;
        let catalog = wire::from_json(&text).map_err(|issue| issue.to_string())?;
        let name = remote.name.clone();
        if catalog.name != name.as_str() {
            return Err(format!("the server has sent the catalog of {}", catalog.name));
        }
        let directory = remote.settings.text("client_datadir").map_err(|issue| issue.to_string())?;
        let path = Path::new(&directory).join("catalog").join(format!("{name}.json"));
        whole_file::write_with_directory(&path, &text)
            .map_err(|error| format!("{}: {}", path.display(), bunraku::reason(&error)))?;
        remote.log.say(Level::Notice, format!("Saved catalog for {name} to {}", path.display()));
        Ok(ExitCode::SUCCESS)
    }
}
