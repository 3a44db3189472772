//! What is in a file: from which values it is made, how it is compared, and how a difference is shown.

use std::fs::Metadata;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use bunraku_pcore::Value;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::place::Place;
use crate::property::inspected;
use crate::resource::Given;

use super::File;
use super::backup::Backup;

/// How many bytes the quick digests look at.
const QUICK: usize = 512;

/// How the content of files is compared.
#[derive(Debug, Clone)]
pub(super) struct Digest(String);

impl Default for Digest {
    fn default() -> Self {
        Digest("sha256".to_owned())
    }
}

impl Digest {
    /// The digest of a name.
    pub(super) fn named(name: &str) -> Digest {
        Digest(name.to_owned())
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// Whether a text can be such a digest.
    pub(super) fn is_valid(&self, text: &str) -> bool {
        let length = match self.0.trim_end_matches("lite") {
            "md5" => 32,
            "sha1" => 40,
            "sha224" => 56,
            "sha256" => 64,
            "sha384" => 96,
            "sha512" => 128,
            _ => return true,
        };
        text.len() == length && text.bytes().all(|it| it.is_ascii_hexdigit())
    }

    /// Whether files are compared by something else than what is in them.
    pub(super) fn is_of_source(&self) -> bool {
        matches!(self.0.as_str(), "mtime" | "ctime" | "none")
    }

    /// The digest of a file, as it is shown: `{mtime}…` where a time takes the place of what is in it.
    pub(super) fn of_file(&self, path: &Path, found: &Metadata) -> std::io::Result<String> {
        let name = self.name();
        Ok(match name {
            "mtime" => format!("{{mtime}}{}", time(found.mtime(), found.mtime_nsec())),
            "ctime" => format!("{{ctime}}{}", time(found.ctime(), found.ctime_nsec())),
            "none" => "{none}".to_owned(),
            _ if name.ends_with("lite") => {
                let mut start = Vec::with_capacity(QUICK);
                std::fs::File::open(path)?.take(QUICK as u64).read_to_end(&mut start)?;
                self.of(&start)
            }
            _ => self.of(&std::fs::read(path)?),
        })
    }

    /// Whether a file need not be replaced: it is the same, or not older where times are compared.
    pub(super) fn is_current(&self, current: &str, wanted: &str) -> bool {
        // What web servers say of times is in universal time, and written so.
        let time = |text: &str| {
            let time = text.split_once('}')?.1.replace(" UTC", " +0000");
            jiff::Zoned::strptime(TIME, time).ok()
        };
        match self.name() {
            "mtime" | "ctime" => match (time(current), time(wanted)) {
                (Some(current), Some(wanted)) => current >= wanted,
                _ => current == wanted,
            },
            _ => current == wanted,
        }
    }

    /// The digest of bytes, as it is shown: `{sha256}…`.
    pub(super) fn of(&self, bytes: &[u8]) -> String {
        let name = self.0.as_str();
        let (kind, bytes) = match name.strip_suffix("lite") {
            Some(kind) => (kind, bytes.get(..QUICK).unwrap_or(bytes)),
            None => (name, bytes),
        };
        let hex = match kind {
            "md5" => hex(&Md5::digest(bytes)),
            "sha1" => hex(&Sha1::digest(bytes)),
            "sha224" => hex(&Sha224::digest(bytes)),
            "sha384" => hex(&Sha384::digest(bytes)),
            "sha512" => hex(&Sha512::digest(bytes)),
            _ => hex(&Sha256::digest(bytes)),
        };
        format!("{{{name}}}{hex}")
    }
}

/// How times are written.
const TIME: &str = "%Y-%m-%d %H:%M:%S %z";

/// A time, as it is shown.
pub(super) fn time(seconds: i64, nanoseconds: i64) -> String {
    let nanoseconds = i32::try_from(nanoseconds).unwrap_or(0);
    let time = jiff::Timestamp::new(seconds, nanoseconds).unwrap_or_default();
    time.to_zoned(jiff::tz::TimeZone::system()).strftime(TIME).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is to be in a file.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    /// What a filebucket has under this checksum.
    Sum(String),
}

/// What a value says is to be in a file.
pub(super) fn build(given: &Given<'_>, value: &Value, context: &mut Context<'_>) -> Outcome<Content> {
    match value {
        Value::String(text) if super::super::matches(r"\A\{\w{3,9}\}\S+", text) => {
            let warning = "Using a checksum in a file's \"content\" property is deprecated. The ability to use a checksum \
                           to retrieve content from the filebucket using the \"content\" property will be removed in a \
                           future release. The literal value of the \"content\" property will be written to the file. \
                           The checksum retrieval functionality is being replaced by the use of static catalogs. See \
                           https://puppet.com/docs/puppet/latest/static_catalogs.html for more information.";
            let place = match (given.file, given.line) {
                (Some(file), Some(line)) => format!("(file: {file}, line: {line})"),
                _ => "(location unknown)".to_owned(),
            };
            context.log.say(Level::Warning, format!("{warning}\n   {place}"));
            Ok(Content::Sum(text.to_string()))
        }
        value => bytes(given, value).map(Content::Bytes),
    }
}

impl File {
    /// The content that a filebucket has under a checksum.
    pub(super) fn bucket_content(&self, sum: &str, context: &Context<'_>) -> Outcome<Vec<u8>> {
        let found = match &self.backup {
            Some(Backup::Bucket(_, bucket)) => bucket.content(sum.split_once('}').map_or(sum, |(_, hex)| hex), context),
            _ => Err(Fault::new("Could not get filebucket from file")),
        };
        found.map_err(|fault| Fault::new(format!("Could not retrieve content for {sum} from filebucket: {fault}")))
    }
}

/// The bytes that a value stands for.
fn bytes(given: &Given<'_>, value: &Value) -> Outcome<Vec<u8>> {
    Ok(match value {
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Binary(bytes) => bytes.bytes().to_vec(),
        // Compatibility: of a list, the last element is written.
        Value::Array(elements) => {
            let parts: Outcome<Vec<Vec<u8>>> = elements.iter().map(|element| bytes(given, element)).collect();
            parts?.pop().unwrap_or_default()
        }
        other => {
            let kind = match other {
                Value::Boolean(value) => value.to_string(),
                Value::Hash(_) => "Hash".to_owned(),
                Value::Integer(_) => "Integer".to_owned(),
                Value::Float(_) => "Float".to_owned(),
                other => inspected(other),
            };
            let reason = format!(
                "Munging failed for value {} in class content: no implicit conversion of {kind} into String",
                inspected(other)
            );
            return Err(given.refuse("content", &reason));
        }
    })
}

/// How a file differs from what it is to be, in the words of the program that shows differences.
pub(super) fn diff(old: &Path, new: &[u8], command: &[String]) -> Outcome<String> {
    let wrong = |error: std::io::Error| Fault::new(format!("Could not show a difference: {error}"));
    let place = Place::of(&std::env::temp_dir().join("puppet-file")).map_err(wrong)?;
    let mut part = place.begin().map_err(wrong)?;
    part.file().write_all(new).map_err(wrong)?;
    let (old, new) = (old.display().to_string(), part.path().display().to_string());
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain([old.as_str(), new.as_str()]).collect();
    // Compatibility: where there is no such program, it shows nothing.
    let Ok(output) = Execution::new(&arguments).drop_errors().run() else { return Ok(String::new()) };
    Ok(match output.is_text {
        true => output.text,
        false => format!("Binary files {old} and {new} differ"),
    })
}
