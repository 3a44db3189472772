//! `csr_attributes.yaml`: what a request for a certificate says besides a name. Extensions get into the certificate, custom
//! attributes are for whoever signs.

use std::path::Path;

use bunraku::notation::yaml;
use bunraku::{Hash, Settings, Value};
use bunraku_pki::{Extension, oids};

use crate::bootstrap::read;
use crate::text;

/// Attributes that carry extensions, under all their names: nobody else may use them.
const RESERVED: [&str; 4] = ["extReq", "1.2.840.113549.1.9.14", "msExtReq", "1.3.6.1.4.1.311.2.1.14"];

/// What a request says besides a name.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) extensions: Vec<Extension>,
    /// Identifiers and strings.
    pub(crate) attributes: Vec<(String, String)>,
}

impl Wanted {
    /// What the file and the settings say.
    pub(crate) fn of(settings: &Settings, name: &str) -> Result<Wanted, String> {
        let path = text(settings, "csr_attributes")?;
        let mut wanted = match read(Path::new(&path), "CSR attributes")? {
            Some(source) => Wanted::parse(&source, &path)?,
            None => Wanted::default(),
        };
        let names = settings.optional_text("dns_alt_names").map_err(|issue| issue.message().to_owned())?;
        wanted.extensions.extend(alternative_names(&names.unwrap_or_default(), name));
        Ok(wanted)
    }

    fn parse(source: &str, path: &str) -> Result<Wanted, String> {
        let document = yaml::load(source.as_bytes(), path).map_err(|error| error.to_string())?;
        let Some(Value::Hash(attributes)) = document.value else {
            return Err("invalid CSR attributes, expected instance of Hash".to_owned());
        };
        let mut wanted = Wanted::default();
        for (key, values) in attributes.iter() {
            match (key.as_str(), values) {
                (Some("extension_requests"), Value::Hash(requests)) => wanted.add_extensions(requests)?,
                (Some("custom_attributes"), Value::Hash(attributes)) => wanted.add_attributes(attributes)?,
                (other, _) => {
                    let other = other.unwrap_or_default();
                    return Err(format!("unexpected attributes [\"{other}\"] in \"{path}\""));
                }
            }
        }
        Ok(wanted)
    }

    fn add_extensions(&mut self, requests: &Hash) -> Result<(), String> {
        for (key, value) in requests.iter() {
            let key = key.to_string();
            let oid = numbers(&key).or_else(|| oids::of(&key));
            let oid =
                oid.ok_or_else(|| format!("Cannot create CSR with extension request {key}: unknown extension"))?;
            self.extensions.push(Extension::of_string(&oid, &value.to_string()));
        }
        Ok(())
    }

    fn add_attributes(&mut self, attributes: &Hash) -> Result<(), String> {
        for (key, value) in attributes.iter() {
            let key = key.to_string();
            if RESERVED.contains(&key.as_str()) {
                return Err(format!(
                    "Cannot specify CSR attribute {key}: conflicts with internally used CSR attribute"
                ));
            }
            let oid = numbers(&key).or_else(|| oids::of_attribute(&key));
            let oid = oid.ok_or_else(|| format!("Cannot create CSR with attribute {key}: unknown attribute"))?;
            self.attributes.push((oid, value.to_string()));
        }
        Ok(())
    }
}

/// A key that is an identifier in numbers.
fn numbers(key: &str) -> Option<String> {
    let is_oid = key.contains('.') && key.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    is_oid.then(|| key.to_owned())
}

/// The extension for the names that a machine has besides its own, which is always among them.
fn alternative_names(names: &str, own: &str) -> Option<Extension> {
    let typed = |name: &str| match name.contains(':') {
        true => name.to_owned(),
        false => format!("DNS:{name}"),
    };
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut all: Vec<String> = names.map(typed).collect();
    if all.is_empty() {
        return None;
    }
    all.push(format!("DNS:{own}"));
    all.sort_unstable();
    all.dedup();
    Some(Extension::of_names(all.iter().map(String::as_str)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_pki::{CertificateRequest, SigningKey};

    use super::*;

    #[test]
    fn attributes_are_for_who_signs() {
        let source = "custom_attributes:\n  1.2.840.113549.1.9.7: 342thbjkt82094y0ub8f5dbh\n  \
                      1.3.6.1.4.1.34380.1.2.1: 12\nextension_requests:\n  pp_role: web\n";
        let wanted = Wanted::parse(source, "csr_attributes.yaml").unwrap();
        let key = SigningKey::generate_curve().unwrap();
        let made = CertificateRequest::make_with_attributes("a.test", &key, &wanted.extensions, &wanted.attributes);
        let request = CertificateRequest::from_pem(&made.unwrap().to_pem()).unwrap();
        assert!(request.is_signed_with_own_key());
        assert_eq!(request.attribute("1.2.840.113549.1.9.7").as_deref(), Some("342thbjkt82094y0ub8f5dbh"));
        assert_eq!(request.attribute("1.3.6.1.4.1.34380.1.2.1").as_deref(), Some("12"));
        assert_eq!(request.extensions().first().map(Extension::text).as_deref(), Some("web"));
    }

    #[test]
    fn other_keys_are_refused() {
        let check = |source: &str, expected: &str| {
            assert_eq!(Wanted::parse(source, "f").unwrap_err(), expected);
        };
        check("- a\n", "invalid CSR attributes, expected instance of Hash");
        check("a: {}\n", "unexpected attributes [\"a\"] in \"f\"");
        let reserved = "Cannot specify CSR attribute extReq: conflicts with internally used CSR attribute";
        check("custom_attributes: { extReq: x }\n", reserved);
        let unknown = "Cannot create CSR with extension request nothing: unknown extension";
        check("extension_requests: { nothing: x }\n", unknown);
    }
}
