//! Certificates: how long they are valid, where their issuer's is found, and whether a key made the signature.

use md5::Md5;
use num_bigint::BigUint;
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{GeneralName, ParsedExtension};
use x509_parser::oid_registry::OID_PKIX_ACCESS_DESCRIPTOR_CA_ISSUERS;
use x509_parser::prelude::FromDer;

use crate::key::PublicKey;
use crate::pem::{self, Missing};

/// A certificate.
#[derive(Debug)]
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

    fn read(&self) -> Result<X509Certificate<'_>, &'static str> {
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

fn digest<D: Digest>(content: &[u8]) -> Vec<u8> {
    D::digest(content).to_vec()
}
