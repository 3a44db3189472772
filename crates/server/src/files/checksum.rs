//! Checksums of files, remembered as long as a file does not change.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use md5::Md5;
use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

/// How many checksums are remembered.
const MOST: usize = 200_000;
/// How much of a file the light kinds look at.
const LITE: u64 = 512;
/// How coarse the clocks of file systems are, in nanoseconds, with some to spare.
const COARSE: i128 = 50_000_000;

/// A kind of checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Md5,
    Md5Lite,
    Sha1,
    Sha1Lite,
    Sha224,
    Sha256,
    Sha256Lite,
    Sha384,
    Sha512,
    ModifiedTime,
    ChangedTime,
    None,
}

impl Kind {
    const ALL: [(&'static str, Kind); 12] = [
        ("sha256", Kind::Sha256),
        ("sha256lite", Kind::Sha256Lite),
        ("md5", Kind::Md5),
        ("md5lite", Kind::Md5Lite),
        ("sha1", Kind::Sha1),
        ("sha1lite", Kind::Sha1Lite),
        ("sha512", Kind::Sha512),
        ("sha384", Kind::Sha384),
        ("sha224", Kind::Sha224),
        ("mtime", Kind::ModifiedTime),
        ("ctime", Kind::ChangedTime),
        ("none", Kind::None),
    ];

    pub(crate) fn of(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// All names, in the reference's order.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Kind::ALL.iter().map(|(name, _)| *name)
    }

    pub(crate) fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("none", |(name, _)| name)
    }

    fn digest(self) -> Option<(Box<dyn DynDigest>, u64)> {
        Some(match self {
            Kind::Md5 => (Box::new(Md5::new()), u64::MAX),
            Kind::Md5Lite => (Box::new(Md5::new()), LITE),
            Kind::Sha1 => (Box::new(Sha1::new()), u64::MAX),
            Kind::Sha1Lite => (Box::new(Sha1::new()), LITE),
            Kind::Sha224 => (Box::new(Sha224::new()), u64::MAX),
            Kind::Sha256 => (Box::new(Sha256::new()), u64::MAX),
            Kind::Sha256Lite => (Box::new(Sha256::new()), LITE),
            Kind::Sha384 => (Box::new(Sha384::new()), u64::MAX),
            Kind::Sha512 => (Box::new(Sha512::new()), u64::MAX),
            Kind::ModifiedTime | Kind::ChangedTime | Kind::None => return None,
        })
    }

    /// The checksum of bytes, in hexadecimal digits; empty for kinds that are about files.
    pub(crate) fn of_bytes(self, bytes: &[u8]) -> String {
        let Some((mut digest, _)) = self.digest() else { return String::new() };
        digest.update(bytes);
        hexadecimal(&digest.finalize())
    }
}

/// What identifies the state of a file.
pub(crate) type Stamp = (u64, u64, u64, i64, i64, i64, i64);

/// The state of a file as the file system tells it.
pub(crate) fn stamp(found: &Metadata) -> Stamp {
    (found.dev(), found.ino(), found.len(), found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec())
}

/// Whether a file was changed so long ago that another change will give it another stamp: clocks of file systems are coarse.
fn is_settled((.., seconds, nanoseconds): Stamp) -> bool {
    let now = jiff::Timestamp::now();
    let elapsed = i128::from(now.as_second()).saturating_sub(seconds.into()).saturating_mul(1_000_000_000);
    elapsed.saturating_add(i128::from(now.subsec_nanosecond())).saturating_sub(nanoseconds.into()) > COARSE
}

/// What is remembered about files.
#[derive(Debug, Default)]
pub(crate) struct Checksums(Mutex<HashMap<(PathBuf, Kind), (Stamp, String)>>);

impl Checksums {
    /// The checksum of a file as the reference writes it: `{sha256}…`.
    pub(crate) fn of(&self, path: &Path, found: &Metadata, kind: Kind) -> io::Result<String> {
        let value = match kind {
            Kind::None => String::new(),
            Kind::ModifiedTime => time(found.mtime()),
            Kind::ChangedTime => time(found.ctime()),
            _ => self.sum(path, found, kind)?,
        };
        Ok(format!("{{{}}}{value}", kind.name()))
    }

    /// The checksum of a file's content, in hexadecimal digits.
    pub(crate) fn sum(&self, path: &Path, found: &Metadata, kind: Kind) -> io::Result<String> {
        let stamp = stamp(found);
        let key = (path.to_path_buf(), kind);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some((_, value)) = known.filter(|(known, _)| *known == stamp) {
            return Ok(value);
        }
        let value = read(path, kind)?;
        if !is_settled(stamp) {
            return Ok(value);
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, (stamp, value.clone()));
        Ok(value)
    }
}

fn read(path: &Path, kind: Kind) -> io::Result<String> {
    let Some((mut digest, most)) = kind.digest() else { return Ok(String::new()) };
    let mut file = File::open(path)?.take(most);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(hexadecimal(&digest.finalize()));
        }
        digest.update(buffer.get(..length).unwrap_or_default());
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A time as Ruby shows it.
fn time(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %z").to_string()
}
