//! The machine as facts see it: every file, command and answer of the kernel that several facts need is asked for once.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;
use std::time::Duration;

use bunraku_environment::World;
use bunraku_environment::world::{Command, Entry, Machine, Uname};
use bunraku_pcore::Value;

use crate::distribution::{Distribution, OsRelease};
use crate::external::TOGETHER;
use crate::message::{Level, Message};

/// What a command may take that tells something about the machine.
const LIMITS: (Duration, usize) = (Duration::from_secs(10), 4 << 20);

/// What a command says.
enum Answer {
    Known(Option<String>),
    /// It was started before anybody waited for it.
    Awaited(Receiver<io::Result<Vec<u8>>>),
}

/// The machine whose facts are found.
pub(crate) struct Host<'w> {
    pub(crate) world: &'w dyn World,
    uname: OnceCell<Uname>,
    os_release: OnceCell<OsRelease>,
    distribution: OnceCell<Distribution>,
    virtualization: OnceCell<String>,
    block_devices: OnceCell<Vec<String>>,
    /// What commands have said, or are about to say.
    commands: RefCell<BTreeMap<String, Answer>>,
    /// Values of facts that others are made of.
    facts: RefCell<BTreeMap<&'static str, Value>>,
    messages: RefCell<Vec<Message>>,
    /// How long programs with external facts may still take.
    pub(crate) external_time: Cell<Duration>,
}

impl<'w> Host<'w> {
    /// The machine of a world.
    pub(crate) fn new(world: &'w dyn World) -> Self {
        Host {
            world,
            uname: OnceCell::new(),
            os_release: OnceCell::new(),
            distribution: OnceCell::new(),
            virtualization: OnceCell::new(),
            block_devices: OnceCell::new(),
            commands: RefCell::default(),
            facts: RefCell::default(),
            messages: RefCell::default(),
            external_time: Cell::new(TOGETHER),
        }
    }

    /// The answers of the kernel.
    pub(crate) fn machine(&self) -> Option<&dyn Machine> {
        self.world.machine()
    }

    /// How kernel and hardware are called; what is not known is empty.
    pub(crate) fn uname(&self) -> &Uname {
        self.uname.get_or_init(|| self.machine().and_then(Machine::uname).unwrap_or_default())
    }

    /// What `/etc/os-release` says.
    pub(crate) fn os_release(&self) -> &OsRelease {
        self.os_release.get_or_init(|| OsRelease::read(self))
    }

    /// Which distribution of Linux this is.
    pub(crate) fn distribution(&self) -> &Distribution {
        self.distribution.get_or_init(|| Distribution::detect(self))
    }

    /// The names of block devices.
    pub(crate) fn block_devices(&self) -> &[String] {
        self.block_devices.get_or_init(|| self.list("/sys/block").into_iter().map(|entry| entry.name).collect())
    }

    /// What the machine runs on, found out once.
    pub(crate) fn virtualization(&self, detect: impl FnOnce() -> String) -> &str {
        self.virtualization.get_or_init(detect)
    }

    /// The value of a fact that another one is made of, found out once.
    pub(crate) fn shared(&self, name: &'static str, resolve: impl FnOnce(&Self) -> Value) -> Value {
        if let Some(known) = self.facts.borrow().get(name) {
            return known.clone();
        }
        let value = resolve(self);
        self.facts.borrow_mut().insert(name, value.clone());
        value
    }

    /// The text of a file, if there is one that can be read. Bytes that are no text are replaced.
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        match self.world.read(path) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    let text = format!("File at: {path} is not accessible: {error}");
                    self.say(Level::Debug, "Facter::Util::FileHelper", text);
                }
                None
            }
        }
    }

    /// The text of a file without blanks around it, unless nothing else is in it.
    pub(crate) fn line(&self, path: &str) -> Option<String> {
        let text = self.read(path)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The entries of a directory, if it can be read.
    pub(crate) fn list(&self, directory: &str) -> Vec<Entry> {
        self.world.list(directory).unwrap_or_default()
    }

    /// Whether there is anything at a path.
    pub(crate) fn exists(&self, path: &str) -> bool {
        self.world.exists(path).unwrap_or(false)
    }

    /// Where a program is, by the variable `PATH`.
    pub(crate) fn which(&self, program: &str) -> Option<String> {
        let path = self.world.variable("PATH")?;
        // The administrator's programs are not on every path, and their output is wanted all the same.
        let directories = path.split(':').chain(["/sbin", "/usr/sbin"]).filter(|directory| directory.starts_with('/'));
        let mut files = directories.map(|directory| format!("{directory}/{program}"));
        files.find(|file| self.world.is_file(file) && self.machine().is_some_and(|machine| machine.is_executable(file)))
    }

    /// What a command writes to standard output, if it is installed; its exit code does not matter.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let key = format!("{program} {}", arguments.join(" "));
        let known = self.commands.borrow_mut().remove(&key);
        let said = match known {
            Some(Answer::Known(said)) => said,
            Some(Answer::Awaited(output)) => self.listen(program, arguments, Some(&output)),
            None => self.listen(program, arguments, None),
        };
        self.commands.borrow_mut().insert(key, Answer::Known(said.clone()));
        said
    }

    /// Starts a command that will be asked in any case, so that it runs while other facts are found.
    pub(crate) fn begin<'s>(&self, scope: &'s Scope<'s, '_>, program: &str, arguments: &[&str])
    where
        'w: 's,
    {
        let Some(file) = self.which(program) else { return };
        let key = format!("{program} {}", arguments.join(" "));
        let (sender, receiver) = sync_channel(1);
        let (world, owned) = (self.world, arguments.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        let work = move || {
            let arguments: Vec<&str> = owned.iter().map(String::as_str).collect();
            // Who does not listen any more has no use for it.
            let _ = sender.send(run(world, &file, &arguments));
        };
        // Without another thread it is run when it is asked.
        if std::thread::Builder::new().spawn_scoped(scope, work).is_ok() {
            self.commands.borrow_mut().insert(key, Answer::Awaited(receiver));
        }
    }

    fn listen(
        &self,
        program: &str,
        arguments: &[&str],
        begun: Option<&Receiver<io::Result<Vec<u8>>>>,
    ) -> Option<String> {
        let file = if program.starts_with('/') { program.to_owned() } else { self.which(program)? };
        let text = format!("Executing command: {program} {}", arguments.join(" "));
        self.say(Level::Debug, "Facter::Core::Execution::Posix", text);
        let output = begun.and_then(|begun| begun.recv().ok());
        match output.unwrap_or_else(|| run(self.world, &file, arguments)) {
            Ok(output) => Some(String::from_utf8_lossy(&output).into_owned()),
            Err(error) => {
                let text = format!("Command {file} was left out: {error}");
                self.say(Level::Warn, "Facter::Core::Execution", text);
                None
            }
        }
    }

    /// Says something, once.
    pub(crate) fn say(&self, level: Level, source: &str, text: String) {
        let message = Message { level, source: source.to_owned(), text };
        let mut messages = self.messages.borrow_mut();
        // Debugging repeats nothing either, but to compare with thousands of messages would take long.
        if level == Level::Debug || !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// What was said since the last time.
    pub(crate) fn take_messages(&self) -> Vec<Message> {
        self.messages.take()
    }
}

/// What a command writes to standard output.
fn run(world: &dyn World, file: &str, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let variables = [("LC_ALL", "C"), ("LANG", "C")];
    let command =
        Command { program: file, arguments, variables: &variables, limits: Some(LIMITS), ..Command::default() };
    world.run(&command).map(|output| output.stdout)
}
