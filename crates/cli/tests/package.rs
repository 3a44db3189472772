//! The Debian package, installed into a system with nothing but Debian 12, in which README's tour and the tutorial are
//! followed line by line. It needs the rights of an administrator, as the sandbox of `apply` does.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The system that `./test` makes.
const SYSTEM: &str = "/var/tmp/apply-root";

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The packages of this very program, without symbols and loosely packed: what is tested is what is in them.
fn package(into: &Path) {
    fs::create_dir_all(into).unwrap();
    let program = into.join("bunraku");
    let run = |command: &mut Command| {
        let output = command.current_dir(root()).env("SOURCE_DATE_EPOCH", "1700000000").output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(Command::new("strip").arg("-o").arg(&program).arg(env!("CARGO_BIN_EXE_bunraku")));
    let metadata = into.join("metadata.json");
    run(Command::new("sh")
        .arg("-c")
        .arg(format!("cargo metadata --locked --offline --no-deps --format-version 1 > {}", metadata.display())));
    let mut package = Command::new("python3");
    package.args(["packaging/package.py", "--draft", "--target", "x86_64-unknown-linux-gnu", "--binary"]);
    run(package.arg(&program).arg("--metadata").arg(&metadata).arg(into));
}

/// The package in a directory.
fn debian(directory: &Path) -> PathBuf {
    let mut paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.find(|path| path.extension().is_some_and(|extension| extension == "deb")).unwrap()
}

/// What README and the tutorial tell people to type.
fn commands() -> Vec<String> {
    let mut lines = Vec::new();
    for document in ["README.md", "docs/tutorial.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        for block in text.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next()) {
            lines.extend(block.replace("\\\n", " ").lines().map(str::to_owned));
        }
    }
    let is_for_sources = |line: &String| line.starts_with("cargo ") || line.starts_with("./") || line.starts_with('#');
    lines.retain(|line| !line.trim().is_empty() && !is_for_sources(line));
    lines
}

#[test]
fn the_debian_package_is_all_that_the_tour_needs() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    let _ = fs::remove_dir_all(&here);
    let view = here.join("view");
    fs::create_dir_all(&view).unwrap();
    package(&here.join("out"));
    package(&here.join("again"));
    let [first, second] = ["out", "again"].map(|name| fs::read(debian(&here.join(name))).unwrap());
    assert!(first == second, "two packages of the same program are not the same bytes");
    let lines = commands();
    assert!(lines.len() > 20, "{lines:?}");
    let mut tour = String::from("set -e\nmkdir /visit\ncd /visit\ncp -r /usr/share/bunraku/examples .\n");
    for line in &lines {
        writeln!(tour, "echo {} >&2\n{line}", quoted(&format!("+ {line}"))).unwrap();
    }
    tour.push_str("grep -q 'Hello everybody, this is Debian.' /tmp/greeting\n");
    fs::write(here.join("out/tour"), tour).unwrap();
    let script = format!(
        "set -e\nmount --make-rprivate /\nmount -t tmpfs tmpfs {view}\ncd {view}\nmkdir u w m\n\
         mount -t overlay overlay -o lowerdir={SYSTEM},upperdir=u,workdir=w m\ncd m\nmount -t proc proc proc\n\
         mount --bind /dev dev\ncp {out}/*.deb {out}/tour .\n\
         enter() {{ chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \"$@\"; }}\n\
         enter dpkg --purge puppet-agent facter >/dev/null 2>&1 || true\n\
         enter dpkg -i /$(basename *.deb) >&2\nenter getent passwd puppet >&2\n\
         for there in man/man1/bunraku-apply.1.gz bash-completion/completions/bunraku zsh/vendor-completions/_bunraku \
           fish/vendor_completions.d/bunraku.fish bunraku/completions/puppet.bash bunraku/completions/puppet.zsh; do\n\
           enter test -s /usr/share/$there\ndone\n\
         enter test -s /usr/lib/systemd/system/bunraku-server.service\n\
         for shell in bash-completion/completions/bunraku bunraku/completions/puppet.bash; do\n\
           enter bash -n /usr/share/$shell\ndone\n\
         enter sh /tour </dev/null\nenter dpkg --purge bunraku >&2\nenter test ! -e /usr/bin/bunraku\n",
        view = quoted(&view.display().to_string()),
        out = here.join("out").display(),
    );
    let mut sandbox = Command::new("unshare");
    sandbox.args(["--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "sh", "-c", &script]);
    let output = sandbox.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::remove_dir_all(here).unwrap();
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
