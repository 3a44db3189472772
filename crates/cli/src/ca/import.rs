//! `bunraku ca import`: an authority that was made elsewhere signs here.

use std::process::ExitCode;

use bunraku::Disk;
use bunraku_server::ca::Import;
use clap::Args;

use super::{Host, opened};
use crate::output::print;
use crate::server::configuration;
use crate::settings::SettingFlags;

/// Take over an authority that was made elsewhere, which has issued nothing yet.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    bunraku ca import --cert-bundle ca.pem --private-key ca_key.pem --crl-chain crls.pem --certname puppet.example.com")]
pub(super) struct ImportCommand {
    /// The file with the private key of the authority
    #[arg(long = "private-key", value_name = "FILE")]
    private_key: String,
    /// The file with the certificate of the authority, followed by those above it
    #[arg(long = "cert-bundle", value_name = "FILE")]
    cert_bundle: String,
    /// The file with the revocation list of each of them
    #[arg(long = "crl-chain", value_name = "FILE")]
    crl_chain: String,
    #[command(flatten)]
    host: Host,
    #[command(flatten)]
    settings: SettingFlags,
}

impl ImportCommand {
    pub(super) fn run(&self) -> Result<ExitCode, String> {
        let read =
            |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {}", bunraku::reason(&error)));
        let (bundle, key, lists) = (read(&self.cert_bundle)?, read(&self.private_key)?, read(&self.crl_chain)?);
        let configuration = configuration(&self.settings)?;
        let settings = self.host.applied(configuration.settings);
        Import { settings: &settings, world: &Disk, bundle: &bundle, key: &key, lists: &lists }.run()?;
        let (_, authority) = opened(&self.settings)?;
        authority.equip_server(&settings)?;
        print(format_args!(
            "Import succeeded. Find your files in {}\n",
            settings.text("cadir").map_err(|issue| issue.to_string())?
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
