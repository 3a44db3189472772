//! What cannot be read is an error that names it: it neither hangs the command nor counts as empty.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use site::Site;

fn make_pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

const EYAML: &str = "version: 5
hierarchy:
  - name: secret
    lookup_key: eyaml_lookup_key
    path: secret.yaml
    options: {pkcs7_private_key: keys/private.pem, pkcs7_public_key: keys/public.pem}
";

fn site(name: &str) -> Site {
    let site = Site::new(
        name,
        &[
            ("production/manifests/site.pp", "include m\n"),
            ("production/modules/m/manifests/init.pp", "class m { notify { lookup('k'): } }\n"),
            ("production/hiera.yaml", "version: 5\n"),
            ("production/data/common.yaml", "k: one\n"),
        ],
    );
    site.keep_facts(&["n"]);
    site
}

#[test]
fn pipes_and_devices_are_refused() {
    let refused = |path: &str, args: &[&str]| {
        let site = site("pipes");
        if path.ends_with(".pem") {
            site.write("production/hiera.yaml", EYAML);
            site.write("production/data/secret.yaml", "k: ENC[PKCS7,MIIBeQ==]\n");
        }
        for kind in ["pipe", "device"] {
            let file = site.directory.join(path);
            match kind {
                "pipe" => make_pipe(&file),
                _ => {
                    std::fs::remove_file(&file).unwrap();
                    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
                }
            }
            let (output, messages, code) = site.run(args);
            assert_eq!((output.as_str(), code), ("", 1), "{kind} {path}: {messages}");
            assert!(messages.contains("not a regular file") && messages.contains(path), "{kind} {path}: {messages}");
        }
    };
    let compile = ["catalog", "compile", "n"];
    refused("production/manifests/site.pp", &compile);
    refused("production/modules/m/manifests/init.pp", &compile);
    refused("production/modules/m/metadata.json", &compile);
    // Nor is the environment passed over where a command could do without one.
    refused("production/modules/m/metadata.json", &["compat", "report"]);
    refused("production/modules/m/metadata.json", &["eval", "-e", "1"]);
    refused("production/environment.conf", &compile);
    refused("production/hiera.yaml", &compile);
    refused("production/data/common.yaml", &compile);
    refused("keys/private.pem", &compile);
    refused("conf/puppet.conf", &compile);
    refused("var/yaml/facts/n.yaml", &compile);
    refused("production/manifests/site.pp", &["parser", "validate", "production/manifests/site.pp"]);
}

#[test]
fn what_the_user_names_may_be_a_pipe() {
    let site = site("named_pipes");
    site.write("production/manifests/site.pp", "notify { $facts['x']: }\n");
    let fed = |args: &[&str], input: &str| {
        let mut command = site.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        site.outcome(child.wait_with_output().unwrap())
    };
    for path in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let (output, messages, code) = fed(&["catalog", "compile", "n", "--facts", path], "x: from a pipe\n");
        assert!(code == 0 && output.contains("from a pipe"), "{path}: {messages}");
        let args = ["catalog", "compile", "n", "--manifest", path];
        let (output, messages, code) = fed(&args, "notify { 'code from a pipe': }\n");
        assert!(code == 0 && output.contains("code from a pipe"), "{path}: {messages}");
    }
    let empty = ["--manifest", "/dev/null", "--hiera_config", "/dev/null", "--facts", "/dev/null"];
    let (_, messages, code) = site.run(&[&["catalog", "compile", "n"], &empty[..4]].concat());
    assert_eq!(code, 0, "{messages}");
    let (_, messages, code) = fed(&["parser", "validate", "/dev/fd/0"], "$x = \n");
    assert!(code == 1 && messages.contains("/dev/fd/0"), "{messages}");
}

#[test]
fn files_may_be_too_large() {
    let site = site("large");
    let file = std::fs::File::create(site.directory.join("production/modules/m/manifests/init.pp")).unwrap();
    file.set_len(1 << 30).unwrap();
    let (output, messages, code) = site.run(&["catalog", "compile", "n"]);
    assert_eq!((output.as_str(), code), ("", 1), "{messages}");
    assert!(messages.contains("init.pp': larger than 268435456 bytes"), "{messages}");
}

#[test]
fn only_catalogs_have_a_version() {
    let site = site("versions");
    site.write("production/environment.conf", "config_version = echo run >> runs; echo v1\n");
    for args in [&["eval", "-e", "1"][..], &["lookup", "k"], &["parser", "validate", "production/manifests/site.pp"]] {
        let (_, messages, code) = site.run(args);
        assert_eq!(code, 0, "{args:?}: {messages}");
        assert!(!site.directory.join("runs").exists(), "{args:?}");
    }
    assert_eq!(site.run(&["catalog", "compile", "n"]).2, 0);
    assert!(site.directory.join("runs").exists());
}
