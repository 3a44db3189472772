//! Callgrind, which watches a program and counts its instructions.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Result;

/// Watches a command; what it found goes to a file. Gives what it says at the end.
pub fn watch(command: &Command, found: &Path) -> Result<String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", found.display()))
        .arg(command.get_program())
        .args(command.get_args())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(said),
        false => Err(format!("{command:?} failed:\n{said}").into()),
    }
}
