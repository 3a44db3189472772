//! The identity of this machine as its files have it: nobody is asked, and nothing is made.

use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use bunraku::{Disk, Settings, World};
use bunraku_pki::{Certificate, Chain, Revocation, RevocationList, SigningKey};

use crate::text;
use crate::tls::Identity;

impl Identity {
    /// The certificate of this machine with everything around it, and the chain that it is the first of. The key is that
    /// of the certificate, and a trusted authority has issued it.
    pub fn kept(settings: &Settings) -> Result<(Identity, Chain), String> {
        let name = text(settings, "certname")?;
        let revocation = revocation(settings)?;
        let authorities = Certificate::all_from_pem(&read(
            settings,
            "localcacert",
            "The CA certificates are missing",
            "CA certificates from",
        )?);
        if authorities.is_empty() {
            return Err("Failed to parse CA certificates as PEM".to_owned());
        }
        let mut lists = Vec::new();
        if revocation.is_some() {
            lists = RevocationList::all_from_pem(&read(settings, "hostcrl", "The CRL is missing", "CRLs from")?);
            if lists.is_empty() {
                return Err("Failed to parse CRLs as PEM".to_owned());
            }
        }
        let key = read_key(&name, &read(settings, "hostprivkey", "The private key is missing", "private key from")?)?;
        let pem = read(settings, "hostcert", "The client certificate is missing", "client certificate from")?;
        let certificate = Certificate::from_pem(&pem)?;
        let now = Disk.now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let strictness = revocation.unwrap_or(Revocation::None);
        let chain = Chain::verify(&certificate, &authorities, &lists, strictness, now)?;
        if certificate.public_key_info() != key.public_key_info().ok() {
            let subject = certificate.subject().unwrap_or_default();
            return Err(format!("The certificate for '{subject}' does not match its private key"));
        }
        Ok((Identity { authorities, lists, revocation, own: Some((certificate, key)) }, chain))
    }
}

/// Whose lists of revoked certificates are asked; nothing if nobody's are.
pub(crate) fn revocation(settings: &Settings) -> Result<Option<Revocation>, String> {
    Ok(match text(settings, "certificate_revocation")?.as_str() {
        "false" => None,
        "leaf" => Some(Revocation::Leaf),
        _ => Some(Revocation::Chain),
    })
}

/// The private key of a node.
pub(crate) fn read_key(name: &str, pem: &str) -> Result<Arc<SigningKey>, String> {
    let wrong = |reason: &str| format!("Failed to load private key for host '{name}': {reason}");
    if pem.contains("ENCRYPTED") {
        return Err(wrong("keys with a password are not read here; decrypt it with `openssl pkey`"));
    }
    SigningKey::from_pem(pem).map(Arc::new).map_err(wrong)
}

/// The file that a setting names, or what is said if there is none.
fn read(settings: &Settings, setting: &str, missing: &str, what: &str) -> Result<String, String> {
    let path = text(settings, setting)?;
    if !Path::new(&path).exists() {
        return Err(format!("{missing} from '{path}'"));
    }
    let bytes =
        Disk.read(&path).map_err(|error| format!("Failed to load {what} '{path}': {}", bunraku::reason(&error)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
