//! The certificate authority: the same files that Puppet Server keeps, so that an existing directory is taken over as it is.
//!
//! Everything that changes the directory holds its lock, so that servers and commands that share one do not disturb each
//! other; every file is replaced as a whole. What is written in which order: the next serial, the inventory, the
//! certificate. Whenever a process ends in between, a serial is lost at most, and no certificate is missing from the inventory.

mod autosign;
mod directory;
mod import;
mod issue;
mod maintenance;
mod policy;
mod renew;
mod revoke;
mod setup;
mod status;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bunraku::{Settings, World};
use bunraku_pki::{Authority, Certificate, RevocationList, SigningKey};

pub(crate) use autosign::Autosign;
pub(crate) use directory::{Directory, append_line, create_directory};
pub use import::Import;
pub use issue::Signed;
pub use maintenance::Pruned;
pub use setup::Setup;
pub use status::{State, Status, shown_time};

/// How long a new revocation list is said to hold.
const CRL_VALIDITY: Duration = Duration::from_secs(5 * 365 * 86_400);

/// What an operator may change about the authority.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Whether requests for further names may be signed by themselves.
    pub allows_alternative_names: bool,
    /// Whether requests for authorization extensions may be signed by themselves.
    pub allows_authorization_extensions: bool,
    /// Whether a name may have a second certificate.
    pub allows_duplicates: bool,
    /// Whether the list of infrastructure nodes is served instead of the whole one.
    pub serves_infra_crl: bool,
    /// Whether agents may renew their certificates, and for how long a renewed one is valid.
    pub renewal: Option<Duration>,
    /// How long certificates are valid.
    pub validity: Duration,
}

/// A certificate authority on disk.
pub struct CertificateAuthority {
    directory: Directory,
    policy: Policy,
    autosign: Autosign,
    authority: Authority,
    world: Arc<dyn World>,
}

/// Why the authority does not do what it was asked for: the status code of HTTP and what the client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The status code.
    pub status: u16,
    /// What is wrong.
    pub message: String,
}

impl Refused {
    fn new(status: u16, message: impl Into<String>) -> Refused {
        Refused { status, message: message.into() }
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::new(500, format!("Internal Server Error: {error}"))
    }
}

impl From<&'static str> for Refused {
    fn from(message: &'static str) -> Refused {
        Refused::new(500, format!("Internal Server Error: {message}"))
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl CertificateAuthority {
    /// The authority of the setting `cadir`; nothing if there is none.
    pub fn open(world: &Arc<dyn World>, settings: &Settings, policy: Policy) -> Result<Option<Self>, String> {
        let failed = |issue: bunraku::Issue| issue.to_string();
        let directory = Directory::new(&settings.text("cadir").map_err(failed)?);
        let certificate = match directory.read("ca_crt.pem") {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", directory.path("ca_crt.pem").display())),
        };
        let wrong =
            |name: &str, detail: &dyn std::fmt::Display| format!("{}: {detail}", directory.path(name).display());
        let certificate = Certificate::all_from_pem(&certificate).into_iter().next();
        let certificate = certificate.ok_or_else(|| wrong("ca_crt.pem", &"there is no certificate in it"))?;
        let key = directory.read("ca_key.pem").map_err(|error| wrong("ca_key.pem", &error))?;
        let key = SigningKey::from_pem(&key).map_err(|error| wrong("ca_key.pem", &error))?;
        let authority = Authority::new(certificate, key).map_err(|error| wrong("ca_key.pem", &error))?;
        let autosign = Autosign::read(&settings.text("autosign").map_err(failed)?);
        Ok(Some(CertificateAuthority { directory, policy, autosign, authority, world: world.clone() }))
    }

    /// The certificates of the authority and of those above it.
    pub fn bundle(&self) -> Result<String, Refused> {
        Ok(self.directory.read("ca_crt.pem")?)
    }

    /// The certificate of a node.
    pub fn certificate(&self, name: &str) -> Result<Option<String>, Refused> {
        self.found(name, "signed")
    }

    /// The request of a node that has not been signed yet.
    pub fn request(&self, name: &str) -> Result<Option<String>, Refused> {
        self.found(name, "requests")
    }

    fn found(&self, name: &str, kind: &str) -> Result<Option<String>, Refused> {
        if !policy::is_file_name(name) {
            return Ok(None);
        }
        match self.directory.read(&format!("{kind}/{name}.pem")) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The revocation lists of the authority and of those above it, and when they last changed.
    pub fn revocation_lists(&self) -> Result<(String, Option<std::time::SystemTime>), Refused> {
        let name = if self.policy.serves_infra_crl { "infra_crl.pem" } else { "ca_crl.pem" };
        let changed = std::fs::metadata(self.directory.path(name)).and_then(|found| found.modified()).ok();
        Ok((self.directory.read(name)?, changed))
    }

    /// The authority's own list; the first one in its file is that of others if the file was made by hand.
    fn own_list(&self, lists: &[RevocationList]) -> Option<RevocationList> {
        let name = self.authority.certificate().name();
        lists.iter().find(|list| list.issuer() == name).cloned()
    }

    /// Whether a certificate is no longer valid.
    fn is_revoked(&self, serial: &[u8]) -> Result<bool, Refused> {
        let lists = RevocationList::all_from_pem(&self.directory.read("ca_crl.pem")?);
        Ok(self.own_list(&lists).is_some_and(|list| list.is_revoked(serial)))
    }
}

impl std::fmt::Debug for CertificateAuthority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CertificateAuthority").field("directory", &self.directory).finish_non_exhaustive()
    }
}
