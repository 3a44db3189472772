//! Runs a command within limits of time and output, so that no program holds a compilation up or fills the memory.

use std::io::{self, ErrorKind, Read, Write};
use std::process::Stdio;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::{Command, Output, ProcessGroup};

/// How often a process that is silent is asked whether it has ended.
const TICK: Duration = Duration::from_millis(20);
/// How long to wait for the last words of a process that has ended: they stand in the pipe already.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a command may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How long it may run.
    pub(super) time: Duration,
    /// How many bytes it may write to standard output and standard error together.
    pub(super) output: usize,
}

/// A part of what a process writes; true stands for standard error.
type Part = (bool, Vec<u8>);

/// Runs a command to its end. What it has started and left behind ends with it.
pub(super) fn run(command: &Command<'_>, limits: Limits) -> io::Result<Output> {
    let limits = command.limits.map_or(limits, |(time, output)| Limits { time, output });
    let mut process = std::process::Command::new(command.program);
    process.envs(command.variables.iter().copied());
    process.args(command.arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    process.stdin(if command.input.is_empty() { Stdio::null() } else { Stdio::piped() });
    if let Some(directory) = command.directory {
        process.current_dir(directory);
    }
    let mut group = ProcessGroup::start(&mut process)?;
    let (sender, parts) = sync_channel(4);
    let leader = group.leader();
    if let Some(mut stdin) = leader.stdin.take() {
        let input = command.input.to_vec();
        // It may write before it has read all, so both happen at once. One that ends without reading is no failure.
        in_thread(move || drop(stdin.write_all(&input)))?;
    }
    if let (Some(stdout), Some(stderr)) = (leader.stdout.take(), leader.stderr.take()) {
        let errors = sender.clone();
        in_thread(move || pass_on(stdout, false, &sender))?;
        in_thread(move || pass_on(stderr, true, &errors))?;
    }
    listen(&mut group, &parts, command, limits)
}

/// Collects what the process writes until it has ended, or a limit is reached.
fn listen(
    group: &mut ProcessGroup,
    parts: &Receiver<Part>,
    command: &Command<'_>,
    limits: Limits,
) -> io::Result<Output> {
    let start = Instant::now();
    let mut output = Output::default();
    let status = loop {
        match parts.recv_timeout(TICK) {
            Ok(part) => add(&mut output, part, limits)?,
            // Most processes end when they have closed their pipes.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK / 100),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(status) = group.ended()? {
            break status;
        }
        let is_cancelled = command.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed));
        if is_cancelled || command.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            return Err(io::Error::new(ErrorKind::TimedOut, "the compilation is over"));
        }
        if start.elapsed() > limits.time {
            let message = format!("no result after {} seconds", limits.time.as_secs_f64());
            return Err(io::Error::new(ErrorKind::TimedOut, message));
        }
    };
    group.end();
    let end = Instant::now();
    while let Some(left) = LAST_WORDS.checked_sub(end.elapsed())
        && let Ok(part) = parts.recv_timeout(left)
    {
        add(&mut output, part, limits)?;
    }
    Ok(Output { code: status.code(), ..output })
}

fn add(output: &mut Output, (is_error, part): Part, limits: Limits) -> io::Result<()> {
    if output.stdout.len() + output.stderr.len() + part.len() > limits.output {
        let message = format!("the output is larger than {} bytes", limits.output);
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    if is_error { &mut output.stderr } else { &mut output.stdout }.extend(part);
    Ok(())
}

/// Passes on what comes out of a pipe, until it ends or nobody listens any more.
fn pass_on(mut pipe: impl Read, is_error: bool, to: &SyncSender<Part>) {
    let mut buffer = [0; 1 << 16];
    loop {
        match pipe.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(length) => {
                let part = buffer.get(..length).unwrap_or_default().to_vec();
                if to.send((is_error, part)).is_err() {
                    return;
                }
            }
        }
    }
}

fn in_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().spawn(work).map(drop)
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    fn shell(script: &str, input: &[u8], limits: Limits) -> Result<(Option<i32>, String, String), String> {
        let command = Command { program: "/bin/sh", arguments: &["-c", script], input, ..Command::default() };
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let output = run(&command, limits).map_err(|error| error.to_string())?;
        Ok((output.code, text(output.stdout), text(output.stderr)))
    }

    #[test]
    fn commands_keep_to_their_limits() {
        let wide = Limits { time: Duration::from_secs(60), output: 1 << 20 };
        let said = |out: &str, error: &str| Ok((Some(0), out.to_owned(), error.to_owned()));
        assert_eq!(shell("echo a; echo b >&2", b"", wide), said("a\n", "b\n"));
        assert_eq!(shell("exit 3", b"", wide), Ok((Some(3), String::new(), String::new())));
        assert_eq!(shell("kill -9 $$", b"", wide), Ok((None, String::new(), String::new())));
        // Input and output are larger than a pipe has room for.
        let text = "x".repeat(300_000);
        assert_eq!(shell("cat", text.as_bytes(), wide), said(&text, ""));
        assert_eq!(shell("exit 0", text.as_bytes(), wide), said("", ""));
        // What is left in the background holds nobody up, not even what leaves the group.
        let start = Instant::now();
        assert_eq!(shell("echo a; sleep 50 &", b"", wide), said("a\n", ""));
        assert_eq!(shell("echo a; setsid sleep 6 & sleep 0.1", b"", wide), said("a\n", ""));
        assert!(start.elapsed() < Duration::from_secs(6));
        let large = Err("the output is larger than 1048576 bytes".to_owned());
        assert_eq!(shell("yes", b"", wide), large);
        assert_eq!(shell("yes >&2", b"", wide), large);
        let short = Limits { time: Duration::from_millis(500), ..wide };
        let late = Err("no result after 0.5 seconds".to_owned());
        assert_eq!(shell("sleep 50 & sleep 50", b"", short), late);
        assert_eq!(shell("exec >&- 2>&-; sleep 50", b"", short), late);
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_command_ends_with_its_compilation() {
        let wide = Limits { time: Duration::from_secs(60), output: 1 << 20 };
        let endless = Command { program: "/bin/sh", arguments: &["-c", "sleep 50"], ..Command::default() };
        let start = Instant::now();
        let late = Command { deadline: start.checked_add(Duration::from_millis(100)), ..endless };
        assert_eq!(run(&late, wide).unwrap_err().to_string(), "the compilation is over");
        let cancelled = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let running = scope.spawn(|| run(&Command { cancelled: Some(&cancelled), ..endless }, wide));
            cancelled.store(true, Ordering::Relaxed);
            assert_eq!(running.join().unwrap().unwrap_err().to_string(), "the compilation is over");
        });
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
