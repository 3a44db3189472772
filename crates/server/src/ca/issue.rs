//! Requests come in, certificates go out.

use std::time::Duration;

use bunraku_pki::{Certificate, CertificateRequest, Certification, Extension, SUBJECT_ALTERNATIVE_NAMES};

use super::directory::{Lock, PUBLIC};
use super::status::{State, shown_time};
use super::{CertificateAuthority, Refused, policy};

/// Certificates are valid since a day ago, for clocks that are late.
const EARLIER: Duration = Duration::from_secs(86_400);
/// The attribute of a request that its sender renews certificates by itself.
const AUTO_RENEW: &str = "1.3.6.1.4.1.34380.1.3.2";

/// What came of several names to be signed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Signed {
    /// Those that have a certificate now.
    pub signed: Vec<String>,
    /// Those that nobody has asked for.
    pub without_request: Vec<String>,
    /// Those that cannot be signed, each with the reason.
    pub refused: Vec<(String, String)>,
}

impl CertificateAuthority {
    /// Takes a request, and signs it if it may be signed without anybody looking. What should be logged is given back.
    pub fn submit(&self, name: &str, body: &[u8]) -> Result<Vec<String>, Refused> {
        let text =
            str::from_utf8(body).map_err(|_| Refused::new(400, "the request for a certificate cannot be read"))?;
        let request = CertificateRequest::from_pem(text).map_err(|error| Refused::new(400, error))?;
        let lock = self.directory.lock()?;
        // The reference looks for the name in the request before it compares it with that in the path.
        let asked = request.name().unwrap_or_default();
        if let Some(state) = self.state_of(&asked)?.filter(|_| !self.policy.allows_duplicates) {
            let state = state.name();
            let message = format!("{asked} already has a {state} certificate; ignoring certificate request");
            return Err(Refused::new(400, message));
        }
        policy::check_name(&request, name)?;
        self.directory.write(&format!("requests/{name}.pem"), &request.to_pem(), PUBLIC)?;
        let decision = self.autosign.decide(name, &request.to_pem(), &*self.world);
        if decision.signs {
            policy::check_content(&request, name, &self.policy)?;
            self.issue(name, &request, None, &lock)?;
        }
        Ok(decision.remarks)
    }

    /// Signs the request of a node by the order of an operator.
    pub fn sign(&self, name: &str, validity: Option<Duration>) -> Result<(), Refused> {
        let lock = self.directory.lock()?;
        let Some(text) = self.request(name)? else {
            let message = format!("Cannot sign certificate for host {name} without a certificate request");
            return Err(Refused::new(409, message));
        };
        let request = CertificateRequest::from_pem(&text).map_err(|error| Refused::new(409, error))?;
        policy::check_name(&request, name).map_err(|refused| Refused::new(409, refused.message))?;
        policy::check_content(&request, name, &self.policy).map_err(|refused| Refused::new(409, refused.message))?;
        self.issue(name, &request, validity, &lock)?;
        Ok(())
    }

    /// Signs several requests, or all there are.
    pub fn sign_all(&self, names: Option<&[String]>, validity: Option<Duration>) -> Result<Signed, Refused> {
        let all = match names {
            Some(names) => names.to_vec(),
            None => self.directory.names("requests")?,
        };
        let mut result = Signed::default();
        for name in all {
            match self.sign(&name, validity) {
                Ok(()) => result.signed.push(name),
                Err(refused) if refused.message.ends_with("without a certificate request") => {
                    result.without_request.push(name);
                }
                Err(refused) => result.refused.push((name, refused.message)),
            }
        }
        Ok(result)
    }

    /// A key and a certificate for a name, made here, as `ca generate` does.
    pub fn generate(
        &self,
        name: &str,
        extensions: &[Extension],
        validity: Option<Duration>,
    ) -> Result<(bunraku_pki::SigningKey, Certificate), Refused> {
        // A key takes its time, so the name is looked at first.
        policy::check_subject(name)?;
        let key = bunraku_pki::SigningKey::generate_rsa()?;
        let request = CertificateRequest::make(name, &key, extensions)?;
        let lock = self.directory.lock()?;
        if let Some(state) = self.state_of(name)? {
            let message = format!("{name} already has a {} certificate", state.name());
            return Err(Refused::new(409, message));
        }
        let certificate = self.issue(name, &request, validity, &lock)?;
        Ok((key, certificate))
    }

    /// A certificate for a key of the server's own, next to the one that it has, for instance on an elliptic curve.
    pub(crate) fn certify_server(
        &self,
        name: &str,
        key: &bunraku_pki::SigningKey,
        names: &[String],
    ) -> Result<Certificate, Refused> {
        let names = Extension::of_names(names.iter().map(String::as_str));
        let request = CertificateRequest::make(name, key, &[names])?;
        let lock = self.directory.lock()?;
        self.certify(
            name,
            &request.public_key_info().ok_or("the public key cannot be read")?,
            &request.extensions(),
            self.policy.validity,
            &lock,
        )
    }

    fn issue(
        &self,
        name: &str,
        request: &CertificateRequest,
        validity: Option<Duration>,
        lock: &Lock,
    ) -> Result<Certificate, Refused> {
        let renewing = self.policy.renewal.filter(|_| request.attribute(AUTO_RENEW).as_deref() == Some("true"));
        let validity = validity.or(renewing).unwrap_or(self.policy.validity);
        let key = request.public_key_info().ok_or("the public key cannot be read")?;
        let certificate = self.certify(name, &key, &request.extensions(), validity, lock)?;
        self.directory.write(&format!("signed/{name}.pem"), &certificate.to_pem(), PUBLIC)?;
        self.directory.remove(&format!("requests/{name}.pem"))?;
        Ok(certificate)
    }

    /// A new certificate, which stands in the inventory before anybody has it.
    pub(super) fn certify(
        &self,
        name: &str,
        public_key_info: &[u8],
        extensions: &[Extension],
        validity: Duration,
        lock: &Lock,
    ) -> Result<Certificate, Refused> {
        let (names, mut extensions): (Vec<Extension>, Vec<Extension>) =
            extensions.iter().cloned().partition(|extension| extension.oid == SUBJECT_ALTERNATIVE_NAMES);
        let mut names: Vec<String> = names.iter().flat_map(Extension::alternative_names).collect();
        let own = format!("DNS:{name}");
        if !names.contains(&own) {
            names.push(own);
        }
        extensions.push(Extension::of_names(names.iter().map(String::as_str)));
        let now = self.world.now();
        let serial = self.directory.next_serial(lock)?;
        let content = Certification {
            name,
            public_key_info,
            serial: &serial.to_be_bytes(),
            not_before: now.checked_sub(EARLIER).unwrap_or(now),
            not_after: now.checked_add(validity).ok_or("the certificate would be valid too long")?,
            extensions: &extensions,
        };
        let certificate = self.authority.certify(&content)?;
        let (since, until) = certificate.validity().unwrap_or_default();
        let line = format!("0x{serial:04X} {} {} /CN={name}", shown_time(since), shown_time(until));
        self.directory.add_to_inventory(&line, lock)?;
        Ok(certificate)
    }

    /// What there is for a name.
    pub(super) fn state_of(&self, name: &str) -> Result<Option<State>, Refused> {
        if let Some(text) = self.certificate(name)? {
            let certificate =
                Certificate::all_from_pem(&text).into_iter().next().ok_or("a signed certificate cannot be read")?;
            let is_revoked = self.is_revoked(&certificate.serial())?;
            return Ok(Some(if is_revoked { State::Revoked } else { State::Signed }));
        }
        Ok(self.request(name)?.map(|_| State::Requested))
    }
}
