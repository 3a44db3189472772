//! Copies of files before they are changed, each under the checksum of what is in it.

use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::write;

/// Keeps a copy of a file in a directory of copies; a file that is not there needs none.
pub(crate) fn keep(directory: &Path, path: &Path) -> io::Result<()> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let checksum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut place = directory.to_owned();
    place.extend(checksum.chars().take(8).map(String::from));
    place.push(&checksum);
    std::fs::DirBuilder::new().recursive(true).mode(0o770).create(&place)?;
    let contents = place.join("contents");
    if !contents.exists() {
        let (part, mut file) = write::begin(&contents)?;
        io::Write::write_all(&mut file, &bytes)?;
        file.set_permissions(std::fs::Permissions::from_mode(0o440))?;
        std::fs::rename(part, contents)?;
    }
    let paths = place.join("paths");
    let mut known = std::fs::read_to_string(&paths).unwrap_or_default();
    let path = path.display().to_string();
    if !known.lines().any(|line| line == path) {
        known.push_str(&path);
        known.push('\n');
        write::replace(&paths, &known, 0o640)?;
    }
    Ok(())
}
