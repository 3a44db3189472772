//! The modules that Debian packages, from which trees and catalogs were recorded.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Where the packages install to.
pub const MODULEPATH: &str = "/usr/share/puppet/modules";

/// Fails unless exactly the recorded versions are installed: with others, other results are right.
pub fn require_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("real_modules/packages.txt");
    let recorded = fs::read_to_string(path).unwrap();
    let query = Command::new("dpkg-query").args(["-W", "-f", "${Package} ${Version}\n", "puppet-module-*"]).output();
    let installed = query.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let missing: Vec<_> = recorded.lines().filter(|line| !installed.lines().any(|found| found == *line)).collect();
    assert!(
        missing.is_empty(),
        "these packages of Debian 12 are needed in these versions (./test installs them):\n  {}",
        missing.join("\n  ")
    );
}
