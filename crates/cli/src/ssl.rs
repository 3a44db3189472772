//! `bunraku ssl`: the certificate that this machine shows to servers.

use std::process::ExitCode;
use std::time::Duration;

use bunraku::apply::{Level, Log};
use bunraku::{RunMode, Settings};
use bunraku_agent::{Bootstrap, Identity, Stop, seconds};
use bunraku_server::duration;
use bunraku_server::pki::{Certificate, Chain};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::apply::destinations;
use crate::output::print;
use crate::report::log;
use crate::settings::SettingFlags;

/// Show, verify, get, renew or remove the certificate of this machine.
///
/// `bootstrap` does all that it takes to get a certificate, and waits until it is signed. `submit_request` asks for one, and
/// `download_cert` fetches it; `generate_request` only writes the request. `renew_cert` gets another one for the same key.
/// `clean` removes certificate, key and request. `verify` tells whether the private key is that of the certificate, whether a
/// trusted authority has issued it, and whether it is valid and not revoked; `show` prints what it says.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku ssl bootstrap --server puppet.example.com\n  bunraku ssl verify\n  \
    bunraku ssl show --certname web1.example.com\n  bunraku ssl renew_cert --if-expiring-in 30d")]
pub(crate) struct Ssl {
    /// The action: bootstrap, submit_request, generate_request, download_cert, renew_cert, verify, clean or show
    #[arg(value_name = "ACTION")]
    action: Option<String>,
    /// The words that some actions of Puppet take
    #[arg(hide = true)]
    arguments: Vec<String>,
    /// With clean: remove the certificates and revocation lists of the authority, too
    #[arg(long)]
    localca: bool,
    /// With renew_cert: only if the certificate ends within this time, such as 30d or 12h
    #[arg(long = "if-expiring-in", value_name = "TIME", value_parser = time)]
    if_expiring_in: Option<Duration>,
    /// With bootstrap: how many seconds to wait before looking again whether the certificate is signed; 0 ends it
    #[arg(short, long, value_name = "SECONDS")]
    waitforcert: Option<u64>,
    #[command(flatten)]
    settings: SettingFlags,
}

fn time(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| format!("Invalid duration format: {text}"))
}

impl Ssl {
    /// Runs the command.
    pub(crate) fn run(&self) -> ExitCode {
        match self.obey() {
            Ok(code) => code,
            Err(message) => {
                log("Error", &format!("Could not run: {message}"));
                ExitCode::FAILURE
            }
        }
    }

    fn obey(&self) -> Result<ExitCode, String> {
        let action = self.action.as_deref().ok_or("An action must be specified.")?;
        let mut settings = self.settings.load_with_log(RunMode::Agent).map_err(|issue| issue.message().to_owned())?;
        match action {
            "show" => {
                let (identity, _) = verified(&settings)?;
                let (certificate, _) = identity.own.ok_or("The client certificate is missing")?;
                print(certificate.to_text()?)?;
            }
            "verify" => print(notices(&verified(&settings)?.1))?,
            "bootstrap" => {
                // Who waits for a certificate is told how far it is.
                if Level::named(&text(&settings, "log_level")?).is_none_or(|level| level > Level::Info) {
                    settings.set("log_level", "info");
                }
                return self.bootstrap(&settings);
            }
            "clean" if !self.arguments.is_empty() => {
                return Err(format!(
                    "Extra arguments detected: {}\nDid you mean to run:\n  bunraku ca clean --certname <name>\nOr:\n  \
                     bunraku ssl clean --certname <name>\n",
                    self.arguments.join(" ")
                ));
            }
            _ => self.step(action, &settings)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn bootstrap(&self, settings: &Settings) -> Result<ExitCode, String> {
        let mut log = log_of(settings)?;
        let tell = |line: &str| _ = print(format_args!("{line}\n"));
        let wait = match self.waitforcert {
            Some(seconds) => seconds,
            None => seconds(settings, "waitforcert")?.unwrap_or_default(),
        };
        let mut bootstrap = Bootstrap { settings, wait, is_onetime: false, log: log.clone(), tell: &tell };
        match bootstrap.run() {
            Ok(_) => log.say(Level::Notice, "Completed SSL initialization"),
            Err(Stop::Failed(reason)) => return Err(reason),
            Err(Stop::Unsigned) => return Ok(ExitCode::FAILURE),
        }
        Ok(ExitCode::SUCCESS)
    }

    /// One step of getting a certificate.
    fn step(&self, action: &str, settings: &Settings) -> Result<(), String> {
        let mut log = log_of(settings)?;
        let tell = |line: &str| _ = print(format_args!("{line}\n"));
        let mut host = Bootstrap { settings, wait: 0, is_onetime: true, log: log.clone(), tell: &tell };
        let unsigned = || {
            Ok::<_, String>(format!("The certificate for '{}' has not yet been signed", text(settings, "certname")?))
        };
        match action {
            "submit_request" if !host.submit_request()? => log.say(Level::Info, unsigned()?),
            "download_cert" if !host.download_certificate()? => return Err(unsigned()?),
            "submit_request" | "download_cert" => {}
            "generate_request" => host.generate_request()?,
            "renew_cert" => host.renew_certificate(self.if_expiring_in.map(|time| time.as_secs()))?,
            "clean" => host.clean(self.localca)?,
            _ => return Err(format!("Unknown action '{action}'")),
        }
        Ok(())
    }
}

/// What this machine has, if it is in order.
fn verified(settings: &Settings) -> Result<(Identity, Chain), String> {
    let verified = Identity::kept(settings)?;
    if let Some(warning) = &verified.1.warning {
        log("Warning", warning);
    }
    Ok(verified)
}

fn log_of(settings: &Settings) -> Result<Log, String> {
    let level = Level::named(&text(settings, "log_level")?).unwrap_or(Level::Notice);
    Ok(Log::new(level, destinations(settings)?))
}

fn text(settings: &Settings, name: &str) -> Result<String, String> {
    settings.text(name).map_err(|issue| issue.message().to_owned())
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
