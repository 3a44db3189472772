//! Certificates in words, as OpenSSL prints them.

use std::fmt::Write as _;

use x509_parser::extensions::{GeneralName, ParsedExtension, X509Extension};
use x509_parser::public_key::PublicKey;
use x509_parser::time::ASN1Time;
use x509_parser::x509::{SubjectPublicKeyInfo, X509Name};

use crate::certificate::Certificate;

/// The names of identifiers.
const NAMES: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.1", "rsaEncryption"),
    ("1.2.840.113549.1.1.4", "md5WithRSAEncryption"),
    ("1.2.840.113549.1.1.5", "sha1WithRSAEncryption"),
    ("1.2.840.113549.1.1.11", "sha256WithRSAEncryption"),
    ("1.2.840.113549.1.1.12", "sha384WithRSAEncryption"),
    ("1.2.840.113549.1.1.13", "sha512WithRSAEncryption"),
    ("1.2.840.10045.2.1", "id-ecPublicKey"),
    ("1.2.840.10045.4.3.2", "ecdsa-with-SHA256"),
    ("1.2.840.10045.4.3.3", "ecdsa-with-SHA384"),
    ("1.2.840.10045.4.3.4", "ecdsa-with-SHA512"),
    ("2.5.29.14", "X509v3 Subject Key Identifier"),
    ("2.5.29.15", "X509v3 Key Usage"),
    ("2.5.29.17", "X509v3 Subject Alternative Name"),
    ("2.5.29.19", "X509v3 Basic Constraints"),
    ("2.5.29.35", "X509v3 Authority Key Identifier"),
    ("2.5.29.37", "X509v3 Extended Key Usage"),
    ("2.16.840.1.113730.1.13", "Netscape Comment"),
    ("1.3.6.1.4.1.34380.1.1.1", "Puppet Node UUID"),
    ("1.3.6.1.4.1.34380.1.1.2", "Puppet Node Instance ID"),
    ("1.3.6.1.4.1.34380.1.1.3", "Puppet Node Image Name"),
    ("1.3.6.1.4.1.34380.1.1.4", "Puppet Node Preshared Key"),
    ("1.3.6.1.4.1.34380.1.1.5", "Puppet Node Cost Center Name"),
    ("1.3.6.1.4.1.34380.1.1.6", "Puppet Node Product Name"),
    ("1.3.6.1.4.1.34380.1.1.7", "Puppet Node Project Name"),
    ("1.3.6.1.4.1.34380.1.1.8", "Puppet Node Application Name"),
    ("1.3.6.1.4.1.34380.1.1.9", "Puppet Node Service Name"),
    ("1.3.6.1.4.1.34380.1.1.10", "Puppet Node Employee Name"),
    ("1.3.6.1.4.1.34380.1.1.11", "Puppet Node created_by Tag"),
    ("1.3.6.1.4.1.34380.1.1.12", "Puppet Node Environment Name"),
    ("1.3.6.1.4.1.34380.1.1.13", "Puppet Node Role Name"),
    ("1.3.6.1.4.1.34380.1.1.14", "Puppet Node Software Version"),
    ("1.3.6.1.4.1.34380.1.1.15", "Puppet Node Department Name"),
    ("1.3.6.1.4.1.34380.1.1.16", "Puppet Node Cluster Name"),
    ("1.3.6.1.4.1.34380.1.1.17", "Puppet Node Provisioner Name"),
    ("1.3.6.1.4.1.34380.1.1.18", "Puppet Node Region Name"),
    ("1.3.6.1.4.1.34380.1.1.19", "Puppet Node Datacenter Name"),
    ("1.3.6.1.4.1.34380.1.1.20", "Puppet Node Zone Name"),
    ("1.3.6.1.4.1.34380.1.1.21", "Puppet Node Network Name"),
    ("1.3.6.1.4.1.34380.1.1.22", "Puppet Node Security Policy Name"),
    ("1.3.6.1.4.1.34380.1.1.23", "Puppet Node Cloud Platform Name"),
    ("1.3.6.1.4.1.34380.1.1.24", "Puppet Node Application Tier"),
    ("1.3.6.1.4.1.34380.1.1.25", "Puppet Node Hostname"),
    ("1.3.6.1.4.1.34380.1.1.26", "Puppet Node Owner"),
    ("1.3.6.1.4.1.34380.1.3.1", "Certificate Extension Authorization"),
    ("1.3.6.1.4.1.34380.1.3.2", "Auto-Renew Certificate Attribute"),
    ("1.3.6.1.4.1.34380.1.3.13", "Puppet Node Role Name for Authorization"),
    ("1.3.6.1.4.1.34380.1.3.39", "Puppetserver CA CLI Authorization"),
];

/// The short names of what names are made of.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("2.5.4.3", "CN"),
    ("2.5.4.6", "C"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("1.2.840.113549.1.9.1", "emailAddress"),
];

/// The curves with their names, those of NIST, and their sizes in bits.
const CURVES: &[(&str, &str, &str, usize)] = &[
    ("1.2.840.10045.3.1.7", "prime256v1", "P-256", 256),
    ("1.3.132.0.34", "secp384r1", "P-384", 384),
    ("1.3.132.0.35", "secp521r1", "P-521", 521),
];

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Certificate {
    /// All that the certificate says, as OpenSSL prints it.
    pub fn to_text(&self) -> Result<String, &'static str> {
        let certificate = self.read()?;
        let algorithm = named(NAMES, &certificate.signature_algorithm.algorithm.to_id_string());
        let version = certificate.version().0;
        let mut text = format!("Certificate:\n    Data:\n        Version: {} (0x{version:x})\n", version + 1);
        text.push_str(&serial(&self.serial()));
        let names = [certificate.issuer(), certificate.subject()].map(|name| parts(name).join(", "));
        let [issuer, subject] = names;
        let validity = certificate.validity();
        let (since, until) = (time(validity.not_before), time(validity.not_after));
        _ = write!(
            text,
            "        Signature Algorithm: {algorithm}\n        Issuer: {issuer}\n        Validity\n            \
             Not Before: {since}\n            Not After : {until}\n        Subject: {subject}\n        \
             Subject Public Key Info:\n"
        );
        text.push_str(&public_key(certificate.public_key()));
        if !certificate.extensions().is_empty() {
            text.push_str("        X509v3 extensions:\n");
            certificate.extensions().iter().for_each(|it| text.push_str(&extension(it)));
        }
        let signature = bytes(&certificate.signature_value.data, 18, 8);
        _ = write!(text, "    Signature Algorithm: {algorithm}\n    Signature Value:\n{signature}");
        Ok(text)
    }

    /// The name of the holder with all its parts, as RFC 2253 has it.
    pub fn subject(&self) -> Option<String> {
        self.read().ok().map(|certificate| distinguished_name(certificate.subject()))
    }
}

/// A name as RFC 2253 has it: what is most particular first.
pub(crate) fn distinguished_name(name: &X509Name<'_>) -> String {
    let escaped = |part: String| match part.split_once('=') {
        Some((kind, value)) => format!("{kind}={}", escape(value)),
        None => part,
    };
    let mut parts: Vec<String> = parts(name).into_iter().map(escaped).collect();
    parts.reverse();
    parts.join(",")
}

/// A value in a name, in which RFC 2253 gives some characters a meaning.
fn escape(value: &str) -> String {
    let last = value.chars().count().saturating_sub(1);
    let mut text = String::with_capacity(value.len());
    for (at, character) in value.chars().enumerate() {
        let is_at_edge = (at == 0 && matches!(character, '#' | ' ')) || (at == last && character == ' ');
        if is_at_edge || matches!(character, ',' | '+' | '"' | '\\' | '<' | '>' | ';') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// The parts of a name in their order.
fn parts(name: &X509Name<'_>) -> Vec<String> {
    let part = |attribute: &x509_parser::x509::AttributeTypeAndValue<'_>| {
        let value = attribute.as_str().map_or_else(|_| printable(attribute.as_slice()), str::to_owned);
        format!("{}={value}", named(ATTRIBUTES, &attribute.attr_type().to_id_string()))
    };
    name.iter_attributes().map(part).collect()
}

fn named(names: &[(&str, &str)], oid: &str) -> String {
    names.iter().find(|(known, _)| *known == oid).map_or(oid, |(_, name)| name).to_owned()
}

/// A number that fits a machine's word in both systems, any other as bytes.
fn serial(number: &[u8]) -> String {
    let small = number.len() < 8 || (number.len() == 8 && number.first().is_some_and(|first| *first < 0x80));
    if small {
        let value = number.iter().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        return format!("        Serial Number: {value} (0x{value:x})\n");
    }
    format!("        Serial Number:\n            {}\n", joined(number))
}

fn joined(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":")
}

/// Bytes in lines, each of which but the last ends with a colon.
fn bytes(bytes: &[u8], width: usize, indent: usize) -> String {
    let lines: Vec<String> = bytes.chunks(width).map(|line| format!("{:indent$}{}", "", joined(line))).collect();
    lines.join(":\n") + "\n"
}

fn time(time: ASN1Time) -> String {
    let time = time.to_datetime();
    let month = MONTHS.get(usize::from(u8::from(time.month())).saturating_sub(1)).copied().unwrap_or_default();
    let (hour, minute, second) = time.to_hms();
    format!("{month} {:2} {hour:02}:{minute:02}:{second:02} {} GMT", time.day(), time.year())
}

fn public_key(info: &SubjectPublicKeyInfo<'_>) -> String {
    let algorithm = named(NAMES, &info.algorithm.algorithm.to_id_string());
    let mut text = format!("            Public Key Algorithm: {algorithm}\n");
    match info.parsed() {
        Ok(PublicKey::RSA(key)) => {
            let modulus = match key.modulus.first() {
                Some(first) if *first >= 0x80 => [&[0], key.modulus].concat(),
                _ => key.modulus.to_vec(),
            };
            let exponent = key.try_exponent().unwrap_or_default();
            _ = write!(
                text,
                "                Public-Key: ({} bit)\n                Modulus:\n{}                \
                 Exponent: {exponent} (0x{exponent:x})\n",
                bits(key.modulus),
                bytes(&modulus, 15, 20)
            );
        }
        Ok(PublicKey::EC(point)) => {
            let curve = info.algorithm.parameters.as_ref().and_then(|it| it.as_oid().ok()).map(|it| it.to_id_string());
            let curve = CURVES.iter().find(|(oid, ..)| Some(*oid) == curve.as_deref());
            let size = curve.map_or(point.key_size(), |(.., size)| *size);
            _ = write!(text, "                Public-Key: ({size} bit)\n                pub:\n");
            text.push_str(&bytes(point.data(), 15, 20));
            if let Some((_, name, nist, _)) = curve {
                _ = write!(text, "                ASN1 OID: {name}\n                NIST CURVE: {nist}\n");
            }
        }
        _ => text.push_str("            Unable to load Public Key\n"),
    }
    text
}

fn bits(number: &[u8]) -> usize {
    let number: Vec<u8> = number.iter().copied().skip_while(|byte| *byte == 0).collect();
    let leading = number.first().map_or(0, |first| first.leading_zeros() as usize);
    (8 * number.len()).saturating_sub(leading)
}

fn extension(extension: &X509Extension<'_>) -> String {
    let name = named(NAMES, &extension.oid.to_id_string());
    let critical = if extension.critical { "critical" } else { "" };
    let value = match extension.parsed_extension() {
        ParsedExtension::SubjectKeyIdentifier(key) => joined(key.0).to_uppercase(),
        ParsedExtension::AuthorityKeyIdentifier(key) => {
            let id = key.key_identifier.as_ref().map(|key| joined(key.0).to_uppercase()).unwrap_or_default();
            let (issuer, serial) = (key.authority_cert_issuer.as_deref(), key.authority_cert_serial);
            let mut lines = match issuer.is_some() || serial.is_some() {
                true => vec![format!("keyid:{id}")],
                false => vec![id],
            };
            lines.extend(issuer.unwrap_or_default().iter().map(general_name));
            lines.extend(serial.map(|serial| format!("serial:{}", joined(serial).to_uppercase())));
            lines.join("\n                ")
        }
        ParsedExtension::BasicConstraints(constraints) => {
            let length = constraints.path_len_constraint.map(|length| format!(", pathlen:{length}"));
            format!("CA:{}{}", constraints.ca.to_string().to_uppercase(), length.unwrap_or_default())
        }
        ParsedExtension::KeyUsage(usage) => {
            const USES: [&str; 9] = [
                "Digital Signature",
                "Non Repudiation",
                "Key Encipherment",
                "Data Encipherment",
                "Key Agreement",
                "Certificate Sign",
                "CRL Sign",
                "Encipher Only",
                "Decipher Only",
            ];
            let uses = USES.iter().enumerate().filter(|(at, _)| usage.flags & (1 << at) != 0);
            uses.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
        }
        ParsedExtension::ExtendedKeyUsage(usage) => {
            let uses = [
                (usage.server_auth, "TLS Web Server Authentication"),
                (usage.client_auth, "TLS Web Client Authentication"),
                (usage.code_signing, "Code Signing"),
                (usage.email_protection, "E-mail Protection"),
                (usage.time_stamping, "Time Stamping"),
                (usage.ocsp_signing, "OCSP Signing"),
                (usage.any, "Any Extended Key Usage"),
            ];
            let known = uses.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.to_owned());
            known.chain(usage.other.iter().map(|it| it.to_id_string())).collect::<Vec<_>>().join(", ")
        }
        ParsedExtension::SubjectAlternativeName(names) => {
            names.general_names.iter().map(general_name).collect::<Vec<_>>().join(", ")
        }
        ParsedExtension::NsCertComment(comment) => (*comment).to_owned(),
        _ => printable(extension.value),
    };
    format!("            {name}: {critical}\n                {value}\n")
}

fn general_name(name: &GeneralName<'_>) -> String {
    match name {
        GeneralName::DNSName(name) => format!("DNS:{name}"),
        GeneralName::RFC822Name(name) => format!("email:{name}"),
        GeneralName::URI(name) => format!("URI:{name}"),
        GeneralName::DirectoryName(name) => format!("DirName:/{}", parts(name).join("/")),
        GeneralName::RegisteredID(oid) => format!("Registered ID:{}", oid.to_id_string()),
        GeneralName::IPAddress(address) => match (<[u8; 4]>::try_from(*address), <[u8; 16]>::try_from(*address)) {
            (Ok(address), _) => format!("IP Address:{}", std::net::Ipv4Addr::from(address)),
            (_, Ok(address)) => {
                let groups = std::net::Ipv6Addr::from(address).segments().map(|group| format!("{group:X}"));
                format!("IP Address:{}", groups.join(":"))
            }
            _ => "IP Address:<invalid>".to_owned(),
        },
        _ => "othername:<unsupported>".to_owned(),
    }
}

/// Bytes as text, with a dot for each that cannot be shown.
fn printable(bytes: &[u8]) -> String {
    let shown = |byte: &u8| if matches!(byte, b'\n' | b'\r' | b' '..=b'~') { char::from(*byte) } else { '.' };
    bytes.iter().map(shown).collect()
}
