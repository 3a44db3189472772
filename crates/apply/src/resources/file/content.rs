//! What is in a file: from which values it is made, how it is compared, and how a difference is shown.

use std::io::Write;
use std::path::Path;

use bunraku_pcore::Value;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::property::inspected;
use crate::resource::Given;
use crate::write;

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
    pub(super) fn named(given: &Given<'_>, name: &str) -> Outcome<Digest> {
        match name {
            "mtime" | "ctime" | "none" | "etag" => {
                Err(given.refuse("checksum", &format!("files are not compared by '{name}' yet")))
            }
            _ => Ok(Digest(name.to_owned())),
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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that a value stands for.
pub(super) fn bytes(given: &Given<'_>, value: &Value) -> Outcome<Vec<u8>> {
    Ok(match value {
        Value::String(text) => text.as_bytes().to_vec(),
        Value::Binary(bytes) => bytes.bytes().to_vec(),
        // A list is joined without anything in between.
        Value::Array(elements) => {
            let parts: Outcome<Vec<Vec<u8>>> = elements.iter().map(|element| bytes(given, element)).collect();
            parts?.concat()
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
    let (path, mut file) = write::begin(&std::env::temp_dir().join("puppet-file")).map_err(wrong)?;
    let written = file.write_all(new).map_err(wrong);
    let (old, shown) = (old.display().to_string(), path.display().to_string());
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain([old.as_str(), shown.as_str()]).collect();
    let output = written.and_then(|()| {
        Execution::new(&arguments).drop_errors().run().map_err(|_| Fault::new("Could not show a difference"))
    });
    let _ = std::fs::remove_file(&path);
    Ok(output?.text)
}
