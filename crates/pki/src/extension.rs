//! What certificates and requests carry besides a name and a key.

use x509_parser::extensions::{GeneralName, ParsedExtension, SubjectAlternativeName, X509Extension};
use x509_parser::prelude::FromDer;

/// The names that a certificate is valid for, besides its own.
pub const SUBJECT_ALTERNATIVE_NAMES: &str = "2.5.29.17";
/// Whether the holder may issue certificates.
pub const BASIC_CONSTRAINTS: &str = "2.5.29.19";
/// What the key may do.
pub const KEY_USAGE: &str = "2.5.29.15";
/// What the certificate may be shown for.
pub const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
/// Which key this certificate is about.
pub const SUBJECT_KEY_IDENTIFIER: &str = "2.5.29.14";
/// Which key has signed.
pub const AUTHORITY_KEY_IDENTIFIER: &str = "2.5.29.35";
/// A remark for people.
pub const NETSCAPE_COMMENT: &str = "2.16.840.1.113730.1.13";

/// One extension, its value in DER.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// The identifier, in numbers with dots.
    pub oid: String,
    /// Whether who does not know it must refuse the certificate.
    pub is_critical: bool,
    /// The value in DER.
    pub value: Vec<u8>,
}

impl Extension {
    /// An extension whose value is a string.
    pub fn of_string(oid: &str, text: &str) -> Extension {
        Extension { oid: oid.to_owned(), is_critical: false, value: der(0x0c, text.as_bytes()) }
    }

    /// The names that a certificate is valid for: `DNS:…` and `IP:…`, others are left out.
    pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Extension {
        let name = |name: &str| match name.split_once(':') {
            Some(("DNS", name)) => der(0x82, name.as_bytes()),
            Some(("IP", address)) => match address.parse() {
                Ok(std::net::IpAddr::V4(address)) => der(0x87, &address.octets()),
                Ok(std::net::IpAddr::V6(address)) => der(0x87, &address.octets()),
                Err(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        let names: Vec<u8> = names.into_iter().flat_map(name).collect();
        Extension { oid: SUBJECT_ALTERNATIVE_NAMES.to_owned(), is_critical: false, value: der(0x30, &names) }
    }

    pub(crate) fn read(extension: &X509Extension<'_>) -> Extension {
        Extension {
            oid: extension.oid.to_id_string(),
            is_critical: extension.critical,
            value: extension.value.to_vec(),
        }
    }

    /// The names in an extension of alternative names, as OpenSSL shows them.
    pub fn alternative_names(&self) -> Vec<String> {
        SubjectAlternativeName::from_der(&self.value).map_or_else(|_| Vec::new(), |(_, found)| shown(&found).collect())
    }

    /// The string that the value is; bytes that are no string of DER stand for themselves.
    pub fn text(&self) -> String {
        /// UTF8String, PrintableString and IA5String.
        const STRINGS: [u8; 3] = [0x0c, 0x13, 0x16];
        let content = match self.value.split_first() {
            Some((tag, rest)) if STRINGS.contains(tag) => content(rest),
            _ => None,
        };
        String::from_utf8_lossy(content.unwrap_or(&self.value)).into_owned()
    }
}

/// What follows a length of DER, if it is as long as the length says.
fn content(bytes: &[u8]) -> Option<&[u8]> {
    let (first, rest) = bytes.split_first()?;
    let (length, rest) = match first {
        0..0x80 => (usize::from(*first), rest),
        _ => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length =
                length.iter().try_fold(0_usize, |sum, byte| sum.checked_mul(256)?.checked_add((*byte).into()))?;
            (length, rest)
        }
    };
    (rest.len() == length).then_some(rest)
}

/// A value of DER: its tag, its length, its content.
pub(crate) fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut bytes = vec![tag];
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => bytes.push(short),
        _ => {
            let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
            bytes.push(0x80 | u8::try_from(digits.len()).unwrap_or(0x7f));
            bytes.extend(digits);
        }
    }
    bytes.extend(content);
    bytes
}

/// The names in the extensions as OpenSSL shows them: `DNS:web1.example.com`, `IP:192.0.2.1`, and others by their kind.
pub(crate) fn alternative_names<'e>(extensions: impl Iterator<Item = &'e X509Extension<'e>>) -> Vec<String> {
    let mut names = Vec::new();
    for extension in extensions {
        if let ParsedExtension::SubjectAlternativeName(found) = extension.parsed_extension() {
            names.extend(shown(found));
        }
    }
    names
}

fn shown<'n>(names: &'n SubjectAlternativeName<'n>) -> impl Iterator<Item = String> + 'n {
    names.general_names.iter().map(|name| match name {
        GeneralName::DNSName(name) => format!("DNS:{name}"),
        GeneralName::IPAddress(bytes) => match (<[u8; 4]>::try_from(*bytes), <[u8; 16]>::try_from(*bytes)) {
            (Ok(bytes), _) => format!("IP:{}", std::net::Ipv4Addr::from(bytes)),
            (_, Ok(bytes)) => format!("IP:{}", std::net::Ipv6Addr::from(bytes)),
            _ => "IP:invalid".to_owned(),
        },
        GeneralName::RFC822Name(name) => format!("email:{name}"),
        GeneralName::URI(name) => format!("URI:{name}"),
        other => format!("other:{other:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_strings_of_der_or_bytes() {
        let check = |value: &[u8], expected: &str| {
            let extension = Extension { oid: String::new(), is_critical: false, value: value.to_vec() };
            assert_eq!(extension.text(), expected);
        };
        check(b"\x0c\x09webserver", "webserver");
        check(b"\x13\x03dc1", "dc1");
        check(b"plain", "plain");
        check(b"\x0c\x09short", "\u{c}\tshort");
        check(b"", "");
        let long = "x".repeat(300);
        check(&der(0x0c, long.as_bytes()), &long);
        assert_eq!(Extension::of_string("1.2", &long).text(), long);
    }

    #[test]
    fn names_are_written() {
        let extension = Extension::of_names(["DNS:a", "IP:192.0.2.1", "IP:nowhere"]);
        assert_eq!(extension.value, b"\x30\x09\x82\x01a\x87\x04\xc0\x00\x02\x01");
    }
}
