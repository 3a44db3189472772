//! Commands that are run on the machine: with the environment, the user and the limits they are to have.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::fault::{Fault, Outcome, reason};

/// Variables of whoever runs this program that commands do not get.
const OF_THE_USER: [&str; 3] = ["HOME", "USER", "LOGNAME"];

/// Variables that decide about languages.
const OF_THE_LOCALE: [&str; 9] =
    ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"];

/// Letters that only a shell understands.
const META: &str = "*?{}[]<>()~&|\\$;'`\"\n#=%";

/// Words that only a shell understands.
const SHELL_WORDS: [&str; 32] = [
    ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "fi", "for", "if", "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
    "!", "alias", "cd", "umask",
];

/// A command to run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Execution {
    arguments: Vec<String>,
    /// The command as it is shown.
    shown: String,
    directory: Option<String>,
    variables: Vec<(String, String)>,
    user: Option<(u32, u32, Option<String>)>,
    group: Option<u32>,
    umask: Option<u32>,
    timeout: Option<Duration>,
    keeps_locale: bool,
    drops_errors: bool,
    shares_output: bool,
    input: Option<String>,
    /// The name under which the program is started, if that is not its path.
    called: Option<&'static str>,
}

/// What a command came to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// Its exit code; nothing when a signal ended it.
    pub(crate) code: Option<i32>,
    /// What it wrote.
    pub(crate) text: String,
    /// Whether that was text, not just bytes.
    pub(crate) is_text: bool,
}

/// Why a command did not come to an end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It took too long.
    TimedOut,
    /// There was no attempt to start it.
    NotStarted(Fault),
}

impl Execution {
    /// A program with its arguments.
    pub(crate) fn new<T: AsRef<str>>(arguments: &[T]) -> Self {
        let arguments: Vec<String> = arguments.iter().map(|it| it.as_ref().to_owned()).collect();
        Execution { shown: arguments.join(" "), arguments, ..Execution::default() }
    }

    /// A command line, for which a shell is needed only if it has something in it that only a shell understands.
    pub(crate) fn line(line: &str) -> Self {
        let is_word = |word: &str| SHELL_WORDS.contains(&word);
        let needs_shell = line.contains(|it| META.contains(it)) || line.split_whitespace().next().is_some_and(is_word);
        let arguments = if needs_shell {
            vec!["/bin/sh".to_owned(), "-c".to_owned(), line.to_owned()]
        } else {
            line.split_whitespace().map(str::to_owned).collect()
        };
        let called = needs_shell.then_some("sh");
        Execution { arguments, shown: line.to_owned(), called, ..Execution::default() }
    }

    /// Where the command starts.
    pub(crate) fn directory(self, directory: Option<String>) -> Self {
        Execution { directory, ..self }
    }

    /// A variable for the command.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The user and the group the command runs as; with a name, also the other groups of the user.
    pub(crate) fn user(self, uid: u32, gid: u32, name: Option<String>) -> Self {
        Execution { user: Some((uid, gid, name)), ..self }
    }

    /// The group the command runs as; the user stays.
    pub(crate) fn group(self, gid: u32) -> Self {
        Execution { group: Some(gid), ..self }
    }

    /// The permissions that new files do not get.
    pub(crate) fn umask(self, umask: u32) -> Self {
        Execution { umask: Some(umask), ..self }
    }

    /// How long the command may take.
    pub(crate) fn timeout(self, timeout: Option<Duration>) -> Self {
        Execution { timeout, ..self }
    }

    /// The command speaks the language of the user.
    pub(crate) fn keep_locale(self) -> Self {
        Execution { keeps_locale: true, ..self }
    }

    /// Only standard output is of interest.
    pub(crate) fn drop_errors(self) -> Self {
        Execution { drops_errors: true, ..self }
    }

    /// The command writes where this program does.
    pub(crate) fn share_output(self) -> Self {
        Execution { shares_output: true, ..self }
    }

    /// A program that a provider needs, with its arguments.
    pub(crate) fn provider(program: &str, arguments: &[String]) -> Outcome<Self> {
        let found = which(program, None);
        let found = found.ok_or_else(|| Fault::new(format!("Command {program} is missing")))?;
        Ok(Execution::new(&[&[found], arguments].concat()))
    }

    /// How the command is shown, where it is not to be seen as it is.
    pub(crate) fn shown(self, shown: String) -> Self {
        Execution { shown, ..self }
    }

    /// What the command reads.
    pub(crate) fn input(self, input: String) -> Self {
        Execution { input: Some(input), ..self }
    }

    /// Runs the command; that it fails is an error.
    pub(crate) fn succeed(&self) -> Outcome<String> {
        match self.run() {
            Ok(output) => self.succeeded(output),
            Err(Failure::TimedOut) => Err(Fault::new(format!("Execution of '{}' timed out", self.shown))),
            Err(Failure::NotStarted(fault)) => Err(fault),
        }
    }

    /// What a command wrote that has been run; that it failed is an error.
    pub(crate) fn succeeded(&self, output: Output) -> Outcome<String> {
        if output.code == Some(0) {
            return Ok(output.text);
        }
        let code = output.code.map(|code| code.to_string()).unwrap_or_default();
        Err(Fault::new(format!("Execution of '{}' returned {code}: {}", self.shown, output.text.trim())))
    }

    /// Runs the command to its end. What it starts in the background may live on.
    pub(crate) fn run(&self) -> Result<Output, Failure> {
        let not_started = |error: &io::Error| {
            let program = self.arguments.first().map(String::as_str).unwrap_or_default();
            Failure::NotStarted(Fault::raw(format!("{} - {program}", reason(error))))
        };
        if let Some(directory) = self.directory.as_deref().filter(|directory| !std::path::Path::new(directory).is_dir())
        {
            return Err(Failure::NotStarted(Fault::raw(format!("Working directory {directory} does not exist!"))));
        }
        // A file, unlike a pipe, can be left behind by what runs on.
        let mut output = in_memory().map_err(|error| not_started(&error))?;
        let status = self.start(&output).and_then(|status| status.ok_or_else(|| io::ErrorKind::TimedOut.into()));
        let status = match status {
            Ok(status) => status,
            Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(Failure::TimedOut),
            Err(error) => return Ok(self.failed_to_start(&error)),
        };
        let mut bytes = Vec::new();
        output.rewind().and_then(|()| output.read_to_end(&mut bytes)).map_err(|error| not_started(&error))?;
        let (text, is_text) = match String::from_utf8(bytes) {
            Ok(text) => (text, true),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), false),
        };
        Ok(Output { code: status.code(), text, is_text })
    }

    /// Compatibility: to the reference, what cannot be started is a command that fails.
    fn failed_to_start(&self, error: &io::Error) -> Output {
        let program = self.arguments.first().map(String::as_str).unwrap_or_default();
        let text = format!("Error: Could not execute posix command: {} - {program}\n", reason(error));
        let text = if self.drops_errors { String::new() } else { text };
        Output { code: Some(1), text, is_text: true }
    }

    /// Runs the command to its end: what it wrote, and what it wrote as errors. Its exit code is of no account.
    pub(crate) fn run_apart(&self) -> io::Result<(String, String)> {
        let (mut output, mut errors) = (in_memory()?, in_memory()?);
        let mut command = self.command()?;
        command.stdout(output.try_clone()?).stderr(errors.try_clone()?).stdin(self.standard_input()?);
        command.spawn()?.wait()?;
        let text = |file: &mut File| -> io::Result<String> {
            let mut bytes = Vec::new();
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        Ok((text(&mut output)?, text(&mut errors)?))
    }

    /// What the command reads.
    fn standard_input(&self) -> io::Result<Stdio> {
        let Some(text) = &self.input else { return Ok(Stdio::null()) };
        let mut input = in_memory()?;
        input.write_all(text.as_bytes())?;
        input.rewind()?;
        Ok(input.into())
    }

    /// Starts the command and waits for it; nothing if it took too long.
    fn start(&self, output: &File) -> io::Result<Option<ExitStatus>> {
        let mut command = self.command()?;
        self.connect(&mut command, output)?;
        let mask = self.umask.map(|mask| rustix::process::umask(mode(mask)));
        let started = match command.spawn() {
            // What does not say how it is to be run is a script of the shell.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                let script = [&["/bin/sh".to_owned()], self.arguments.as_slice()].concat();
                let mut command = Execution { arguments: script, ..self.clone() }.command()?;
                self.connect(&mut command, output)?;
                command.spawn()
            }
            started => started,
        };
        if let Some(mask) = mask {
            rustix::process::umask(mask);
        }
        let mut child = started?;
        let Some(timeout) = self.timeout else { return child.wait().map(Some) };
        let end = Instant::now() + timeout;
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
                if let Some(pid) = pid {
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
                }
                // Nobody else would collect it.
                std::thread::spawn(move || child.wait());
                return Ok(None);
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// What the command reads, and where it writes.
    fn connect(&self, command: &mut Command, output: &File) -> io::Result<()> {
        if !self.shares_output {
            command.stdout(output.try_clone()?);
            command.stderr(if self.drops_errors { Stdio::null() } else { output.try_clone()?.into() });
        }
        command.stdin(self.standard_input()?);
        Ok(())
    }

    fn command(&self) -> io::Result<Command> {
        let mut arguments = self.arguments.iter();
        let program = arguments.next().ok_or_else(|| io::Error::from(rustix::io::Errno::NOENT))?;
        let (mut command, ids) = match &self.user {
            // Other groups of the user are something only another program can set.
            Some((uid, gid, Some(_))) if which("setpriv", None).is_some() => {
                let mut command = Command::new("setpriv");
                command.args([&format!("--reuid={uid}"), &format!("--regid={gid}"), "--init-groups", "--"]);
                command.arg(program);
                (command, None)
            }
            Some((uid, gid, _)) => (Command::new(program), Some((*uid, *gid))),
            None => (Command::new(program), None),
        };
        if let (Some(name), false) = (self.called, command.get_program() == "setpriv") {
            command.arg0(name);
        }
        if let Some((uid, gid)) = ids {
            command.uid(uid).gid(gid);
        }
        if let Some(gid) = self.group {
            command.gid(gid);
        }
        command.args(arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        for name in OF_THE_USER {
            command.env_remove(name);
        }
        if !self.keeps_locale {
            for name in OF_THE_LOCALE {
                command.env_remove(name);
            }
            command.env("LANG", "C").env("LC_ALL", "C");
        }
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        Ok(command)
    }
}

/// A file that is nowhere but in memory.
fn in_memory() -> io::Result<File> {
    let flags = rustix::fs::MemfdFlags::CLOEXEC;
    Ok(rustix::fs::memfd_create("output", flags).map(File::from)?)
}

/// Permissions as the system takes them.
pub(crate) fn mode(bits: u32) -> rustix::fs::Mode {
    rustix::fs::Mode::from_bits_truncate(bits)
}

/// The file of a program that is found in a search path, by default that of this program.
pub(crate) fn which(program: &str, path: Option<&str>) -> Option<String> {
    let is_program = |path: &str| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    if program.starts_with('/') {
        return is_program(program).then(|| program.to_owned());
    }
    let own = std::env::var("PATH").unwrap_or_default();
    let directories = path.unwrap_or(&own).split(':').filter(|directory| !directory.is_empty());
    let mut candidates = directories.map(|directory| format!("{directory}/{program}"));
    candidates.find(|candidate| is_program(candidate))
}
