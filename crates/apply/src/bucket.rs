//! Copies of files before they are changed, each under the checksum of what is in it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::place::Place;

/// Keeps a copy of a file in a directory of copies; a file that is not there needs none.
pub(crate) fn keep(directory: &Path, path: &Path) -> io::Result<()> {
    match store(directory, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        kept => kept.map(drop),
    }
}

/// Where the copy with a checksum is.
pub(crate) fn directory_of(bucket: &Path, sum: &str) -> PathBuf {
    let mut directory = bucket.to_owned();
    for letter in sum.chars().take(8) {
        directory.push(letter.to_string());
    }
    directory.join(sum)
}

/// The checksum that content is kept under.
pub(crate) fn sum_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keeps a copy of a file; gives its checksum.
pub(crate) fn store(bucket: &Path, original: &Path) -> io::Result<String> {
    let bytes = fs::read(original)?;
    let sum = sum_of(&bytes);
    let directory = directory_of(bucket, &sum);
    make(&directory)?;
    let contents = directory.join("contents");
    // What is damaged is written anew.
    if fs::read(&contents).ok().as_ref() != Some(&bytes) {
        put(&contents, &bytes, 0o440)?;
    }
    let paths = directory.join("paths");
    let known = fs::read_to_string(&paths).unwrap_or_default();
    let original = original.display().to_string();
    if !known.lines().any(|line| line == original) {
        put(&paths, format!("{known}{original}\n").as_bytes(), 0o640)?;
    }
    Ok(sum)
}

/// Makes a directory of the bucket and those above it; none of those that are there is touched.
fn make(directory: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = directory.ancestors().take_while(|path| !path.is_dir()).collect();
    for path in missing.into_iter().rev() {
        match Place::of(path).and_then(|place| place.make_directory(0o770, (None, None))) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let place = Place::of(path)?;
    let mut part = place.begin()?;
    part.file().write_all(bytes)?;
    part.belong((None, None), mode)?;
    part.finish()
}
