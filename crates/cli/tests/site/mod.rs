//! A directory with an environment, and the binary run on it.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory that lasts as long as the test.
pub(crate) struct Site {
    pub(crate) directory: PathBuf,
}

impl Site {
    /// A directory of this name with these files; those of the environment are below `production`.
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Site {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("production")).unwrap();
        let site = Site { directory };
        files.iter().for_each(|(path, text)| site.write(path, text));
        site
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Facts of nodes as a server keeps them.
    pub(crate) fn keep_facts(&self, nodes: &[&str]) {
        nodes.iter().for_each(|node| self.write(&format!("var/yaml/facts/{node}.yaml"), "kernel: Linux\n"));
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.directory.join(path)).unwrap()
    }

    /// The command, in the directory and with the environment of the directory.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.plain_command(args);
        command.args(["--environmentpath", ".", "--confdir", "conf", "--vardir", "var"]);
        command
    }

    /// The command, in the directory: one that needs no environment.
    pub(crate) fn plain_command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bunraku"));
        command.args(args).current_dir(&self.directory);
        command
    }

    /// Output, messages and exit code of a command.
    pub(crate) fn run(&self, args: &[&str]) -> (String, String, i32) {
        self.outcome(self.command(args).output().unwrap())
    }

    /// What a command gave; the paths in it are relative to the directory.
    pub(crate) fn outcome(&self, output: Output) -> (String, String, i32) {
        let here = format!("{}/", self.directory.display());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(&here, "");
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}
