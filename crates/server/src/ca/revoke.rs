//! What is no longer valid: revoking, cleaning up, and the lists of other authorities.

use std::time::Duration;

use bunraku_pki::{Certificate, RevocationList};

use super::directory::{Lock, PUBLIC};
use super::{CRL_VALIDITY, CertificateAuthority, Refused};

/// A list that ends within this time is made anew.
const NEAR_END: Duration = Duration::from_secs(30 * 86_400);

impl CertificateAuthority {
    /// Revokes every certificate of a node that is in the inventory.
    pub fn revoke(&self, name: &str) -> Result<(), Refused> {
        let lock = self.directory.lock()?;
        match self.revoke_all(&[name.to_owned()], &lock)?.as_slice() {
            [] => Ok(()),
            _ => {
                let message = format!("Cannot revoke certificate for host {name} without a signed certificate");
                Err(Refused::new(409, message))
            }
        }
    }

    /// Revokes and removes what there is for names; gives back the names that had no certificate.
    pub fn clean(&self, names: &[String]) -> Result<Vec<String>, Refused> {
        let lock = self.directory.lock()?;
        let unknown = self.revoke_all(names, &lock)?;
        for name in names {
            self.remove(name)?;
        }
        Ok(unknown)
    }

    /// Removes the certificate and the request of a node without revoking anything; whether there was one.
    pub fn remove(&self, name: &str) -> Result<bool, Refused> {
        if !super::policy::is_file_name(name) {
            return Ok(false);
        }
        let certificate = self.directory.remove(&format!("signed/{name}.pem"))?;
        Ok(self.directory.remove(&format!("requests/{name}.pem"))? || certificate)
    }

    /// Removes the request of a node; whether there was one.
    pub fn remove_request(&self, name: &str) -> Result<bool, Refused> {
        Ok(super::policy::is_file_name(name) && self.directory.remove(&format!("requests/{name}.pem"))?)
    }

    /// The file that a request of a node would be in.
    pub fn request_path(&self, name: &str) -> String {
        self.directory.path(&format!("requests/{name}.pem")).display().to_string()
    }

    fn revoke_all(&self, names: &[String], _: &Lock) -> Result<Vec<String>, Refused> {
        let inventory = self.directory.read("inventory.txt").unwrap_or_default();
        let mut serials = Vec::new();
        let mut unknown = Vec::new();
        for name in names {
            let signed = self.certificate(name)?;
            let current = signed.as_deref().and_then(|text| Certificate::all_from_pem(text).into_iter().next());
            let before = serials.len();
            serials.extend(current.map(|certificate| certificate.serial()));
            let wanted = format!("/CN={name}");
            serials.extend(inventory.lines().filter_map(|line| {
                let mut words = line.split_whitespace();
                let serial = words.next()?.strip_prefix("0x")?;
                (words.nth(2)? == wanted)
                    .then(|| u64::from_str_radix(serial, 16).ok())?
                    .map(|it| it.to_be_bytes().to_vec())
            }));
            if serials.len() == before {
                unknown.push(name.clone());
            }
        }
        if !serials.is_empty() {
            self.add_to_list("ca_crl.pem", &serials)?;
        }
        // The short list is about the nodes that it is for.
        let infrastructure = self.directory.read("infra_inventory.txt").unwrap_or_default();
        if self.policy.serves_infra_crl && names.iter().any(|name| infrastructure.lines().any(|line| line == name)) {
            self.add_to_list("infra_crl.pem", &serials)?;
        }
        Ok(unknown)
    }

    /// Makes a list anew that is about to end, for agents believe none that has ended; whether there was one.
    pub fn renew_lists(&self) -> Result<bool, Refused> {
        let _lock = self.directory.lock()?;
        let soon = self.world.now().checked_add(NEAR_END).ok_or("the time is out of range")?;
        let soon = soon.duration_since(std::time::UNIX_EPOCH).map_or(0, |soon| soon.as_secs());
        let ends_soon = |file: &str| -> Result<bool, Refused> {
            let text = match self.directory.read(file) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
                other => other?,
            };
            let own = self.own_list(&RevocationList::all_from_pem(&text)).and_then(|list| list.next_update());
            Ok(own.is_some_and(|until| u64::try_from(until).is_ok_and(|until| until < soon)))
        };
        let mut renewed = false;
        for file in ["ca_crl.pem", "infra_crl.pem"] {
            if ends_soon(file)? {
                self.add_to_list(file, &[])?;
                renewed = true;
            }
        }
        Ok(renewed)
    }

    fn add_to_list(&self, file: &str, serials: &[Vec<u8>]) -> Result<(), Refused> {
        let lists = RevocationList::all_from_pem(&self.directory.read(file)?);
        let own = self.own_list(&lists);
        let now = self.world.now();
        let until = now.checked_add(CRL_VALIDITY).ok_or("the revocation list would be valid too long")?;
        let renewed = self.authority.revoke(own.as_ref(), serials, now, until)?;
        let others = lists.iter().filter(|list| Some(*list) != own.as_ref()).map(RevocationList::to_pem);
        let text: String = std::iter::once(renewed.to_pem()).chain(others).collect();
        self.directory.write(file, &text, PUBLIC)?;
        Ok(())
    }

    /// Takes newer lists of the authorities above this one.
    pub fn update_lists(&self, text: &str) -> Result<(), Refused> {
        let submitted = RevocationList::all_from_pem(text);
        if submitted.is_empty() {
            return Err(Refused::new(400, "No valid CRLs submitted."));
        }
        let _lock = self.directory.lock()?;
        let bundle = Certificate::all_from_pem(&self.bundle()?);
        if let Some(list) = submitted.iter().find(|list| !bundle.iter().any(|authority| list.is_made_by(authority))) {
            let message = format!("Invalid certs and/or CRLs: no authority here has made the list of {}", issuer(list));
            return Err(Refused::new(400, message));
        }
        let files = ["ca_crl.pem"].into_iter().chain(self.policy.serves_infra_crl.then_some("infra_crl.pem"));
        for file in files {
            let own = self.authority.certificate().name();
            let mut lists = RevocationList::all_from_pem(&self.directory.read(file)?);
            for known in lists.iter_mut().filter(|known| known.issuer() != own) {
                if let Some(newest) = newest(known, &submitted)? {
                    *known = newest;
                }
            }
            let text: String = lists.iter().map(RevocationList::to_pem).collect();
            self.directory.write(file, &text, PUBLIC)?;
        }
        Ok(())
    }
}

fn issuer(list: &RevocationList) -> String {
    list.issuer().unwrap_or_default()
}

/// The newest list of an authority among those submitted and the one that is known; nothing if none was submitted. Two lists
/// with the same number are a mistake, as in the reference.
fn newest(known: &RevocationList, submitted: &[RevocationList]) -> Result<Option<RevocationList>, Refused> {
    let mut all: Vec<&RevocationList> = Vec::new();
    for list in submitted.iter().filter(|list| list.issuer() == known.issuer()) {
        if !all.contains(&list) {
            all.push(list);
        }
    }
    if all.is_empty() {
        return Ok(None);
    }
    all.push(known);
    all.sort_by_key(|list| list.number());
    match all.as_slice() {
        [.., before, last] if before.number() < last.number() => Ok(Some((*last).clone())),
        _ => Err(Refused::new(400, "Could not determine newest CRL.")),
    }
}
