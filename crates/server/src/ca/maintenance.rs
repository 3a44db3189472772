//! What is done to the files of an authority from time to time: its list made shorter, its inventory made whole.

use std::collections::{BTreeMap, HashSet};
use std::time::SystemTime;

use bunraku_pki::{Certificate, RevocationList};

use super::directory::PUBLIC;
use super::{CRL_VALIDITY, CertificateAuthority, Refused, shown_time};

/// What came of making the list shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pruned {
    /// How many entries there were.
    pub total: usize,
    /// How many of them were there already.
    pub duplicates: usize,
    /// How many were about certificates that have ended.
    pub expired: usize,
}

/// A line of the inventory: the serial, and the line.
type Lines = BTreeMap<u64, String>;

impl CertificateAuthority {
    /// Removes what is twice in the list of this authority, and, if that is wanted, certificates that have ended anyway.
    pub fn prune(&self, removes_expired: bool) -> Result<Pruned, Refused> {
        let _lock = self.directory.lock()?;
        let lists = RevocationList::all_from_pem(&self.directory.read("ca_crl.pem")?);
        let own = self.own_list(&lists).ok_or_else(|| Refused::new(409, "Could not identify Puppet's CRL."))?;
        let ended = if removes_expired { self.ended()? } else { HashSet::new() };
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let mut pruned = Pruned { total: own.serials().len(), duplicates: 0, expired: 0 };
        let mut keeps = |serial: &[u8]| {
            let is_first = seen.insert(serial.to_vec());
            let is_ended = number(serial).is_some_and(|serial| ended.contains(&serial));
            pruned.duplicates += usize::from(!is_first);
            pruned.expired += usize::from(is_first && is_ended);
            is_first && !is_ended
        };
        let now = self.world.now();
        let until = now.checked_add(CRL_VALIDITY).ok_or("the revocation list would be valid too long")?;
        let (renewed, removed) = self.authority.prune(&own, &mut keeps, now, until)?;
        if removed > 0 {
            let text = lists.iter().map(|list| if *list == own { renewed.to_pem() } else { list.to_pem() });
            self.directory.write("ca_crl.pem", &text.collect::<String>(), PUBLIC)?;
        }
        Ok(pruned)
    }

    /// The serials of certificates that have ended.
    fn ended(&self) -> Result<HashSet<u64>, Refused> {
        let now = shown_time(seconds(self.world.now()));
        let is_past = |line: &str| line.split_whitespace().nth(2).is_some_and(|until| until < now.as_str());
        Ok(self.inventory()?.into_iter().filter(|(_, line)| is_past(line)).map(|(serial, _)| serial).collect())
    }

    /// Makes the inventory whole again: a line for each certificate that is there, those of others as they are, each once.
    /// Gives back how many lines there are, and how many were missing.
    pub fn reinventory(&self) -> Result<(usize, usize), Refused> {
        let lock = self.directory.lock()?;
        let mut lines = self.inventory()?;
        let before = lines.len();
        for name in self.directory.names("signed")? {
            let text = self.certificate(&name)?.unwrap_or_default();
            let Some(certificate) = Certificate::all_from_pem(&text).into_iter().next() else {
                let path = self.directory.path(&format!("signed/{name}.pem"));
                return Err(Refused::new(409, format!("{}: there is no certificate in it", path.display())));
            };
            let Some(serial) = number(&certificate.serial()) else { continue };
            let (since, until) = certificate.validity().unwrap_or_default();
            let subject = certificate.name().unwrap_or_default();
            lines
                .entry(serial)
                .or_insert_with(|| format!("0x{serial:04X} {} {} /CN={subject}", shown_time(since), shown_time(until)));
        }
        let text: String = lines.values().map(|line| format!("{line}\n")).collect();
        self.directory.write("inventory.txt", &text, PUBLIC)?;
        if let Some(last) = lines.keys().next_back() {
            self.directory.raise_serial(last.saturating_add(1), &lock)?;
        }
        Ok((lines.len(), lines.len().saturating_sub(before)))
    }

    /// The lines of the inventory that can be read.
    fn inventory(&self) -> Result<Lines, Refused> {
        let text = match self.directory.read("inventory.txt") {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other?,
        };
        let line = |line: &str| {
            let serial = line.split_whitespace().next()?.strip_prefix("0x")?;
            let is_whole = line.split_whitespace().count() >= 4;
            is_whole.then(|| Some((u64::from_str_radix(serial, 16).ok()?, line.to_owned())))?
        };
        Ok(text.lines().filter_map(line).collect())
    }
}

/// A serial as a number; none that does not fit was ever given out here.
fn number(serial: &[u8]) -> Option<u64> {
    serial.iter().try_fold(0_u64, |sum, byte| sum.checked_mul(256)?.checked_add((*byte).into()))
}

fn seconds(time: SystemTime) -> i64 {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    i64::try_from(seconds).unwrap_or(i64::MAX)
}
