//! `bunraku ssl`: the certificate that this machine shows to servers.

use std::path::Path;
use std::process::ExitCode;
use std::time::UNIX_EPOCH;

use bunraku::{Disk, RunMode, Settings, World};
use bunraku_server::pki::{Certificate, Chain, Revocation, RevocationList, SigningKey};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::output::print;
use crate::report::log;
use crate::settings::SettingFlags;

/// Show the certificate of this machine, or verify it.
///
/// `show` prints what the certificate says. `verify` tells whether the private key is that of the certificate, whether a
/// trusted authority has issued it, and whether it is valid and not revoked. `show` verifies, too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku ssl verify\n  bunraku ssl show --certname web1.example.com")]
pub(crate) struct Ssl {
    /// The action: show or verify
    #[arg(value_name = "ACTION")]
    action: Option<String>,
    /// The words that some actions of Puppet take
    #[arg(hide = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Actions that only Puppet has: they ask a server.
const ELSEWHERE: [&str; 6] =
    ["bootstrap", "submit_request", "generate_request", "download_cert", "renew_cert", "clean"];

impl Ssl {
    /// Runs the command.
    pub(crate) fn run(&self) -> ExitCode {
        match self.answer().and_then(print) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &format!("Could not run: {message}"));
                ExitCode::FAILURE
            }
        }
    }

    fn answer(&self) -> Result<String, String> {
        match self.action.as_deref() {
            Some("show") => self.verified()?.0.to_text().map_err(str::to_owned),
            Some("verify") => Ok(notices(&self.verified()?.1)),
            Some(action) if ELSEWHERE.contains(&action) => Err(format!(
                "Bunraku has no action 'ssl {action}': use an agent of Puppet or OpenVox, or on the machine of the \
                 authority `bunraku ca generate` and `bunraku ca clean`"
            )),
            Some(action) => Err(format!("Unknown action '{action}'")),
            None => Err("An action must be specified.".to_owned()),
        }
    }

    /// The certificate, and the chain that it is the first of.
    fn verified(&self) -> Result<(Certificate, Chain), String> {
        let settings = self.settings.load(RunMode::Agent).map_err(|issue| issue.message().to_owned())?;
        let name = text(&settings, "certname")?;
        let revocation = match text(&settings, "certificate_revocation")?.as_str() {
            "false" => Revocation::None,
            "leaf" => Revocation::Leaf,
            _ => Revocation::Chain,
        };
        let bundle = read(&settings, "localcacert", "The CA certificates are missing", "CA certificates from")?;
        let authorities = Certificate::all_from_pem(&bundle);
        if authorities.is_empty() {
            return Err("Failed to parse CA certificates as PEM".to_owned());
        }
        let mut lists = Vec::new();
        if revocation != Revocation::None {
            lists = RevocationList::all_from_pem(&read(&settings, "hostcrl", "The CRL is missing", "CRLs from")?);
            if lists.is_empty() {
                return Err("Failed to parse CRLs as PEM".to_owned());
            }
        }
        let key = read(&settings, "hostprivkey", "The private key is missing", "private key from")?;
        if key.contains("ENCRYPTED") {
            return Err(format!(
                "Failed to load private key for host '{name}': keys with a password are not read here; decrypt it with \
                 `openssl pkey`"
            ));
        }
        let key = SigningKey::from_pem(&key)
            .and_then(|key| key.public_key_info())
            .map_err(|reason| format!("Failed to load private key for host '{name}': {reason}"))?;
        let pem = read(&settings, "hostcert", "The client certificate is missing", "client certificate from")?;
        let certificate = Certificate::from_pem(&pem)?;
        let now = Disk.now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let chain = Chain::verify(&certificate, &authorities, &lists, revocation, now)?;
        if let Some(warning) = &chain.warning {
            log("Warning", warning);
        }
        if certificate.public_key_info().as_ref() != Some(&key) {
            let subject = certificate.subject().unwrap_or_default();
            return Err(format!("The certificate for '{subject}' does not match its private key"));
        }
        Ok((certificate, chain))
    }
}

fn text(settings: &Settings, name: &str) -> Result<String, String> {
    settings.text(name).map_err(|issue| issue.message().to_owned())
}

/// The file that a setting names, or what is said if there is none.
fn read(settings: &Settings, setting: &str, missing: &str, what: &str) -> Result<String, String> {
    let path = text(settings, setting)?;
    if !Path::new(&path).exists() {
        return Err(format!("{missing} from '{path}'"));
    }
    let bytes =
        Disk.read(&path).map_err(|error| format!("Failed to load {what} '{path}': {}", bunraku::reason(&error)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What has been verified, from the root to the certificate.
fn notices(chain: &Chain) -> String {
    let notice = |(at, certificate): (usize, &Certificate)| {
        let kind = if at == 0 { "client" } else { "CA" };
        let digest: Vec<String> =
            Sha256::digest(certificate.as_der()).iter().map(|byte| format!("{byte:02X}")).collect();
        let subject = certificate.subject().unwrap_or_default();
        format!("Notice: Verified {kind} certificate '{subject}' fingerprint (SHA256) {}\n", digest.join(":"))
    };
    chain.certificates.iter().enumerate().rev().map(notice).collect()
}
