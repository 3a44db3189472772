//! What README and the documents tell people to type works as written, from the root of a fresh copy of the repository.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies what a clone of the repository has.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            if ![".git", "target"].iter().any(|name| entry.file_name() == *name) {
                copy(&source, &target);
            }
        } else if entry.file_name() != ".git" {
            fs::copy(&source, &target).unwrap();
        }
    }
}

fn documents() -> Vec<PathBuf> {
    let mut documents = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    for directory in ["docs", "docs/decisions"] {
        let entries = fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    documents
}

/// The lines of the blocks that are for a shell; a line that goes on in the next one is one.
fn shell_lines(text: &str) -> Vec<String> {
    let blocks = text.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let joined: Vec<String> = blocks.map(|block| block.replace("\\\n", " ")).collect();
    joined.iter().flat_map(|block| block.lines().map(str::to_owned)).collect()
}

/// A block `console` is a command after `$ ` and what it shows, with paths as they were typed.
#[test]
fn what_is_shown_is_what_comes() {
    let mut run = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for block in text.split("\n```console\n").skip(1).filter_map(|rest| rest.split("\n```").next()) {
            let (command, shown) = block.split_once('\n').unwrap();
            let mut words = command.strip_prefix("$ bunraku ").unwrap().split(' ');
            let mut program = Command::new(env!("CARGO_BIN_EXE_bunraku"));
            let output = program.args(&mut words).current_dir(root()).stdin(Stdio::null()).output().unwrap();
            let here = format!("{}/", fs::canonicalize(root()).unwrap().display());
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).unwrap().replace(&here, "");
            let said = said.replace(&format!("{}/", root().display()), "");
            assert_eq!(said.trim_end(), shown.trim_end(), "{}: {command}", document.display());
            run += 1;
        }
    }
    assert!(run > 0, "the picture of README was not found");
}

#[cfg(unix)]
#[test]
fn what_is_to_be_typed_works() {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    let _ = fs::remove_dir_all(&here);
    copy(&root(), &here.join("clone"));
    fs::create_dir_all(here.join("bin")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bunraku"), here.join("bin/bunraku")).unwrap();
    let path = format!("{}:{}", here.join("bin").display(), std::env::var("PATH").unwrap());
    let mut run = 0;
    for document in documents() {
        for line in shell_lines(&fs::read_to_string(&document).unwrap()) {
            // What is built here is what would be built there.
            let line = line.replace("cargo run --release --bin bunraku --", "bunraku");
            if !["bunraku ", "mkdir ", "printf "].iter().any(|word| line.starts_with(word)) {
                continue;
            }
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &line]).current_dir(here.join("clone")).env("PATH", &path).env("HOME", &here);
            // Custom facts of modules that the machine has installed may warn of what it lacks.
            shell.env("BUNRAKU_PUPPET_BASEMODULEPATH", here.join("modules"));
            let output = shell.stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {line}\n{said}", document.display());
            // A tour has no mistakes in it.
            assert!(!said.contains("Error") && !said.contains("Warning"), "{}: {line}\n{said}", document.display());
            run += 1;
        }
    }
    assert!(run > 8, "the commands were not found");
    fs::remove_dir_all(here).unwrap();
}
