//! What `bunraku apply` must keep to itself: secrets are neither told nor kept nor seen by others, and nobody leads a write
//! elsewhere by putting a link in its way.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SECRET: &str = "hunter2-and-more";

/// A directory with all that a run reads and writes.
struct Machine(PathBuf);

impl Machine {
    fn new(name: &str) -> Machine {
        let directory = std::env::temp_dir().join(format!("bunraku-{name}-{}", std::process::id()));
        _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("files")).unwrap();
        Machine(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Applies code, in which `DIR` stands for the directory of files, and gives what is said.
    fn apply(&self, flags: &[&str], code: &str) -> String {
        let manifest = self.0.join("site.pp");
        fs::write(&manifest, code.replace("DIR", &self.path("files"))).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_bunraku"))
            .args(["apply", "--vardir", &self.path("var"), "--confdir", &self.path("conf")])
            .args(["--publicdir", &self.path("public"), "--facts", "os:debian-12"])
            .args(flags)
            .arg(&manifest)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(output.status.success(), "{said}");
        fs::remove_file(manifest).unwrap();
        said
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join("files").join(name)).unwrap()
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.0.join("files").join(name)).unwrap().permissions().mode() & 0o7777
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// The files below a directory in which a text occurs.
fn files_with(directory: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if String::from_utf8_lossy(&fs::read(&path).unwrap()).contains(text) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn secrets_are_neither_told_nor_kept() {
    let machine = Machine::new("secrets");
    let code = format!(
        "$secret = Sensitive('{SECRET}')
         file {{ 'DIR/plain': content => $secret, mode => '0600' }}
         file {{ 'DIR/checked': content => $secret, mode => '0600',
           validate_replacement => '@',
           validate_cmd => '/bin/sh -c \"cat /proc/[0-9]*/cmdline > DIR/processes; stat -c %a @ > DIR/part\"' }}
         exec {{ 'command': command => Sensitive('/bin/sh -c \"exit 0 # {SECRET}\"'), logoutput => true }}
         exec {{ 'check': command => '/bin/true', unless => Sensitive('/bin/sh -c \"echo {SECRET}; exit 1\"') }}
         exec {{ 'failing': command => Sensitive('/bin/sh -c \"echo {SECRET}; exit 3\"') }}
         notify {{ 'whole': message => $secret }}
         notify {{ 'part': message => {{ 'key' => [$secret] }} }}
         notify {{ 'late': message => Deferred('new', [Sensitive, '{SECRET}']) }}
         file {{ 'DIR/late': content => Sensitive(Deferred('sprintf', ['%s', '{SECRET}'])) }}"
    );
    fs::write(machine.0.join("files/plain"), "before\n").unwrap();
    let said = machine.apply(&["--debug", "--show_diff", "--write-catalog-summary"], &code);
    assert!(!said.contains(SECRET), "{said}");
    assert!(said.contains("[redacted]"), "{said}");
    assert_eq!(machine.read("plain"), SECRET);
    assert_eq!(machine.read("late"), SECRET);
    // A second run, with what the first one has kept, and one that changes nothing but tells all that differs.
    let said = machine.apply(&["--debug", "--show_diff"], &code);
    assert!(!said.contains(SECRET), "{said}");
    let said = machine.apply(&["--noop", "--show_diff"], &code.replace(SECRET, "another-secret"));
    assert!(!said.contains(SECRET) && !said.contains("another-secret"), "{said}");
    for place in ["var", "public"] {
        assert_eq!(files_with(&machine.0.join(place), SECRET), Vec::<String>::new());
    }
    // While the file was checked, it was private, and no command line had what is in it.
    assert_eq!(machine.read("part"), "600\n");
    assert!(!machine.read("processes").contains(SECRET));
}

#[test]
fn a_secret_of_a_catalog_is_one() {
    let machine = Machine::new("catalog-secret");
    let file = machine.path("files/a");
    fs::write(&file, "before\n").unwrap();
    let catalog = machine.path("catalog.json");
    let resource = format!(
        r#"{{"type": "File", "title": "{file}", "parameters": {{"content": {{"__ptype": "Sensitive", "__pvalue": "{SECRET}"}}}}}}"#
    );
    fs::write(&catalog, format!(r#"{{"name": "a", "environment": "production", "resources": [{resource}]}}"#)).unwrap();
    let said = machine.apply(&["--show_diff", "--catalog", &catalog], "");
    assert!(said.contains("changed [redacted] to [redacted]") && !said.contains(SECRET), "{said}");
    assert_eq!(machine.read("a"), SECRET);
}

#[test]
fn links_that_appear_during_a_run_are_not_followed() {
    let machine = Machine::new("links");
    fs::create_dir(machine.0.join("files/elsewhere")).unwrap();
    fs::write(machine.0.join("files/victim"), "mine\n").unwrap();
    fs::set_permissions(machine.0.join("files/victim"), fs::Permissions::from_mode(0o600)).unwrap();
    // The check of a new file runs between the look at the machine and the write.
    let said = machine.apply(
        &[],
        "file { 'DIR/file': content => \"new\\n\", mode => '0644', validate_cmd => '/bin/ln -s DIR/victim DIR/file # %' }",
    );
    assert_eq!((machine.read("victim").as_str(), machine.mode("victim")), ("mine\n", 0o600), "{said}");
    assert_eq!(machine.read("file"), "new\n");
    assert!(!machine.0.join("files/file").is_symlink());
    // So it is with the directory that it is in.
    fs::create_dir(machine.0.join("files/directory")).unwrap();
    machine.apply(
        &[],
        "file { 'DIR/directory/victim': content => \"new\\n\",
           validate_cmd => '/bin/mv DIR/directory DIR/moved && /bin/ln -s DIR/elsewhere DIR/directory # %' }",
    );
    assert_eq!(fs::read_dir(machine.0.join("files/elsewhere")).unwrap().count(), 0);
    assert_eq!(machine.read("moved/victim"), "new\n");
}
