//! Compiles an environment that has a mistake in it, and compares what people are shown.

use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::Expect;

use crate::site::Site;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// The environment that has these files is compiled; what is shown to people must be as expected. `BASE` stands for where
/// the files are.
pub(crate) fn check(files: &[(&str, &str)], expected: Expect) {
    let config = "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n";
    let standard =
        [("environment.conf", "modulepath = modules\n"), ("hiera.yaml", config), ("data/common.yaml", "{}\n")];
    let site = Site::new(
        &format!("mistake_{}", NEXT.fetch_add(1, Ordering::Relaxed)),
        &[("facts.yaml", "os:\n  family: Debian\n")],
    );
    for (path, text) in standard.iter().chain(files) {
        site.write(&format!("production/{path}"), text);
    }
    let root = site.directory.join("production");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_bunraku"))
        .args(["catalog", "compile", "n1", "--format", "human", "--color", "false", "--strict-graph"])
        .arg("--environmentpath")
        .arg(&site.directory)
        .args(["--environment", "production", "--facts"])
        .arg(site.directory.join("facts.yaml"))
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stderr).expect("UTF-8");
    expected.assert_eq(&shown.replace(&root.display().to_string(), "BASE"));
}

/// The same where the code is all in the main manifest.
pub(crate) fn check_code(code: &str, expected: Expect) {
    check(&[("manifests/site.pp", code)], expected);
}
