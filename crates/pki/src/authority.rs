//! An authority: its key signs certificates for others, and the list of those that are no longer valid.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha1::{Digest, Sha1};
use x509_cert::TbsCertificate;
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::der::asn1::{BitString, GeneralizedTime, OctetString, UtcTime};
use x509_cert::der::{Decode, Encode};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{ObjectIdentifier, SubjectPublicKeyInfoOwned};
use x509_cert::time::{Time, Validity};

use crate::certificate::Certificate;
use crate::extension::{
    AUTHORITY_KEY_IDENTIFIER, BASIC_CONSTRAINTS, EXTENDED_KEY_USAGE, Extension, KEY_USAGE, NETSCAPE_COMMENT,
    SUBJECT_KEY_IDENTIFIER, der,
};
use crate::revocation_list::RevocationList;
use crate::signing_key::SigningKey;

const UNWRITABLE: &str = "the certificate cannot be written";

/// What a new certificate says.
#[derive(Debug)]
pub struct Certification<'c> {
    /// The name of the holder.
    pub name: &'c str,
    /// The public key of the holder, with the name of its algorithm, in DER.
    pub public_key_info: &'c [u8],
    /// Which certificate of the authority it is, most significant byte first.
    pub serial: &'c [u8],
    /// Since when it is valid.
    pub not_before: SystemTime,
    /// Until when it is valid.
    pub not_after: SystemTime,
    /// What else it says.
    pub extensions: &'c [Extension],
}

const UNWRITABLE_LIST: &str = "the revocation list cannot be written";

/// The certificate and the key of an authority.
#[derive(Debug)]
pub struct Authority {
    certificate: Certificate,
    key: SigningKey,
}

impl Authority {
    /// The authority that has this certificate and its key.
    pub fn new(certificate: Certificate, key: SigningKey) -> Result<Authority, &'static str> {
        if certificate.public_key_info() != key.public_key_info().ok() {
            return Err("the private key is not that of the certificate");
        }
        Ok(Authority { certificate, key })
    }

    /// A new authority that nobody vouches for.
    pub fn make_root(name: &str, not_before: SystemTime, not_after: SystemTime) -> Result<Authority, &'static str> {
        let key = SigningKey::generate_rsa()?;
        let public_key_info = key.public_key_info()?;
        let identifier = key_identifier(&public_key_info)?;
        let extensions = authority_extensions(&identifier, &identifier);
        let (serial, extensions) = (&[1], extensions.as_slice());
        let content =
            Certification { name, public_key_info: &public_key_info, serial, not_before, not_after, extensions };
        let certificate = sign(&content, name_of(name)?, &key)?;
        Ok(Authority { certificate, key })
    }

    /// A new authority that this one vouches for.
    pub fn make_authority(
        &self,
        name: &str,
        serial: &[u8],
        not_before: SystemTime,
        not_after: SystemTime,
    ) -> Result<Authority, &'static str> {
        let key = SigningKey::generate_rsa()?;
        let public_key_info = key.public_key_info()?;
        let extensions = authority_extensions(&key_identifier(&public_key_info)?, &self.key_identifier()?);
        let extensions = extensions.as_slice();
        let content =
            Certification { name, public_key_info: &public_key_info, serial, not_before, not_after, extensions };
        Ok(Authority { certificate: sign(&content, self.subject()?, &self.key)?, key })
    }

    /// The certificate of the authority.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The key of the authority.
    pub fn key(&self) -> &SigningKey {
        &self.key
    }

    /// A certificate for a node or a server. What all of them have is added to the extensions.
    pub fn certify(&self, content: &Certification<'_>) -> Result<Certificate, &'static str> {
        /// Shown to servers and to clients.
        const SERVER_AND_CLIENT: &[u8] =
            b"\x30\x14\x06\x08\x2b\x06\x01\x05\x05\x07\x03\x01\x06\x08\x2b\x06\x01\x05\x05\x07\x03\x02";
        /// Signatures and encryption of keys.
        const SIGN_AND_ENCRYPT: &[u8] = b"\x03\x02\x05\xa0";
        let mut extensions = vec![
            extension(NETSCAPE_COMMENT, false, comment()),
            extension(AUTHORITY_KEY_IDENTIFIER, false, der(0x30, &der(0x80, &self.key_identifier()?))),
            extension(BASIC_CONSTRAINTS, true, der(0x30, &[])),
            extension(EXTENDED_KEY_USAGE, true, SERVER_AND_CLIENT.to_vec()),
            extension(KEY_USAGE, true, SIGN_AND_ENCRYPT.to_vec()),
            extension(SUBJECT_KEY_IDENTIFIER, false, der(0x04, &key_identifier(content.public_key_info)?)),
        ];
        extensions.extend(content.extensions.iter().cloned());
        sign(&Certification { extensions: &extensions, ..*content }, self.subject()?, &self.key)
    }

    /// The list of what this authority has declared invalid: that of before, and more serials. Each list has a number.
    pub fn revoke(
        &self,
        before: Option<&RevocationList>,
        serials: &[Vec<u8>],
        now: SystemTime,
        next_update: SystemTime,
    ) -> Result<RevocationList, &'static str> {
        /// That somebody else may have the key.
        const REASON: &[u8] = b"\x0a\x01\x01";
        let mut revoked = match before {
            Some(before) => CertificateList::from_der(before.as_der())
                .map_err(|_| "the revocation list cannot be read")?
                .tbs_cert_list
                .revoked_certificates
                .unwrap_or_default(),
            None => Vec::new(),
        };
        for serial in serials {
            let serial = SerialNumber::new(serial).map_err(|_| UNWRITABLE_LIST)?;
            if revoked.iter().all(|known| known.serial_number != serial) {
                let reason = extensions(&[extension("2.5.29.21", false, REASON.to_vec())])?;
                revoked.push(RevokedCert {
                    serial_number: serial,
                    revocation_date: time(now)?,
                    crl_entry_extensions: Some(reason),
                });
            }
        }
        self.list(before, revoked, now, next_update)
    }

    /// A list of this authority's without those serials that are not to be kept, and how many those were.
    pub fn prune(
        &self,
        before: &RevocationList,
        keeps: &mut dyn FnMut(&[u8]) -> bool,
        now: SystemTime,
        next_update: SystemTime,
    ) -> Result<(RevocationList, usize), &'static str> {
        let list = CertificateList::from_der(before.as_der()).map_err(|_| "the revocation list cannot be read")?;
        let mut revoked = list.tbs_cert_list.revoked_certificates.unwrap_or_default();
        let count = revoked.len();
        revoked.retain(|entry| keeps(entry.serial_number.as_bytes()));
        let removed = count.saturating_sub(revoked.len());
        Ok((self.list(Some(before), revoked, now, next_update)?, removed))
    }

    /// The list that follows another one.
    fn list(
        &self,
        before: Option<&RevocationList>,
        revoked: Vec<RevokedCert>,
        now: SystemTime,
        next_update: SystemTime,
    ) -> Result<RevocationList, &'static str> {
        let number = before.map_or(0, |before| before.number().saturating_add(1));
        let crl_extensions = extensions(&[
            extension(AUTHORITY_KEY_IDENTIFIER, false, der(0x30, &der(0x80, &self.key_identifier()?))),
            extension("2.5.29.20", false, integer(number)),
        ])?;
        let content = TbsCertList {
            version: x509_cert::Version::V2,
            signature: self.key.algorithm(),
            issuer: self.subject()?,
            this_update: time(now)?,
            next_update: Some(time(next_update)?),
            revoked_certificates: (!revoked.is_empty()).then_some(revoked),
            crl_extensions: Some(crl_extensions),
        };
        let signature = self.key.sign(&encoded(&content)?)?;
        let list = CertificateList {
            tbs_cert_list: content,
            signature_algorithm: self.key.algorithm(),
            signature: BitString::from_bytes(&signature).map_err(|_| UNWRITABLE_LIST)?,
        };
        RevocationList::from_der(encoded(&list)?).ok_or(UNWRITABLE_LIST)
    }

    /// What names the authority's key in what it signs.
    fn key_identifier(&self) -> Result<Vec<u8>, &'static str> {
        match self.certificate.subject_key_identifier() {
            Some(identifier) => Ok(identifier),
            None => key_identifier(&self.key.public_key_info()?),
        }
    }

    fn subject(&self) -> Result<Name, &'static str> {
        let certificate = x509_cert::Certificate::from_der(self.certificate.as_der());
        Ok(certificate.map_err(|_| "the certificate of the authority cannot be read")?.tbs_certificate.subject)
    }
}

fn sign(content: &Certification<'_>, issuer: Name, key: &SigningKey) -> Result<Certificate, &'static str> {
    let content = TbsCertificate {
        version: x509_cert::Version::V3,
        serial_number: SerialNumber::new(content.serial).map_err(|_| UNWRITABLE)?,
        signature: key.algorithm(),
        issuer,
        validity: Validity { not_before: time(content.not_before)?, not_after: time(content.not_after)? },
        subject: name_of(content.name)?,
        subject_public_key_info: SubjectPublicKeyInfoOwned::from_der(content.public_key_info)
            .map_err(|_| "the public key cannot be read")?,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Some(extensions(content.extensions)?),
    };
    let signature = key.sign(&encoded(&content)?)?;
    let certificate = x509_cert::Certificate {
        tbs_certificate: content,
        signature_algorithm: key.algorithm(),
        signature: BitString::from_bytes(&signature).map_err(|_| UNWRITABLE)?,
    };
    Certificate::from_der(encoded(&certificate)?).ok_or(UNWRITABLE)
}

/// What says that the holder is an authority.
fn authority_extensions(identifier: &[u8], issuer: &[u8]) -> Vec<Extension> {
    vec![
        extension(BASIC_CONSTRAINTS, true, der(0x30, b"\x01\x01\xff")),
        extension(KEY_USAGE, true, b"\x03\x02\x01\x06".to_vec()),
        extension(SUBJECT_KEY_IDENTIFIER, false, der(0x04, identifier)),
        extension(NETSCAPE_COMMENT, false, comment()),
        extension(AUTHORITY_KEY_IDENTIFIER, false, der(0x30, &der(0x80, issuer))),
    ]
}

fn comment() -> Vec<u8> {
    der(0x16, b"Puppet Server Internal Certificate")
}

fn extension(oid: &str, is_critical: bool, value: Vec<u8>) -> Extension {
    Extension { oid: oid.to_owned(), is_critical, value }
}

pub(crate) fn extensions(extensions: &[Extension]) -> Result<x509_cert::ext::Extensions, &'static str> {
    let written = |extension: &Extension| {
        Some(x509_cert::ext::Extension {
            extn_id: ObjectIdentifier::new(&extension.oid).ok()?,
            critical: extension.is_critical,
            extn_value: OctetString::new(extension.value.as_slice()).ok()?,
        })
    };
    extensions.iter().map(written).collect::<Option<_>>().ok_or(UNWRITABLE)
}

pub(crate) fn encoded(value: &impl Encode) -> Result<Vec<u8>, &'static str> {
    value.to_der().map_err(|_| UNWRITABLE)
}

/// A name that consists of nothing but this common name.
pub(crate) fn name_of(common_name: &str) -> Result<Name, &'static str> {
    let attribute = der(0x30, &[b"\x06\x03\x55\x04\x03", der(0x0c, common_name.as_bytes()).as_slice()].concat());
    Name::from_der(&der(0x30, &der(0x31, &attribute))).map_err(|_| "the name cannot be written")
}

/// The SHA-1 of the bits of a public key, which is what others name it by.
fn key_identifier(public_key_info: &[u8]) -> Result<Vec<u8>, &'static str> {
    let info = SubjectPublicKeyInfoOwned::from_der(public_key_info).map_err(|_| "the public key cannot be read")?;
    Ok(Sha1::digest(info.subject_public_key.raw_bytes()).to_vec())
}

/// Until 2049 times have two digits for the year, later ones four.
fn time(time: SystemTime) -> Result<Time, &'static str> {
    const WRONG: &str = "the time cannot be written";
    let seconds = time.duration_since(UNIX_EPOCH).map_err(|_| WRONG)?.as_secs();
    let since = Duration::from_secs(seconds);
    UtcTime::from_unix_duration(since)
        .map(Time::UtcTime)
        .or_else(|_| GeneralizedTime::from_unix_duration(since).map(Time::GeneralTime))
        .map_err(|_| WRONG)
}

fn integer(number: u64) -> Vec<u8> {
    let mut digits: Vec<u8> = number.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
    if digits.first().is_none_or(|first| *first >= 0x80) {
        digits.insert(0, 0);
    }
    der(0x02, &digits)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::request::CertificateRequest;

    #[test]
    fn an_authority_certifies_and_revokes() {
        let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let later = now + Duration::from_secs(86_400 * 365 * 40);
        let root = Authority::make_root("Root", now, later).unwrap();
        let authority = root.make_authority("Signing", &[2], now, later).unwrap();
        assert_eq!(authority.certificate().issuer().unwrap(), "Root");
        assert_eq!(authority.certificate().authority_key_identifier(), root.certificate().subject_key_identifier());

        let key = SigningKey::generate_curve().unwrap();
        let key = SigningKey::from_pem(&key.to_pem()).unwrap();
        let role = Extension::of_string("1.3.6.1.4.1.34380.1.1.13", "web");
        let wanted = [role.clone(), Extension::of_names(["DNS:web1", "IP:::1"])];
        let request = CertificateRequest::make("web1", &key, &wanted).unwrap();
        let request = CertificateRequest::from_pem(&request.to_pem()).unwrap();
        assert!(request.is_signed_with_own_key());
        assert_eq!(request.name().unwrap(), "web1");
        assert_eq!(request.extensions(), wanted);
        assert_eq!(request.alternative_names(), ["DNS:web1", "IP:::1"]);

        let public_key_info = request.public_key_info().unwrap();
        let content = Certification {
            name: "web1",
            public_key_info: &public_key_info,
            serial: &[0x80, 1],
            not_before: now,
            not_after: later,
            extensions: &request.extensions(),
        };
        let certificate = authority.certify(&content).unwrap();
        assert_eq!(Certificate::all_from_pem(&certificate.to_pem()), std::slice::from_ref(&certificate));
        assert_eq!(certificate.serial(), [0x80, 1]);
        assert_eq!(certificate.validity().unwrap(), (1_800_000_000, 1_800_000_000 + 86_400 * 365 * 40));
        assert!(certificate.extensions().contains(&role));

        let none = authority.revoke(None, &[], now, later).unwrap();
        let list = authority.revoke(Some(&none), &[certificate.serial()], now, later).unwrap();
        let again = authority.revoke(Some(&list), &[certificate.serial()], now, later).unwrap();
        assert!(!none.is_revoked(&certificate.serial()) && list.is_revoked(&[0, 0x80, 1]));
        assert_eq!((none.number(), again.number(), again.serials().len()), (0, 2, 1));
        assert_eq!(RevocationList::all_from_pem(&format!("{}{}", list.to_pem(), none.to_pem())), [list, none]);

        assert!(Authority::new(authority.certificate().clone(), key).is_err());
        let kept = SigningKey::from_pem(&authority.key().to_pem()).unwrap();
        assert!(Authority::new(authority.certificate().clone(), kept).is_ok());
    }
}
