//! Files that are written all at once.

use std::io;
use std::path::Path;

/// A file appears with all of its text or not at all.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // What failed is the answer, whether there is something to take away or not.
        let _ = std::fs::remove_file(&part);
    }
    written
}
