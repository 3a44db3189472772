//! What is no longer valid: revoking, cleaning up, and the lists of other authorities.

use bunraku_pki::{Certificate, RevocationList};

use super::directory::{Lock, PUBLIC};
use super::{CRL_VALIDITY, CertificateAuthority, Refused};

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
            self.add_to_list(&serials)?;
        }
        Ok(unknown)
    }

    fn add_to_list(&self, serials: &[Vec<u8>]) -> Result<(), Refused> {
        let lists = RevocationList::all_from_pem(&self.directory.read("ca_crl.pem")?);
        let own = self.own_list(&lists);
        let now = self.world.now();
        let until = now.checked_add(CRL_VALIDITY).ok_or("the revocation list would be valid too long")?;
        let renewed = self.authority.revoke(own.as_ref(), serials, now, until)?;
        let others = lists.iter().filter(|list| Some(*list) != own.as_ref()).map(RevocationList::to_pem);
        let text: String = std::iter::once(renewed.to_pem()).chain(others).collect();
        self.directory.write("ca_crl.pem", &text, PUBLIC)?;
        Ok(())
    }

    /// Takes newer lists of the authorities above this one.
    pub fn update_lists(&self, text: &str) -> Result<(), Refused> {
        let submitted = RevocationList::all_from_pem(text);
        if submitted.is_empty() {
            return Err(Refused::new(400, "No valid CRLs submitted."));
        }
        let _lock = self.directory.lock()?;
        let own = self.authority.certificate().name();
        let mut lists = RevocationList::all_from_pem(&self.directory.read("ca_crl.pem")?);
        for list in submitted {
            let issuer = list.issuer();
            if issuer == own {
                continue;
            }
            if let Some(known) =
                lists.iter_mut().find(|known| known.issuer() == issuer && known.number() < list.number())
            {
                *known = list;
            }
        }
        let text: String = lists.iter().map(RevocationList::to_pem).collect();
        self.directory.write("ca_crl.pem", &text, PUBLIC)?;
        Ok(())
    }
}
