//! What a compilation takes from the world: the time zone, and randomness.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use bunraku::{Compiler, Environment, Memory, Node, Outcome, RubyOptions, RunMode, Settings, StandIns, World, library};
use bunraku_environment::world::{Command, Entry, Output, Stamp};

fn compile(world: impl World + 'static, code: &str) -> Outcome {
    let mut settings = Settings::new(RunMode::Server);
    settings.set("code", code);
    let environment = Environment::at(Arc::new(world), &settings, "production", "/production").unwrap();
    // The functions are those of modules that are not here.
    let library = library(environment.settings.target).with_stand_ins(StandIns::Always);
    Compiler::new(environment, RubyOptions::default()).unwrap().with_library(library).compile(&Node::new("n"))
}

fn said(world: impl World + 'static, code: &str) -> Vec<String> {
    let compiled = compile(world, code);
    assert_eq!(compiled.catalog.map(|_| ()), Ok(()));
    compiled.logs.iter().map(|log| log.message.to_string()).collect()
}

/// A world with the two modules whose functions are asked.
fn memory() -> Memory {
    Memory::from([
        ("/production/environment.conf", ""),
        ("/production/modules/stdlib/metadata.json", "{}"),
        ("/production/modules/extlib/metadata.json", "{}"),
    ])
}

#[test]
fn the_current_time_zone_is_the_world_s() {
    let code = "
        $noon = Timestamp('2016-08-24 12:00', '%F %H:%M', 'current')
        notice($noon)
        notice(strftime($noon, '%F %T %z', 'current'))
        notice($noon =~ Timestamp[{ string => '2016-08-24 12:00', format => '%F %H:%M', timezone => 'current' }])
    ";
    let said = said(memory().with_utc_offset(-12_600), code);
    assert_eq!(said, ["2016-08-24T15:30:00.000000000 UTC", "2016-08-24 12:00:00 -0330", "true"]);
}

#[test]
fn passwords_and_salts_are_made_of_the_world_s_randomness() {
    let code = "
        notice(extlib::random_password(4))
        notice(shuffle([1, 2, 3]))
        notice(str2saltedsha512('secret')[0, 8])
    ";
    let given = memory().with_random([1; 8]);
    assert_eq!(said(given, code), ["bbbb", "[2, 3, 1]", "01010101"]);
    let password = || said(memory(), "notice(extlib::random_password(40))");
    assert_ne!(password(), password());
}

#[test]
fn catalogs_have_uuids_of_their_own() {
    let uuid = |world: Memory| compile(world, "").catalog.unwrap().catalog_uuid.unwrap();
    assert_eq!(uuid(memory().with_random([0xab])), "abababab-abab-4bab-abab-abababababab");
    assert_ne!(uuid(memory()), uuid(memory()));
}

/// A machine without randomness, as a container may be that lacks the system call.
struct Predictable(Memory);

impl World for Predictable {
    fn random(&self, _: &mut [u8]) -> io::Result<()> {
        Err(io::Error::other("out of order"))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.0.stamp(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.0.list(directory)
    }

    fn now(&self) -> SystemTime {
        self.0.now()
    }

    fn utc_offset(&self) -> i32 {
        self.0.utc_offset()
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        self.0.run(command)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.variable(name)
    }

    fn current_dir(&self) -> String {
        self.0.current_dir()
    }

    fn is_privileged(&self) -> bool {
        self.0.is_privileged()
    }
}

#[test]
fn without_randomness_there_is_no_catalog() {
    for code in ["", "notice(extlib::random_password(4))"] {
        let failure = compile(Predictable(memory()), code).catalog.unwrap_err();
        let message = failure.diagnostics.first().unwrap().issue.message().to_owned();
        assert!(message.ends_with("No random numbers: out of order"), "{message}");
    }
}
