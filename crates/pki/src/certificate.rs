//! Certificates: how long they are valid, where their issuer's is found, and whether a key made the signature.

use md5::Md5;
use num_bigint::BigUint;
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{GeneralName, ParsedExtension};
use x509_parser::oid_registry::OID_PKIX_ACCESS_DESCRIPTOR_CA_ISSUERS;
use x509_parser::prelude::FromDer;
use x509_parser::x509::X509Name;

use crate::extension::{Extension, alternative_names};
use crate::key::PublicKey;
use crate::pem::{self, Missing};

/// A certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(Vec<u8>);

impl Certificate {
    /// The certificate in a text, or OpenSSL's reason why there is none.
    pub fn from_pem(text: &str) -> Result<Certificate, &'static str> {
        let is_wanted = |label: &str| matches!(label, "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE");
        let (_, body) = pem::find(text, is_wanted).map_err(|missing| match missing {
            Missing::Start => "PEM_read_bio_X509: no start line",
            Missing::End => "PEM_read_bio_X509: bad end line",
        })?;
        let bytes = pem::decode_base64(body).ok_or("PEM_read_bio_X509: bad base64 decode")?;
        if bytes.is_empty() {
            return Err("PEM_read_bio_X509");
        }
        let certificate = Certificate(bytes);
        certificate.read()?;
        Ok(certificate)
    }

    /// A certificate in DER.
    pub fn from_der(bytes: Vec<u8>) -> Option<Certificate> {
        let certificate = Certificate(bytes);
        certificate.read().is_ok().then_some(certificate)
    }

    /// All certificates in a string, in their order.
    pub fn all_from_pem(text: &str) -> Vec<Certificate> {
        let all = pem::all(text, |label| label == "CERTIFICATE");
        all.into_iter().filter_map(Certificate::from_der).collect()
    }

    /// The certificate as a file has it.
    pub fn to_pem(&self) -> String {
        pem::encode("CERTIFICATE", &self.0)
    }

    /// The certificate in DER.
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }

    /// The name of the holder.
    pub fn name(&self) -> Option<String> {
        common_name(self.read().ok()?.subject())
    }

    /// The name of the authority.
    pub fn issuer(&self) -> Option<String> {
        common_name(self.read().ok()?.issuer())
    }

    /// All parts of the name of the holder, in their order.
    pub fn subject_parts(&self) -> Vec<NamePart> {
        self.read().map(|it| parts_of(it.subject())).unwrap_or_default()
    }

    /// All parts of the name of the authority.
    pub fn issuer_parts(&self) -> Vec<NamePart> {
        self.read().map(|it| parts_of(it.issuer())).unwrap_or_default()
    }

    /// Which certificate of the authority it is, most significant byte first, without leading zeros.
    pub fn serial(&self) -> Vec<u8> {
        let read = self.read();
        let serial = read.as_ref().map(|certificate| certificate.raw_serial()).unwrap_or_default();
        without_zeros(serial).to_vec()
    }

    /// The public key with the name of its algorithm, in DER.
    pub fn public_key_info(&self) -> Option<Vec<u8>> {
        Some(self.read().ok()?.public_key().raw.to_vec())
    }

    /// All extensions.
    pub fn extensions(&self) -> Vec<Extension> {
        let Ok(certificate) = self.read() else { return Vec::new() };
        certificate.extensions().iter().map(Extension::read).collect()
    }

    /// The names it is valid for, as OpenSSL shows them.
    pub fn alternative_names(&self) -> Vec<String> {
        let Ok(certificate) = self.read() else { return Vec::new() };
        alternative_names(certificate.extensions().iter())
    }

    /// What names the key it is about.
    pub fn subject_key_identifier(&self) -> Option<Vec<u8>> {
        let certificate = self.read().ok()?;
        certificate.extensions().iter().find_map(|extension| match extension.parsed_extension() {
            ParsedExtension::SubjectKeyIdentifier(identifier) => Some(identifier.0.to_vec()),
            _ => None,
        })
    }

    /// What names the key it was signed with.
    pub fn authority_key_identifier(&self) -> Option<Vec<u8>> {
        let certificate = self.read().ok()?;
        certificate.extensions().iter().find_map(|extension| match extension.parsed_extension() {
            ParsedExtension::AuthorityKeyIdentifier(identifier) => Some(identifier.key_identifier.as_ref()?.0.to_vec()),
            _ => None,
        })
    }

    pub(crate) fn read(&self) -> Result<X509Certificate<'_>, &'static str> {
        match X509Certificate::from_der(&self.0) {
            Ok((_, certificate)) => Ok(certificate),
            Err(_) => Err("PEM_read_bio_X509: ASN1 lib"),
        }
    }

    /// When the certificate begins and ceases to be valid, in seconds since the start of 1970.
    pub fn validity(&self) -> Option<(i64, i64)> {
        let validity = self.read().ok()?.tbs_certificate.validity;
        Some((validity.not_before.timestamp(), validity.not_after.timestamp()))
    }

    /// Where the certificate of the issuer is found: the last place that is named.
    pub fn ca_issuers(&self) -> Option<String> {
        let certificate = self.read().ok()?;
        let mut found = None;
        for extension in certificate.extensions() {
            let ParsedExtension::AuthorityInfoAccess(access) = extension.parsed_extension() else { continue };
            for description in &access.accessdescs {
                if description.access_method == OID_PKIX_ACCESS_DESCRIPTOR_CA_ISSUERS
                    && let GeneralName::URI(place) | GeneralName::DNSName(place) | GeneralName::RFC822Name(place) =
                        description.access_location
                {
                    found = Some(place.to_owned());
                }
            }
        }
        found
    }

    /// Whether the signature was made with the key; an error if the algorithm takes no such key.
    ///
    /// It tells that two files belong together, not that somebody may be trusted. So all that OpenSSL takes is taken,
    /// MD5 and keys of any size included, which the provider refuses; nothing here is secret.
    pub fn is_signed_with(&self, key: &PublicKey) -> Result<bool, &'static str> {
        let certificate = self.read()?;
        let content = certificate.tbs_certificate.as_ref();
        let algorithm = certificate.signature_algorithm.algorithm.to_id_string();
        let Some(kind) = algorithm.strip_prefix("1.2.840.113549.1.1.") else { return Err("wrong public key type") };
        // What PKCS#1 writes before each digest: the name of its algorithm, in DER.
        let (name, digest): (&[u8], Vec<u8>) = match kind {
            "4" => {
                (b"\x30\x20\x30\x0c\x06\x08\x2a\x86\x48\x86\xf7\x0d\x02\x05\x05\x00\x04\x10", digest::<Md5>(content))
            }
            "5" => (b"\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14", digest::<Sha1>(content)),
            "11" => (
                b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20",
                digest::<Sha256>(content),
            ),
            "12" => (
                b"\x30\x41\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x02\x05\x00\x04\x30",
                digest::<Sha384>(content),
            ),
            "13" => (
                b"\x30\x51\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03\x05\x00\x04\x40",
                digest::<Sha512>(content),
            ),
            "14" => (
                b"\x30\x2d\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x04\x05\x00\x04\x1c",
                digest::<Sha224>(content),
            ),
            _ => return Err("the algorithm of the signature is not supported"),
        };
        if key.modulus == BigUint::ZERO {
            return Ok(false);
        }
        // The leading zero is lost in a number; what stands before the digest is ones up to the length of the key.
        let length = key.modulus.to_bytes_be().len();
        let padding = length.saturating_sub(name.len() + digest.len() + 3);
        let expected = [&[1], vec![0xff; padding].as_slice(), &[0], name, &digest].concat();
        let signature = BigUint::from_bytes_be(&certificate.signature_value.data);
        Ok(signature.modpow(&key.exponent, &key.modulus).to_bytes_be() == expected)
    }
}

/// A part of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePart {
    /// What it is: `CN`, `O`, or the number of the kind.
    pub kind: String,
    /// The bytes of its text.
    pub value: Vec<u8>,
    /// Which kind of string it is.
    pub tag: u32,
}

/// Kinds of parts that have a short name.
const KINDS: [(&str, &str); 15] = [
    ("2.5.4.3", "CN"),
    ("2.5.4.4", "SN"),
    ("2.5.4.5", "serialNumber"),
    ("2.5.4.6", "C"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.9", "street"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("2.5.4.12", "title"),
    ("2.5.4.17", "postalCode"),
    ("2.5.4.42", "GN"),
    ("1.2.840.113549.1.9.1", "emailAddress"),
    ("0.9.2342.19200300.100.1.1", "UID"),
    ("0.9.2342.19200300.100.1.25", "DC"),
];

fn parts_of(name: &X509Name<'_>) -> Vec<NamePart> {
    let part = |attribute: &x509_parser::x509::AttributeTypeAndValue<'_>| {
        let number = attribute.attr_type().to_id_string();
        let kind = KINDS.iter().find(|(known, _)| *known == number).map_or(number.as_str(), |(_, short)| *short);
        let value = attribute.attr_value();
        NamePart { kind: kind.to_owned(), value: value.data.to_vec(), tag: value.tag().0 }
    };
    name.iter_attributes().map(part).collect()
}

/// The common name in the name of a holder or an authority.
pub(crate) fn common_name(name: &X509Name<'_>) -> Option<String> {
    name.iter_common_name().next()?.as_str().ok().map(str::to_owned)
}

/// Whether two numbers of bytes, most significant first, are the same.
pub(crate) fn is_same_number(one: &[u8], other: &[u8]) -> bool {
    without_zeros(one) == without_zeros(other)
}

fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

fn digest<D: Digest>(content: &[u8]) -> Vec<u8> {
    D::digest(content).to_vec()
}
