//! Who a client is, as its certificate proves it.

use bunraku_pki::{Certificate, Extension};

/// The extension that lets its holder operate the certificate authority.
pub(crate) const PP_CLI_AUTH: &str = "1.3.6.1.4.1.34380.1.3.39";

/// What a certificate that was verified says.
#[derive(Debug, Clone)]
pub struct Client {
    /// The name.
    pub name: String,
    /// The certificate itself.
    pub certificate: Certificate,
}

impl Client {
    /// The client that has shown this certificate.
    pub fn new(certificate: Certificate) -> Option<Client> {
        Some(Client { name: certificate.name()?, certificate })
    }

    /// Puppet's own extensions by their identifiers.
    pub fn extensions(&self) -> Vec<Extension> {
        let is_own = |extension: &Extension| extension.oid.starts_with("1.3.6.1.4.1.34380.1.");
        self.certificate.extensions().into_iter().filter(is_own).collect()
    }
}
