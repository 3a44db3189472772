//! Who a client is, as its certificate proves it.

use bunraku_pki::{Certificate, Extension};

/// The extension that lets its holder operate the certificate authority.
pub(crate) const PP_CLI_AUTH: &str = "1.3.6.1.4.1.34380.1.3.39";

/// What a certificate that was verified says.
#[derive(Debug, Clone)]
pub struct Client {
    /// The name.
    pub name: String,
    /// The certificate itself, unless somebody who ends TLS before this server tells only the name.
    pub certificate: Option<Certificate>,
}

impl Client {
    /// The client that has shown this certificate.
    pub fn new(certificate: Certificate) -> Option<Client> {
        Some(Client { name: certificate.name()?, certificate: Some(certificate) })
    }

    /// The client whose name and certificate somebody else tells, who has verified it: a distinguished name with `CN=`, in
    /// either of the usual forms, and a certificate of that name if there is one.
    pub(crate) fn told(distinguished_name: Option<&str>, certificate: Option<Certificate>) -> Option<Client> {
        let parts = distinguished_name.unwrap_or_default().split(['/', ',']).map(str::trim);
        let names = parts.filter_map(|part| part.split_once('=')).filter(|(key, _)| key.eq_ignore_ascii_case("CN"));
        let mut names = names.map(|(_, name)| name.to_owned());
        let shown = certificate.as_ref().and_then(Certificate::name);
        match (names.next(), names.next(), shown) {
            (Some(name), None, Some(shown)) if name != shown => None,
            (Some(name), None, _) => Some(Client { name, certificate }),
            (None, None, Some(name)) if distinguished_name.is_none() => Some(Client { name, certificate }),
            _ => None,
        }
    }

    /// Puppet's own extensions by their identifiers.
    pub fn extensions(&self) -> Vec<Extension> {
        let is_own = |extension: &Extension| extension.oid.starts_with("1.3.6.1.4.1.34380.1.");
        let certificate = self.certificate.iter();
        certificate.flat_map(Certificate::extensions).filter(is_own).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_in_either_form() {
        let check = |name: &str, expected: Option<&str>| {
            let told = Client::told(Some(name), None).map(|client| client.name);
            assert_eq!(told.as_deref(), expected, "{name}");
        };
        check("CN=web1.example.com", Some("web1.example.com"));
        check("/CN=web1.example.com", Some("web1.example.com"));
        check("O=Example, CN=web1.example.com", Some("web1.example.com"));
        check("CN=a,CN=b", None);
        check("O=Example", None);
        check("", None);
        assert!(Client::told(None, None).is_none());
    }
}
