//! Certificates and RSA keys as PEM text, and whether a key made the signature of a certificate.

use bunraku_hiera::der::{self, Der};
use bunraku_pcore::data_types::Timestamp;
use bunraku_pcore::data_types::timestamp::Formats;
use md5::Md5;
use num_bigint::BigUint;
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// Algorithms of RSA Laboratories; the last number tells which.
const RSA_ALGORITHMS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
/// A key that is made of curves.
const ELLIPTIC_CURVE: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];

/// A certificate: what is signed, how, and the signature.
#[derive(Debug)]
pub(crate) struct Certificate {
    content: Vec<u8>,
    algorithm: Vec<u8>,
    signature: BigUint,
}

/// The public half of an RSA key.
#[derive(Debug)]
pub(crate) struct Key {
    modulus: BigUint,
    exponent: BigUint,
}

impl Certificate {
    /// The certificate in a text, or OpenSSL's reason why there is none.
    pub(crate) fn from_pem(text: &str) -> Result<Certificate, &'static str> {
        let (_, body) = pem(text, |label| matches!(label, "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE"))?;
        match der::decode_base64(body) {
            Some(bytes) if bytes.is_empty() => Err("PEM_read_bio_X509"),
            Some(bytes) => Certificate::from_der(&bytes).ok_or("PEM_read_bio_X509: ASN1 lib"),
            None => Err("PEM_read_bio_X509: bad base64 decode"),
        }
    }

    fn from_der(bytes: &[u8]) -> Option<Certificate> {
        let mut parts = Der(bytes).inside(der::SEQUENCE)?;
        let content = parts.whole()?.to_vec();
        let algorithm = parts.inside(der::SEQUENCE)?.expect(der::OBJECT_IDENTIFIER)?.to_vec();
        let (_, signature) = parts.expect(der::BIT_STRING)?.split_first()?;
        Some(Certificate { content, algorithm, signature: BigUint::from_bytes_be(signature) })
    }

    /// When the certificate begins and ceases to be valid, in seconds since the start of 1970.
    pub(crate) fn validity(&self) -> Option<(i64, i64)> {
        let mut parts = self.fields()?.inside(der::SEQUENCE)?;
        Some((seconds(&mut parts)?, seconds(&mut parts)?))
    }

    /// Where the certificate of the issuer is found: the last place that is named.
    pub(crate) fn ca_issuers(&self) -> Option<String> {
        let mut fields = self.fields()?;
        let mut extensions = loop {
            if let (EXTENSIONS, content) = fields.next()? {
                break Der(content).inside(der::SEQUENCE)?;
            }
        };
        let mut found = None;
        while let Some(mut extension) = extensions.inside(der::SEQUENCE) {
            if extension.expect(der::OBJECT_IDENTIFIER)? != AUTHORITY_INFORMATION_ACCESS {
                continue;
            }
            let (mut tag, mut content) = extension.next()?;
            if tag == BOOLEAN {
                (tag, content) = extension.next()?;
            }
            let mut ways = Der(content).inside(der::SEQUENCE).filter(|_| tag == der::OCTET_STRING)?;
            while let Some(mut way) = ways.inside(der::SEQUENCE) {
                if way.expect(der::OBJECT_IDENTIFIER)? == CA_ISSUERS {
                    found = way.next().map(|(_, place)| String::from_utf8_lossy(place).into_owned());
                }
            }
        }
        found
    }

    /// What is signed, from the validity on.
    fn fields(&self) -> Option<Der<'_>> {
        let mut fields = Der(&self.content).inside(der::SEQUENCE)?;
        let mut after_version = fields;
        if after_version.next()?.0 == der::CONTEXT_0 {
            fields = after_version;
        }
        for tag in [der::INTEGER, der::SEQUENCE, der::SEQUENCE] {
            fields.expect(tag)?;
        }
        Some(fields)
    }

    /// Whether the signature was made with the key; an error if the algorithm takes no such key.
    pub(crate) fn is_signed_with(&self, key: &Key) -> Result<bool, &'static str> {
        let Some((kind, RSA_ALGORITHMS)) = self.algorithm.split_last() else { return Err("wrong public key type") };
        let content = &self.content;
        let (name, digest): (&[u8], Vec<u8>) = match kind {
            4 => (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 5], Md5::digest(content).to_vec()),
            5 => (&[0x2b, 0x0e, 3, 2, 0x1a], Sha1::digest(content).to_vec()),
            11 => (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], Sha256::digest(content).to_vec()),
            12 => (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2], Sha384::digest(content).to_vec()),
            13 => (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3], Sha512::digest(content).to_vec()),
            14 => (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 4], Sha224::digest(content).to_vec()),
            _ => return Err("the algorithm of the signature is not supported"),
        };
        if key.modulus == BigUint::ZERO {
            return Ok(false);
        }
        let identifier = [element(der::OBJECT_IDENTIFIER, name), element(NULL, &[])].concat();
        let info = [element(der::SEQUENCE, &identifier), element(der::OCTET_STRING, &digest)].concat();
        let info = element(der::SEQUENCE, &info);
        // The leading zero is lost in a number; what stands before the digest is ones up to the length of the key.
        let length = key.modulus.to_bytes_be().len();
        let padding = length.saturating_sub(info.len() + 3);
        let expected = [vec![1], vec![0xff; padding], vec![0], info].concat();
        Ok(self.signature.modpow(&key.exponent, &key.modulus).to_bytes_be() == expected)
    }
}

const NULL: u8 = 0x05;
const BOOLEAN: u8 = 0x01;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// The extensions of a certificate.
const EXTENSIONS: u8 = 0xa3;
const AUTHORITY_INFORMATION_ACCESS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 1];
const CA_ISSUERS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 0x30, 2];

/// The next time, which has a year of two or of four digits and ends with `Z`.
fn seconds(parts: &mut Der<'_>) -> Option<i64> {
    let (tag, text) = parts.next()?;
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let text = match tag {
        UTC_TIME if text.get(..2)? < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let (year, rest) = text.split_at_checked(4)?;
    let time = Timestamp::parse(&format!("{year} {rest}"), Formats::One("%Y %m%d%H%M%S"), None).ok()?;
    i64::try_from(time.to_integer()).ok()
}

/// An element with content of less than 128 bytes.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap_or(u8::MAX);
    [&[tag, length], content].concat()
}

impl Key {
    /// The RSA key in a text, private or public, or OpenSSL's reason why there is none.
    pub(crate) fn from_pem(text: &str) -> Result<Key, &'static str> {
        let unsupported = "Neither PUB key nor PRIV key: unsupported";
        let (label, body) =
            pem(text, |label| label.ends_with(" KEY") || label == "PUBLIC KEY").map_err(|_| unsupported)?;
        let bytes = der::decode_base64(body).ok_or(unsupported)?;
        if label == "EC PRIVATE KEY" || names_elliptic_curve(&bytes) {
            return Err("incorrect pkey type: id-ecPublicKey");
        }
        let key = match label {
            "RSA PRIVATE KEY" => Key::from_private(&bytes),
            "PRIVATE KEY" => wrapped_private(&bytes).and_then(Key::from_private),
            "RSA PUBLIC KEY" => Key::from_public(&bytes),
            "PUBLIC KEY" => wrapped_public(&bytes).and_then(Key::from_public),
            _ => None,
        };
        key.ok_or(unsupported)
    }

    fn from_private(bytes: &[u8]) -> Option<Key> {
        let mut parts = Der(bytes).inside(der::SEQUENCE)?;
        parts.expect(der::INTEGER)?;
        Key::from_numbers(parts)
    }

    fn from_public(bytes: &[u8]) -> Option<Key> {
        Key::from_numbers(Der(bytes).inside(der::SEQUENCE)?)
    }

    fn from_numbers(mut parts: Der<'_>) -> Option<Key> {
        let mut number = || parts.expect(der::INTEGER).map(BigUint::from_bytes_be);
        Some(Key { modulus: number()?, exponent: number()? })
    }
}

fn wrapped_private(bytes: &[u8]) -> Option<&[u8]> {
    let mut parts = Der(bytes).inside(der::SEQUENCE)?;
    parts.expect(der::INTEGER)?;
    parts.expect(der::SEQUENCE)?;
    parts.expect(der::OCTET_STRING)
}

fn wrapped_public(bytes: &[u8]) -> Option<&[u8]> {
    let mut parts = Der(bytes).inside(der::SEQUENCE)?;
    parts.expect(der::SEQUENCE)?;
    parts.expect(der::BIT_STRING)?.split_first().map(|(_, key)| key)
}

/// Whether the algorithm that a wrapped key names is one of elliptic curves.
fn names_elliptic_curve(bytes: &[u8]) -> bool {
    let named = |is_private: bool| {
        let mut parts = Der(bytes).inside(der::SEQUENCE)?;
        if is_private {
            parts.expect(der::INTEGER)?;
        }
        parts.inside(der::SEQUENCE)?.expect(der::OBJECT_IDENTIFIER)
    };
    [true, false].into_iter().any(|is_private| named(is_private) == Some(ELLIPTIC_CURVE))
}

/// The label and the body of the first block in a text whose label is wanted.
fn pem(text: &str, is_wanted: impl Fn(&str) -> bool) -> Result<(&str, &str), &'static str> {
    let mut rest = text;
    while let Some((_, block)) = split_at_line(rest, "-----BEGIN ") {
        let (head, body) = block.split_once('\n').unwrap_or((block, ""));
        rest = body;
        let Some(label) = head.trim_end().strip_suffix("-----").filter(|label| is_wanted(label)) else { continue };
        let end = split_at_line(body, "-----END ")
            .filter(|(_, end)| end.strip_prefix(label).is_some_and(|end| end.starts_with("-----")));
        return end.map(|(body, _)| (label, body)).ok_or("PEM_read_bio_X509: bad end line");
    }
    Err("PEM_read_bio_X509: no start line")
}

/// What stands before the first line that begins with a mark, and the rest of that line and all that follows.
fn split_at_line<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = text
        .match_indices(mark)
        .map(|(at, _)| at)
        .find(|at| text.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with('\n')))?;
    Some((text.get(..at)?, text.get(at..)?.strip_prefix(mark)?))
}
