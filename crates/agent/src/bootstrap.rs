//! How a machine gets its certificate: it asks who the authority is, what has been revoked, and for a certificate of its
//! own, and keeps all of it. What is there already is used, and asked for again when it gets old.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bunraku::apply::{Level, Log};
use bunraku::{Settings, whole_file};
use bunraku_pki::{Certificate, CertificateRequest, Chain, Revocation, RevocationList, SigningKey};
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::client::{Client, Request};
use crate::csr_attributes::Wanted;
use crate::failure::Failure;
use crate::identity::{read_key, revocation};
use crate::lock::Lock;
use crate::tls::Identity;
use crate::{seconds, text};

/// How a machine gets its certificate.
pub struct Bootstrap<'a> {
    /// Where everything is kept.
    pub settings: &'a Settings,
    /// How long to wait before it is looked again whether the certificate is signed; 0 ends it.
    pub wait: u64,
    /// The first failure ends it.
    pub is_onetime: bool,
    /// Where lines go.
    pub log: Log,
    /// Says something to who watches, whatever becomes of the log.
    pub tell: &'a dyn Fn(&str),
}

/// Why there is no certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Something failed, and this is what.
    Failed(String),
    /// It is not signed yet, which has been told.
    Unsigned,
}

impl Bootstrap<'_> {
    /// The certificate of this machine with everything around it, as soon as all of it is there.
    pub fn run(&mut self) -> Result<Identity, Stop> {
        let start = Instant::now();
        let most = seconds(self.settings, "maxwaitforcert").map_err(Stop::Failed)?.map(Duration::from_secs);
        loop {
            let lock = self.lock(start)?;
            match self.attempt() {
                Ok(Some(identity)) => return Ok(identity),
                Ok(None) => {}
                Err(message) => {
                    self.log.say(Level::Err, message.clone());
                    if self.is_onetime {
                        return Err(Stop::Failed(message));
                    }
                }
            }
            drop(lock);
            if self.wait < 1 {
                (self.tell)("Exiting now because the waitforcert setting is set to 0.");
                return Err(Stop::Unsigned);
            }
            if most.is_some_and(|most| start.elapsed() > most) {
                let name = text(self.settings, "certname").map_err(Stop::Failed)?;
                (self.tell)(&format!(
                    "Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate \
                     ({name}). Exiting now because the maxwaitforcert timeout has been exceeded."
                ));
                return Err(Stop::Unsigned);
            }
            self.log.say(Level::Info, format!("Will try again in {} seconds.", self.wait));
            std::thread::sleep(Duration::from_secs(self.wait));
        }
    }

    /// Nobody else may change the files meanwhile.
    fn lock(&mut self, start: Instant) -> Result<Lock, Stop> {
        let path = self.path("ssl_lockfile").map_err(Stop::Failed)?;
        let wait = seconds(self.settings, "waitforlock").map_err(Stop::Failed)?.unwrap_or_default();
        let most = seconds(self.settings, "maxwaitforlock").map_err(Stop::Failed)?.map(Duration::from_secs);
        loop {
            let taken = Lock::take(&path).map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
            let another = "Another puppet instance is already running";
            match taken {
                Some(lock) => return Ok(lock),
                None if wait < 1 => {
                    return Err(Stop::Failed(format!("{another} and the waitforlock setting is set to 0; exiting")));
                }
                None if most.is_some_and(|most| start.elapsed() >= most) => {
                    let reason = "and the maxwaitforlock timeout has been exceeded; exiting";
                    return Err(Stop::Failed(format!("{another} {reason}")));
                }
                None => {
                    self.log.say(Level::Info, format!("{another}; waiting for it to finish"));
                    self.log.say(Level::Info, format!("Will try again in {wait} seconds."));
                    std::thread::sleep(Duration::from_secs(wait));
                }
            }
        }
    }

    /// Goes from step to step; nothing if the certificate is not signed yet.
    fn attempt(&mut self) -> Result<Option<Identity>, String> {
        let mut identity = self.trusted()?;
        let name = text(self.settings, "certname")?;
        let Some(key) = self.key(&name)? else {
            let key = self.make_key(&name)?;
            return self.request(identity, key, &name);
        };
        let path = self.path("hostcert")?;
        let Some(pem) = read(&path, "client certificate")? else { return self.request(identity, key, &name) };
        let certificate = Certificate::from_pem(&pem)?;
        identity.own = Some((check(&identity, certificate, &key)?, key));
        self.renew(&mut identity)?;
        Ok(Some(identity))
    }

    /// Who is trusted: the authorities and what they have revoked.
    pub(crate) fn trusted(&mut self) -> Result<Identity, String> {
        let mut identity = Identity { revocation: revocation(self.settings)?, ..Identity::default() };
        let is_new = self.authorities(&mut identity)?;
        self.lists(&mut identity, is_new)?;
        Ok(identity)
    }

    /// The authorities; whether they are not those of before.
    fn authorities(&mut self, identity: &mut Identity) -> Result<bool, String> {
        let path = self.path("localcacert")?;
        let pem = match read(&path, "CA certificates")? {
            Some(pem) => pem,
            None => {
                let pem = self.download("certificate/ca", identity, None).map_err(|failure| match failure {
                    Failure::Refused { status: 404, .. } => "CA certificate is missing from the server".to_owned(),
                    Failure::Refused { .. } => format!("Could not download CA certificate: {failure}"),
                    Failure::Unanswered(reason) => reason,
                })?;
                self.check_fingerprint(&pem)?;
                identity.authorities = authorities(&pem)?;
                keep(&path, &pem, 0o644)?;
                return Ok(true);
            }
        };
        identity.authorities = authorities(&pem)?;
        if !self.is_old(&path, "ca_refresh_interval")? {
            return Ok(false);
        }
        self.log.say(Level::Info, "Refreshing CA certificate");
        // What cannot be asked for again is good enough as it is.
        match self.download("certificate/ca", identity, modified(&path)) {
            Ok(pem) => {
                let refreshed = Identity { authorities: authorities(&pem)?, ..identity.clone() };
                keep(&path, &pem, 0o644)?;
                self.log.say(Level::Info, format!("Refreshed CA certificate: {}", hex(&Sha256::digest(&pem))));
                *identity = refreshed;
                return Ok(true);
            }
            Err(failure) if failure.is(304) => {
                self.log.say(Level::Info, "CA certificate is unmodified, using existing CA certificate");
                touch(&path)?;
            }
            Err(failure) => self.not_refreshed("CA certificate", &failure),
        }
        Ok(false)
    }

    /// What the authorities have revoked.
    fn lists(&mut self, identity: &mut Identity, is_forced: bool) -> Result<(), String> {
        if identity.revocation.is_none() {
            self.log.say(Level::Info, "Certificate revocation is disabled, skipping CRL download");
            return Ok(());
        }
        let path = self.path("hostcrl")?;
        // The lists themselves are asked for without looking at lists.
        let unlisted = Identity { revocation: None, ..identity.clone() };
        let Some(pem) = read(&path, "CRLs")? else {
            let pem = self.download("certificate_revocation_list/ca", &unlisted, None);
            let pem = pem.map_err(|failure| match failure {
                Failure::Refused { status: 404, .. } => "CRL is missing from the server".to_owned(),
                Failure::Refused { .. } => format!("Could not download CRLs: {failure}"),
                Failure::Unanswered(reason) => reason,
            })?;
            identity.lists = lists(&pem)?;
            return keep(&path, &pem, 0o644);
        };
        identity.lists = lists(&pem)?;
        if !is_forced && !self.is_old(&path, "crl_refresh_interval")? {
            return Ok(());
        }
        self.log.say(Level::Info, "Refreshing CRL");
        match self.download("certificate_revocation_list/ca", &unlisted, modified(&path)) {
            Ok(pem) => {
                identity.lists = lists(&pem)?;
                keep(&path, &pem, 0o644)?;
                self.log.say(Level::Info, format!("Refreshed CRL: {}", hex(&Sha256::digest(&pem))));
            }
            Err(failure) if failure.is(304) => {
                self.log.say(Level::Info, "CRL is unmodified, using existing CRL");
                touch(&path)?;
            }
            Err(failure) => self.not_refreshed("CRL", &failure),
        }
        Ok(())
    }

    fn not_refreshed(&mut self, what: &str, failure: &Failure) {
        let level = if matches!(failure, Failure::Refused { .. }) { Level::Info } else { Level::Warning };
        self.log.say(level, format!("Failed to refresh {what}, using existing {what}: {failure}"));
    }

    /// Who must know the authority beforehand names its fingerprint.
    fn check_fingerprint(&mut self, pem: &str) -> Result<(), String> {
        let wanted = self.settings.optional_text("ca_fingerprint").map_err(|issue| issue.message().to_owned())?;
        let Some(wanted) = wanted.filter(|wanted| !wanted.is_empty()) else { return Ok(()) };
        let actual = hex(&Sha256::digest(pem));
        if actual.replace(':', "").eq_ignore_ascii_case(&wanted.replace(':', "")) {
            self.log.say(Level::Info, format!("Verified CA bundle with digest (SHA256) {actual}"));
            return Ok(());
        }
        let wanted = wanted.to_uppercase();
        Err(format!("CA bundle with digest (SHA256) {actual} did not match expected digest {wanted}"))
    }

    pub(crate) fn key(&self, name: &str) -> Result<Option<Arc<SigningKey>>, String> {
        let Some(pem) = read(&self.path("hostprivkey")?, "private key")? else { return Ok(None) };
        read_key(name, &pem).map(Some)
    }

    pub(crate) fn make_key(&mut self, name: &str) -> Result<Arc<SigningKey>, String> {
        let key = match text(self.settings, "key_type")?.as_str() {
            "ec" => {
                let curve = text(self.settings, "named_curve")?;
                if curve != "prime256v1" {
                    return Err(format!("Keys are made on the curve prime256v1, not on {curve}"));
                }
                let message = format!("Creating a new EC SSL key for {name} using curve {curve}");
                self.log.say(Level::Info, message);
                SigningKey::generate_curve()
            }
            _ => {
                self.log.say(Level::Info, format!("Creating a new RSA SSL key for {name}"));
                SigningKey::generate_rsa()
            }
        }?;
        keep(&self.path("hostprivkey")?, &key.to_pem(), 0o640)?;
        keep(&self.path("hostpubkey")?, &key.to_public_pem()?, 0o644)?;
        Ok(Arc::new(key))
    }

    /// A request for a certificate, in PEM.
    pub(crate) fn make_request(&mut self, key: &SigningKey, name: &str) -> Result<String, String> {
        let attributes = self.path("csr_attributes")?;
        self.log.say(Level::Info, format!("csr_attributes file loading from {}", attributes.display()));
        self.log.say(Level::Info, format!("Creating a new SSL certificate request for {name}"));
        let wanted = Wanted::of(self.settings, name)?;
        let request = CertificateRequest::make_with_attributes(name, key, &wanted.extensions, &wanted.attributes)?;
        let sum = hex(&Sha256::digest(request.as_der()));
        self.log.say(Level::Info, format!("Certificate Request fingerprint (SHA256): {sum}"));
        Ok(request.to_pem())
    }

    /// Asks for a certificate, and fetches it if it is signed.
    fn request(
        &mut self,
        mut identity: Identity,
        key: Arc<SigningKey>,
        name: &str,
    ) -> Result<Option<Identity>, String> {
        let request = self.make_request(&key, name)?;
        let path = self.path("hostcsr")?;
        let mut client = self.client(&identity)?;
        match submit(&mut client, name, &request) {
            Ok(_) => keep(&path, &request, 0o644)?,
            // There is a request or a certificate of this name already.
            Err(failure) if failure.is(400) => {}
            Err(Failure::Refused { status, .. }) => {
                return Err(format!("Failed to submit the CSR, HTTP response was {status}"));
            }
            Err(Failure::Unanswered(reason)) => return Err(reason),
        }
        let pem = match self.fetch(&mut client, &format!("certificate/{name}"), None) {
            Ok(pem) => pem,
            Err(failure) if failure.is(404) => {
                self.log.say(Level::Info, format!("Certificate for {name} has not been signed yet"));
                (self.tell)(&format!(
                    "Couldn't fetch certificate from CA server; you might still need to sign this agent's certificate \
                     ({name})."
                ));
                return Ok(None);
            }
            Err(failure @ Failure::Refused { .. }) => {
                return Err(format!("Failed to retrieve certificate for {name}: {failure}"));
            }
            Err(Failure::Unanswered(reason)) => return Err(reason),
        };
        let url = client.url("/puppet-ca/v1");
        self.log.say(Level::Info, format!("Downloaded certificate for {name} from {url}"));
        let certificate =
            Certificate::from_pem(&pem).map_err(|reason| format!("Failed to parse certificate: {reason}"))?;
        identity.own = Some((check(&identity, certificate, &key)?, key));
        keep(&self.path("hostcert")?, &pem, 0o644)?;
        // A request that has been answered is of no use any more; that it stays does no harm.
        _ = fs::remove_file(path);
        Ok(Some(identity))
    }

    /// Gets a new certificate when this one ends soon. Where that fails, this one is still good.
    fn renew(&mut self, identity: &mut Identity) -> Result<(), String> {
        let Some((certificate, key)) = &identity.own else { return Ok(()) };
        let interval = seconds(self.settings, "hostcert_renewal_interval")?.and_then(|it| i64::try_from(it).ok());
        let ends = certificate.validity().map(|(_, end)| end);
        let (Some(interval), Some(ends)) = (interval.filter(|it| *it > 0), ends) else { return Ok(()) };
        if now() < ends.saturating_sub(interval) {
            return Ok(());
        }
        let key = Arc::clone(key);
        match self.client(identity).map_err(Failure::Unanswered).and_then(|mut client| renewed(&mut client)) {
            Ok(pem) => {
                match Certificate::from_pem(&pem).map_err(str::to_owned).and_then(|it| check(identity, it, &key)) {
                    Ok(renewed) => {
                        keep(&self.path("hostcert")?, &pem, 0o644)?;
                        self.log
                            .say(Level::Info, format!("Renewed client certificate: {}", hex(&Sha256::digest(&pem))));
                        identity.own = Some((renewed, key));
                    }
                    Err(reason) => {
                        self.log.say(Level::Warning, format!("Unable to automatically renew certificate: {reason}"));
                    }
                }
            }
            Err(failure) if failure.is(404) => {
                self.log.say(Level::Info, "Certificate autorenewal has not been enabled on the server.");
            }
            Err(failure) => {
                self.log.say(Level::Warning, format!("Failed to automatically renew certificate: {failure}"));
            }
        }
        Ok(())
    }

    pub(crate) fn client(&self, identity: &Identity) -> Result<Client, String> {
        Client::of("ca_server", "ca_port", identity, self.settings, &self.log)
    }

    fn download(&self, what: &str, identity: &Identity, since: Option<SystemTime>) -> Result<String, Failure> {
        let mut client = self.client(identity).map_err(Failure::Unanswered)?;
        self.fetch(&mut client, what, since)
    }

    pub(crate) fn fetch(&self, client: &mut Client, what: &str, since: Option<SystemTime>) -> Result<String, Failure> {
        let since = since.map(http_date);
        let mut headers = vec![("Accept", "text/plain")];
        headers.extend(since.as_deref().map(|since| ("If-Modified-Since", since)));
        let target = format!("/puppet-ca/v1/{what}");
        client.ask(&Request { method: "GET", target: &target, headers: &headers, body: b"" }).map(|it| it.text())
    }

    fn is_old(&self, path: &Path, interval: &str) -> Result<bool, String> {
        let Some(interval) = seconds(self.settings, interval)? else { return Ok(false) };
        let age = modified(path).and_then(|time| time.elapsed().ok());
        Ok(age.is_some_and(|age| age > Duration::from_secs(interval)))
    }

    pub(crate) fn path(&self, setting: &str) -> Result<PathBuf, String> {
        text(self.settings, setting).map(PathBuf::from)
    }
}

impl std::fmt::Debug for Bootstrap<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Bootstrap").field("wait", &self.wait).finish_non_exhaustive()
    }
}

/// Hands a request for a certificate in.
pub(crate) fn submit(client: &mut Client, name: &str, request: &str) -> Result<(), Failure> {
    let asked = client.ask(&Request {
        method: "PUT",
        target: &format!("/puppet-ca/v1/certificate_request/{name}"),
        headers: &[("Content-Type", "text/plain"), ("Accept", "*/*")],
        body: request.as_bytes(),
    });
    asked.map(drop)
}

/// A certificate in the place of the one that the client has shown.
pub(crate) fn renewed(client: &mut Client) -> Result<String, Failure> {
    let answer = client.ask(&Request {
        method: "POST",
        target: "/puppet-ca/v1/certificate_renewal",
        headers: &[("Content-Type", "text/plain"), ("Accept", "text/plain")],
        body: b"",
    });
    answer.map(|answer| answer.text())
}

/// The certificate, if it is that of the key and an authority has issued it.
pub(crate) fn check(identity: &Identity, certificate: Certificate, key: &SigningKey) -> Result<Certificate, String> {
    let revocation = identity.revocation.unwrap_or(Revocation::None);
    Chain::verify(&certificate, &identity.authorities, &identity.lists, revocation, now())?;
    if certificate.public_key_info() != key.public_key_info().ok() {
        let name = certificate.subject().unwrap_or_default();
        return Err(format!("The certificate for '{name}' does not match its private key"));
    }
    Ok(certificate)
}

/// The fingerprint of the certificate of this machine, or of the request for one.
pub fn fingerprint(settings: &Settings, digest: &str) -> Result<Option<String>, String> {
    let certificate = read(Path::new(&text(settings, "hostcert")?), "client certificate")?;
    let request = read(Path::new(&text(settings, "hostcsr")?), "certificate request")?;
    let der = match (certificate, request) {
        (Some(pem), _) => Certificate::from_pem(&pem)?.as_der().to_vec(),
        (None, Some(pem)) => CertificateRequest::from_pem(&pem)?.as_der().to_vec(),
        (None, None) => return Ok(None),
    };
    let digest = digest.to_uppercase();
    let sum = match digest.as_str() {
        "SHA256" => hex(&Sha256::digest(der)),
        "SHA384" => hex(&Sha384::digest(der)),
        "SHA512" => hex(&Sha512::digest(der)),
        _ => return Err(format!("Unsupported digest algorithm ({digest}).")),
    };
    Ok(Some(format!("({digest}) {sum}")))
}

pub(crate) fn hex(sum: &[u8]) -> String {
    sum.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

fn authorities(pem: &str) -> Result<Vec<Certificate>, String> {
    let all = Certificate::all_from_pem(pem);
    if all.is_empty() { Err("Failed to parse CA certificates as PEM".to_owned()) } else { Ok(all) }
}

fn lists(pem: &str) -> Result<Vec<RevocationList>, String> {
    let all = RevocationList::all_from_pem(pem);
    if all.is_empty() { Err("Failed to parse CRLs as PEM".to_owned()) } else { Ok(all) }
}

/// The text of a file, if there is one.
pub(crate) fn read(path: &Path, what: &str) -> Result<Option<String>, String> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("Failed to load {what} from '{}': {error}", path.display())),
    }
}

pub(crate) fn keep(path: &Path, text: &str, bits: u32) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("Failed to save '{}': {error}", path.display());
    if let Some(directory) = path.parent().filter(|directory| !directory.is_dir()) {
        fs::create_dir_all(directory).map_err(wrong)?;
        let bits = if bits & 0o007 == 0 { 0o750 } else { 0o755 };
        fs::set_permissions(directory, PermissionsExt::from_mode(bits)).map_err(wrong)?;
    }
    let prepare = |file: &fs::File| file.set_permissions(PermissionsExt::from_mode(bits));
    whole_file::write_for(path, text.as_bytes(), prepare).map_err(wrong)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// What has been looked at counts as new.
fn touch(path: &Path) -> Result<(), String> {
    let now = |file: fs::File| file.set_modified(SystemTime::now());
    fs::File::options().write(true).open(path).and_then(now).map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

fn http_date(time: SystemTime) -> String {
    let time = jiff::Timestamp::try_from(time).unwrap_or_default();
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
