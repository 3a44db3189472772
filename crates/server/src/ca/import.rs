//! An authority that was made elsewhere, with those above it, takes over.

use std::time::SystemTime;

use bunraku::{Settings, World};
use bunraku_pki::{Authority, Certificate, Chain, Revocation, RevocationList, SigningKey};

use super::Directory;
use super::setup::{check_vacant, establish};

/// What an authority is taken over from.
pub struct Import<'i> {
    /// The settings of the server.
    pub settings: &'i Settings,
    /// The clock.
    pub world: &'i dyn World,
    /// The certificate of the authority, and those above it.
    pub bundle: &'i str,
    /// The private key of the authority.
    pub key: &'i str,
    /// The lists of what each of them has declared invalid.
    pub lists: &'i str,
}

impl Import<'_> {
    /// Makes the files of the authority, if its certificates, its key and the lists belong together and are valid.
    pub fn run(&self) -> Result<(), String> {
        let certificates = Certificate::all_from_pem(self.bundle);
        let first = certificates.first().ok_or("Could not find a certificate in the bundle")?;
        let key = SigningKey::from_pem(self.key).map_err(|error| format!("Could not read the private key: {error}"))?;
        let authority = Authority::new(first.clone(), key).map_err(|_| "Private key and certificate do not match")?;
        let lists = RevocationList::all_from_pem(self.lists);
        let now = self.world.now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_secs());
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let chain = Chain::verify(first, &certificates, &lists, Revocation::Chain, now)?;
        if let Some(warning) = chain.warning {
            return Err(warning);
        }
        let directory = self.settings.text("cadir").map_err(|issue| issue.to_string())?;
        let directory = Directory::new(&directory);
        let failed = |error: std::io::Error| format!("{}: {error}", directory.path("").display());
        directory.create().map_err(failed)?;
        let _lock = directory.lock().map_err(failed)?;
        check_vacant(&directory)?;
        let bundle: String = certificates.iter().map(Certificate::to_pem).collect();
        // The authority's own list is the first one.
        let (own, others): (Vec<_>, Vec<_>) = lists.into_iter().partition(|list| list.is_made_by(first));
        let lists: String = own.iter().chain(&others).map(RevocationList::to_pem).collect();
        establish(&directory, &authority, None, &bundle, &lists)
    }
}
