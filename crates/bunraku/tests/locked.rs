//! A directory that cannot be read is an error wherever something is searched for in it: it never counts as empty.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::SystemTime;

use bunraku::world::{Command, Entry, Output, Stamp};
use bunraku::{Hash, Memory, Project, Request, RunMode, Settings, World};

/// Files in memory, of which one directory is not to be read or entered.
struct Locked {
    memory: Memory,
    directory: &'static str,
}

impl Locked {
    fn denied<T>(&self, path: &str, or: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let is_inside = path.strip_prefix(self.directory).is_some_and(|rest| rest.starts_with('/'));
        if is_inside { Err(ErrorKind::PermissionDenied.into()) } else { or() }
    }
}

impl World for Locked {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.denied(path, || self.memory.read(path))
    }
    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.denied(path, || Ok(self.memory.stamp(path))).ok()?
    }
    fn exists(&self, path: &str) -> io::Result<bool> {
        self.denied(path, || Ok(self.memory.stamp(path).is_some()))
    }
    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.denied(&format!("{directory}/"), || self.memory.list(directory))
    }
    fn now(&self) -> SystemTime {
        self.memory.now()
    }
    fn utc_offset(&self) -> i32 {
        self.memory.utc_offset()
    }
    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.memory.random(bytes)
    }
    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        self.memory.run(command)
    }
    fn variable(&self, name: &str) -> Option<String> {
        self.memory.variable(name)
    }
    fn current_dir(&self) -> String {
        self.memory.current_dir()
    }
    fn is_privileged(&self) -> bool {
        self.memory.is_privileged()
    }
}

/// Compiles with a directory that cannot be read.
fn compile(directory: &'static str) -> Result<usize, String> {
    let memory = Memory::from([
        ("/e/production/manifests/site.pp", "include m\nlookup('x', { 'default_value' => 1 })\ngadget { 'a': }"),
        ("/e/production/manifests/deep/er/b.pp", ""),
        ("/e/production/modules/m/manifests/init.pp", "class m { m::f() }"),
        ("/e/production/modules/m/functions/f.pp", "function m::f() { notify { 'x': } }"),
        ("/e/production/modules/m/lib/puppet/type/gadget.rb", "Puppet::Type.newtype(:gadget) { newparam(:name) }"),
        ("/e/production/modules/m/lib/puppet/provider/gadget/p.rb", ""),
        (
            "/e/production/hiera.yaml",
            "version: 5\nhierarchy: [{name: a, paths: [a/a.yaml]}, {name: g, glob: 'g/*.yaml'}]",
        ),
        ("/e/production/data/a/a.yaml", ""),
        ("/e/production/data/g/a.yaml", ""),
        ("/e/production/.resource_types/other.pp", ""),
    ]);
    let mut settings = Settings::new(RunMode::Server);
    settings.set("environmentpath", "/e");
    let project = Project::new(Arc::new(Locked { memory, directory }), settings);
    let request = Request { certname: "n", facts: &Hash::new(), environment: "production" };
    let done = project.catalog(&request).map_err(|issue| issue.to_string())?;
    let catalog = done.outcome.catalog.map_err(|failure| failure.diagnostics.first().unwrap().issue.to_string())?;
    Ok(catalog.len())
}

#[test]
fn unreadable_directories_are_errors() {
    assert!(compile("/none").is_ok());
    for directory in [
        "/e/production/manifests",
        "/e/production/manifests/deep",
        "/e/production/manifests/deep/er",
        "/e/production/modules",
        "/e/production/modules/m",
        "/e/production/modules/m/manifests",
        "/e/production/modules/m/functions",
        "/e/production/modules/m/lib/puppet",
        "/e/production/modules/m/lib/puppet/type",
        "/e/production/modules/m/lib/puppet/provider/gadget",
        "/e/production/data/a",
        "/e/production/data/g",
        "/e/production/.resource_types",
    ] {
        let message = compile(directory).err().unwrap_or_default();
        assert!(message.contains(directory) && message.contains("permission denied"), "{directory}: {message}");
    }
}
