//! `bunraku ca prune`, `reinventory` and `renew`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::{Names, exit_code, opened, refused, validity};
use crate::output::print;
use crate::report::log;
use crate::settings::SettingFlags;

/// Remove duplicates from the list of revoked certificates.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca prune --remove-expired")]
pub(super) struct PruneCommand {
    /// Remove certificates that have ended, too
    #[arg(long = "remove-expired")]
    remove_expired: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

impl PruneCommand {
    pub(super) fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let pruned = authority.prune(self.remove_expired).map_err(refused)?;
        print(format_args!("Total number of certificates found in Puppet's CRL is: {}.\n", pruned.total))?;
        match pruned.duplicates {
            0 => print("No duplicate revocations found in the CRL.\n")?,
            some => print(format_args!("Removed {some} duplicated certs from Puppet's CRL.\n"))?,
        }
        if self.remove_expired {
            print(format_args!("Removed {} expired certs from Puppet's CRL.\n", pruned.expired))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Make the inventory whole again from the certificates that are there.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca reinventory")]
pub(super) struct ReinventoryCommand {
    #[command(flatten)]
    settings: SettingFlags,
}

impl ReinventoryCommand {
    pub(super) fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let (total, added) = authority.reinventory().map_err(refused)?;
        print(format_args!("The inventory has {total} certificates; {added} of them were missing\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Issue certificates anew: same key, same extensions, another serial and end.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku ca renew --certname web1.example.com --ttl 5y")]
pub(super) struct RenewCommand {
    #[command(flatten)]
    names: Names,
    /// How long the certificates are valid, such as 90d or 5y
    #[arg(long, value_name = "TIME", value_parser = validity)]
    ttl: Option<Duration>,
    #[command(flatten)]
    settings: SettingFlags,
}

impl RenewCommand {
    pub(super) fn run(&self) -> Result<ExitCode, String> {
        let (_, authority) = opened(&self.settings)?;
        let mut failed = 0;
        for name in &self.names.certname {
            match authority.renew_signed(name, self.ttl) {
                Ok(_) => print(format_args!("Certificate for {name} has been renewed\n"))?,
                Err(refused) => {
                    failed += 1;
                    log("Error", &refused.message);
                }
            }
        }
        Ok(exit_code(failed, self.names.certname.len()))
    }
}
