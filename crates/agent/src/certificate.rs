//! The steps of getting a certificate, one at a time, as `ssl` takes them.

use std::fs;
use std::sync::Arc;

use bunraku::apply::Level;
use bunraku_pki::{Certificate, SigningKey};
use sha2::{Digest, Sha256};

use crate::bootstrap::{Bootstrap, check, hex, keep, now, renewed, submit};
use crate::client::Client;
use crate::failure::Failure;
use crate::text;
use crate::tls::Identity;

/// The files of a machine's certificate: what they are called, and the setting that says where they are.
const OWN: [(&str, &str); 5] = [
    ("private key", "hostprivkey"),
    ("public key", "hostpubkey"),
    ("certificate request", "hostcsr"),
    ("certificate", "hostcert"),
    ("private key password file", "passfile"),
];

/// What is known of the authority.
const AUTHORITY: [(&str, &str); 2] = [("local CA certificate", "localcacert"), ("local CRL", "hostcrl")];

impl Bootstrap<'_> {
    /// Asks for a certificate; whether it is signed and kept by now.
    pub fn submit_request(&mut self) -> Result<bool, String> {
        let identity = self.trusted()?;
        let name = text(self.settings, "certname")?;
        let mut client = self.client(&identity)?;
        let url = client.url("/puppet-ca/v1");
        let wrong = |reason: String| format!("Failed to submit certificate request: {reason}");
        let request = self.own_request(&name).map_err(wrong)?;
        match submit(&mut client, &name, &request) {
            Ok(()) => keep(&self.path("hostcsr")?, &request, 0o644).map_err(wrong)?,
            Err(failure) if failure.is(400) => {
                let conflict = "due to a conflict on the server";
                return Err(format!("Could not submit certificate request for '{name}' to {url} {conflict}"));
            }
            Err(failure) => return Err(wrong(failure.to_string())),
        }
        self.log.say(Level::Notice, format!("Submitted certificate request for '{name}' to {url}"));
        self.download_own(&identity, &mut client, &name)
    }

    /// Makes a request for a certificate and keeps it for somebody else to hand in.
    pub fn generate_request(&mut self) -> Result<(), String> {
        let name = text(self.settings, "certname")?;
        let path = self.path("hostcsr")?;
        let made = self.own_request(&name).and_then(|request| keep(&path, &request, 0o644));
        made.map_err(|reason| format!("Failed to generate certificate request: {reason}"))?;
        self.log.say(Level::Notice, format!("Generated certificate request in '{}'", path.display()));
        Ok(())
    }

    /// Fetches the certificate; whether it is signed.
    pub fn download_certificate(&mut self) -> Result<bool, String> {
        let identity = self.trusted()?;
        let name = text(self.settings, "certname")?;
        let mut client = self.client(&identity)?;
        self.download_own(&identity, &mut client, &name)
    }

    /// Gets a certificate in the place of this one, if that one ends within so many seconds.
    pub fn renew_certificate(&mut self, within: Option<u64>) -> Result<(), String> {
        let (mut identity, _) = Identity::kept(self.settings)?;
        let name = text(self.settings, "certname")?;
        let Some((certificate, key)) = identity.own.take() else { return Ok(()) };
        if let (Some(within), Some((_, end))) = (within, certificate.validity())
            && end.saturating_sub(now()) > i64::try_from(within).unwrap_or(i64::MAX)
        {
            let end = jiff::Timestamp::from_second(end).unwrap_or_default().strftime("%Y-%m-%d %H:%M:%S UTC");
            self.log.say(Level::Info, format!("Certificate '{name}' is still valid until {end}"));
            return Ok(());
        }
        identity.own = Some((certificate, Arc::clone(&key)));
        let mut client = self.client(&identity)?;
        let pem = match renewed(&mut client) {
            Ok(pem) => pem,
            // The server renews no certificates.
            Err(failure) if failure.is(404) => return Ok(()),
            Err(failure) => return Err(format!("Failed to download certificate: {failure}")),
        };
        self.keep_certificate(&identity, &pem, &key, &name)
    }

    /// Removes the certificate with its key and its request, and with `is_all` what is known of the authority.
    pub fn clean(&mut self, is_all: bool) -> Result<(), String> {
        let name = text(self.settings, "certname")?;
        if name == text(self.settings, "ca_server")? {
            self.refuse_unless_cleaned(&name)?;
        }
        let files = OWN.iter().chain(AUTHORITY.iter().filter(|_| is_all));
        for (label, setting) in files {
            let path = self.path(setting)?;
            match fs::remove_file(&path) {
                Ok(()) => self.log.say(Level::Notice, format!("Removed {label} {}", path.display())),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{}: {}", path.display(), bunraku::reason(&error))),
            }
        }
        Ok(())
    }

    /// Who operates the authority loses its certificate only after the authority has forgotten it.
    fn refuse_unless_cleaned(&mut self, name: &str) -> Result<(), String> {
        let identity = self.trusted();
        let found = identity.map_err(Failure::Unanswered).and_then(|identity| {
            let mut client = self.client(&identity).map_err(Failure::Unanswered)?;
            self.fetch(&mut client, &format!("certificate/{name}"), None)
        });
        match found {
            Ok(_) => Err(format!(
                "The certificate {name} must be cleaned from the CA first. To fix this,\nrun the following commands on \
                 the CA:\n  bunraku ca clean --certname {name}\n  bunraku ssl clean\n"
            )),
            Err(failure) if failure.is(404) => Ok(()),
            Err(failure) => Err(format!(
                "Failed to connect to the CA to determine if certificate {name} has been cleaned: {failure}"
            )),
        }
    }

    /// A request for a certificate with the key of this machine, which is made if there is none.
    fn own_request(&mut self, name: &str) -> Result<String, String> {
        let key = match self.key(name)? {
            Some(key) => key,
            None => self.make_key(name)?,
        };
        self.make_request(&key, name)
    }

    fn download_own(&mut self, identity: &Identity, client: &mut Client, name: &str) -> Result<bool, String> {
        let wrong = |reason: String| format!("Failed to download certificate: {reason}");
        let key = self.key(name)?;
        let url = client.url("/puppet-ca/v1");
        self.log.say(Level::Info, format!("Downloading certificate '{name}' from {url}"));
        let pem = match self.fetch(client, &format!("certificate/{name}"), None) {
            Ok(pem) => pem,
            Err(failure) if failure.is(404) => return Ok(false),
            Err(failure) => return Err(wrong(failure.to_string())),
        };
        let key = key.ok_or_else(|| wrong("there is no private key that it could be for".to_owned()))?;
        self.keep_certificate(identity, &pem, &key, name)?;
        Ok(true)
    }

    /// Keeps a certificate if it is that of the key, from an authority that is trusted.
    fn keep_certificate(&mut self, identity: &Identity, pem: &str, key: &SigningKey, name: &str) -> Result<(), String> {
        let wrong = |reason: String| format!("Failed to download certificate: {reason}");
        let certificate = Certificate::from_pem(pem).map_err(|reason| wrong(reason.to_owned()))?;
        let sum = hex(&Sha256::digest(certificate.as_der()));
        self.log.say(Level::Notice, format!("Downloaded certificate '{name}' with fingerprint (SHA256) {sum}"));
        check(identity, certificate, key).map_err(wrong)?;
        keep(&self.path("hostcert")?, pem, 0o644).map_err(wrong)?;
        // A request that has been answered is of no use any more; that it stays does no harm.
        _ = fs::remove_file(self.path("hostcsr")?);
        Ok(())
    }
}
