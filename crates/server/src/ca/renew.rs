//! Agents renew their certificates by showing them: same name, same key, same extensions, another serial.

use bunraku_pki::{
    AUTHORITY_KEY_IDENTIFIER, BASIC_CONSTRAINTS, Certificate, EXTENDED_KEY_USAGE, Extension, KEY_USAGE,
    NETSCAPE_COMMENT, SUBJECT_KEY_IDENTIFIER,
};

use std::time::Duration;

use super::directory::PUBLIC;
use super::{CertificateAuthority, Refused};

impl CertificateAuthority {
    /// A successor of a certificate that its holder has shown.
    pub fn renew(&self, certificate: &Certificate) -> Result<Certificate, Refused> {
        let Some(validity) = self.policy.renewal else { return Err(Refused::new(404, "Not Found")) };
        self.reissue(certificate, validity)
    }

    /// A successor of the certificate that a node has, by the order of an operator. The node fetches it, or is given it.
    pub fn renew_signed(&self, name: &str, validity: Option<Duration>) -> Result<Certificate, Refused> {
        let text = self.certificate(name)?;
        let certificate = text.and_then(|text| Certificate::all_from_pem(&text).into_iter().next());
        let missing = || Refused::new(409, format!("Could not find a certificate of {name}"));
        self.reissue(&certificate.ok_or_else(missing)?, validity.unwrap_or(self.policy.validity))
    }

    fn reissue(&self, certificate: &Certificate, validity: Duration) -> Result<Certificate, Refused> {
        if certificate.authority_key_identifier() != self.authority.certificate().subject_key_identifier() {
            return Err(Refused::new(403, "Certificate present, but does not match signature"));
        }
        let name = certificate.name().ok_or("the certificate has no name")?;
        let key = certificate.public_key_info().ok_or("the public key cannot be read")?;
        let is_made_anew = |extension: &Extension| {
            let own = [
                AUTHORITY_KEY_IDENTIFIER,
                BASIC_CONSTRAINTS,
                EXTENDED_KEY_USAGE,
                KEY_USAGE,
                NETSCAPE_COMMENT,
                SUBJECT_KEY_IDENTIFIER,
            ];
            own.contains(&extension.oid.as_str())
        };
        let extensions: Vec<Extension> = certificate.extensions().into_iter().filter(|it| !is_made_anew(it)).collect();
        let lock = self.directory.lock()?;
        if self.is_revoked(&certificate.serial())? {
            return Err(Refused::new(403, "Certificate present, but it is revoked"));
        }
        let renewed = self.certify(&name, &key, &extensions, validity, &lock)?;
        self.directory.write(&format!("signed/{name}.pem"), &renewed.to_pem(), PUBLIC)?;
        Ok(renewed)
    }
}
