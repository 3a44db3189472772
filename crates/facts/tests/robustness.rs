//! Facts of machines that are out of the ordinary: none of them goes without its facts, and each trouble is told once.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bunraku_environment::World;
use bunraku_environment::world::{
    Account, Command, Entry, FileSystem, Interface, Machine, Memory, Output, Stamp, Uname,
};
use bunraku_facts::{Collector, Facts, Level, NoCustomFacts, Options};
use bunraku_pcore::Value;

/// A machine whose files are in memory.
struct Strange {
    files: Memory,
    interfaces: usize,
    /// Files that cannot be read.
    locked: &'static str,
    /// What programs come to.
    program: fn() -> io::Result<Output>,
    /// How long a program takes.
    duration: Duration,
    now: Mutex<SystemTime>,
    /// Whether file systems answer.
    answers: bool,
}

impl Strange {
    fn new(files: &[(&str, &str)]) -> Strange {
        let world = Memory::default();
        world.write("/etc/os-release", "ID=debian\nVERSION_ID=12\n");
        files.iter().for_each(|(path, text)| world.write(path, *text));
        Strange {
            files: world,
            interfaces: 0,
            locked: "/nothing",
            program: || Err(ErrorKind::NotFound.into()),
            duration: Duration::ZERO,
            now: Mutex::new(UNIX_EPOCH),
            answers: true,
        }
    }

    fn facts(&self) -> Facts {
        let options = Options { show_legacy: true, external_dirs: vec!["/facts.d".to_owned()], ..Options::default() };
        Collector::new(self, &NoCustomFacts, options).collect()
    }
}

impl World for Strange {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path.starts_with(self.locked) { Err(ErrorKind::PermissionDenied.into()) } else { self.files.read(path) }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.files.stamp(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.files.list(directory)
    }

    fn now(&self) -> SystemTime {
        *self.now.lock().unwrap()
    }

    fn utc_offset(&self) -> i32 {
        0
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.files.random(bytes)
    }

    fn run(&self, command: &Command<'_>) -> io::Result<Output> {
        let (limit, _) = command.limits.unwrap();
        *self.now.lock().unwrap() += self.duration.min(limit);
        (self.program)()
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "PATH").then(|| "/bin".to_owned())
    }

    fn machine(&self) -> Option<&dyn Machine> {
        Some(self)
    }

    fn current_dir(&self) -> String {
        "/".to_owned()
    }

    fn is_privileged(&self) -> bool {
        true
    }
}

impl Machine for Strange {
    fn uname(&self) -> Option<Uname> {
        None
    }

    fn account(&self) -> Option<Account> {
        None
    }

    fn interfaces(&self) -> io::Result<Vec<Interface>> {
        let address = |number: usize| IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + u32::try_from(number).unwrap()));
        let interface = |number: usize| Interface {
            name: format!("veth{number}"),
            index: Some(number),
            mac: Some("02:00:00:00:00:01".to_owned()),
            addresses: vec![(address(number), IpAddr::V4(Ipv4Addr::new(255, 0, 0, 0)))],
        };
        Ok((0..self.interfaces).map(interface).collect())
    }

    fn file_system(&self, _: &str) -> io::Result<FileSystem> {
        if self.answers { Ok(FileSystem { size: 9, free: 4, available: 3 }) } else { Err(ErrorKind::TimedOut.into()) }
    }

    fn time_zone(&self) -> Option<String> {
        None
    }

    fn is_executable(&self, path: &str) -> bool {
        path.ends_with(".sh")
    }
}

fn length(facts: &Facts, path: &[&str]) -> usize {
    let mut value = Value::from(facts.values.clone());
    for name in path {
        value = value.get(name).unwrap().clone();
    }
    match value {
        Value::Hash(entries) => entries.len(),
        Value::Array(items) => items.len(),
        other => panic!("{other} has no length"),
    }
}

fn warnings(facts: &Facts) -> Vec<&str> {
    facts.messages.iter().filter(|it| it.level >= Level::Warn).map(|it| it.text.as_str()).collect()
}

#[test]
fn machines_with_much_of_everything_are_described_in_time() {
    let mounts: String = (0..10_000).map(|number| format!("/dev/vd{number} /mnt/{number} ext4 rw 0 0\n")).collect();
    let model = |number: usize| format!("processor : {number}\nmodel name : X\nphysical id : {}\n\n", number / 64);
    let processors: String = (0..4_096).map(model).collect();
    let mut world = Strange::new(&[("/proc/mounts", &mounts), ("/proc/cpuinfo", &processors)]);
    for number in 0..1_000 {
        world.files.write(&format!("/sys/block/vd{number}/vd{number}p1/size"), "8");
        world.files.write(&format!("/sys/block/vd{number}/device/model"), "disk");
    }
    world.interfaces = 10_000;
    let start = Instant::now();
    let facts = world.facts();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(length(&facts, &["networking", "interfaces"]), 10_000);
    assert_eq!(length(&facts, &["mountpoints"]), 10_000);
    assert_eq!(length(&facts, &["processors", "models"]), 4_096);
    assert_eq!(length(&facts, &["partitions"]), 1_000);
    assert!(facts.values.get_str("ipaddress_veth9999").is_some());
    assert_eq!(warnings(&facts), [""; 0]);
}

#[test]
fn machines_that_tell_nothing_have_the_facts_that_are_left() {
    let nothing = Strange::new(&[]).facts();
    assert!(nothing.values.get_str("facterversion").is_some());
    assert_eq!(warnings(&nothing), [""; 0]);
    let texts = [("/proc/meminfo", "MemTotal: 8 kB\n"), ("/proc/cpuinfo", "\u{fffd}"), ("/etc/os-release", "ID=")];
    let mut world = Strange::new(&texts);
    assert!(world.facts().values.get_str("facterversion").is_some());
    world.locked = "/";
    let locked = world.facts();
    assert!(locked.values.get_str("facterversion").is_some());
    assert!(locked.values.get_str("memory").is_none());
}

#[test]
fn file_systems_that_do_not_answer_are_waited_for_a_few_times() {
    let mounts: String = (0..1_000).map(|number| format!("srv:/{number} /mnt/{number} nfs rw 0 0\n")).collect();
    let mut world = Strange::new(&[("/proc/mounts", &mounts)]);
    world.answers = false;
    let facts = world.facts();
    assert_eq!(length(&facts, &["mountpoints"]), 1_000);
    assert_eq!(warnings(&facts).len(), 5);
}

#[test]
fn programs_that_hang_are_left_out_with_one_warning_each() {
    let names: Vec<String> = (10..20).map(|number| format!("/facts.d/{number}.sh")).collect();
    let mut world = Strange::new(&[("/facts.d/a.txt", "here=yes\n"), ("/facts.d/b.json", "[1")]);
    names.iter().for_each(|name| world.files.write(name, "#!/bin/sh\n"));
    world.program = || Err(ErrorKind::TimedOut.into());
    world.duration = Duration::from_secs(100_000);
    let facts = world.facts();
    assert_eq!(facts.values.get_str("here"), Some(&Value::from("yes")));
    let told = warnings(&facts);
    assert!(told.iter().any(|text| text.contains("b.json")), "{told:?}");
    for name in &names {
        assert_eq!(told.iter().filter(|text| text.contains(name.as_str())).count(), 1, "{told:?}");
    }
    // They take two minutes together, however many there are.
    assert_eq!(*world.now.lock().unwrap(), UNIX_EPOCH + Duration::from_secs(120));
}

#[test]
fn much_output_is_left_out() {
    let mut world = Strange::new(&[("/facts.d/big.sh", "#!/bin/sh\n")]);
    world.program = || Err(io::Error::new(ErrorKind::FileTooLarge, "the output is larger than 16777216 bytes"));
    let facts = world.facts();
    assert_eq!(warnings(&facts), ["Command /facts.d/big.sh was left out: the output is larger than 16777216 bytes"]);
    assert!(facts.values.get_str("facterversion").is_some());
}
