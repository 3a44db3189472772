//! The helper process: its start, its pipes, and the clock that ends it when it hangs.

use std::io::{BufReader, ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bunraku_compiler::Limits;
use bunraku_environment::world::ProcessGroup;
use bunraku_syntax::Issue;
use serde_json::{Value as Json, json};

use super::Options;
use super::error::{RubyError, RubyErrorKind};

/// The library the helper is given, in the order it is loaded.
const SHIM: [(&str, &str); 11] = [
    ("protocol.rb", include_str!("../shim/protocol.rb")),
    ("values.rb", include_str!("../shim/values.rb")),
    ("puppet.rb", include_str!("../shim/puppet.rb")),
    ("libraries.rb", include_str!("../shim/libraries.rb")),
    ("types.rb", include_str!("../shim/types.rb")),
    ("scope.rb", include_str!("../shim/scope.rb")),
    ("wrapper.rb", include_str!("../shim/wrapper.rb")),
    ("template.rb", include_str!("../shim/template.rb")),
    ("functions.rb", include_str!("../shim/functions.rb")),
    ("helper.rb", include_str!("../shim/helper.rb")),
    ("main.rb", include_str!("../shim/main.rb")),
];

/// Reads the files of the library from standard input: a line with name and size, then the text.
const BOOT: &str = "while (name, size = $stdin.gets.split) && name
  eval($stdin.read(size.to_i).force_encoding('UTF-8'), TOPLEVEL_BINDING, \"bunraku/#{name}\")
end";

/// The helper interrupts itself first, and then knows the line; only if it cannot, it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// Starting on a busy machine takes its time, which is not the time of a template.
const START_LIMIT: Duration = Duration::from_secs(60);

/// A running helper.
pub(super) struct Process {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    clock: Arc<Clock>,
    time_limit: Duration,
    output_limit: usize,
}

impl Process {
    pub(super) fn start(options: &Options) -> Result<Self, RubyError> {
        let limits = json!({
            "seconds": options.time_limit.as_secs_f64(),
            "memory": options.memory_limit,
            "output": options.output_limit,
        });
        let mut command = Command::new(&options.ruby);
        command
            .args(["--disable-gems", "-E", "UTF-8:UTF-8", "-e", BOOT, "--"])
            .arg(limits.to_string())
            // Options for other Ruby programs must not reach this one.
            .env_remove("RUBYOPT")
            .env_remove("RUBYLIB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        // What Ruby code starts ends with the helper, and the helper with this program.
        let mut group = ProcessGroup::start(&mut command).map_err(|error| cannot_start(options, &error))?;
        let (Some(input), Some(output)) = (group.leader().stdin.take(), group.leader().stdout.take()) else {
            return Err(RubyError::gone());
        };
        let mut process = Process {
            input,
            output: BufReader::new(output),
            clock: Clock::watch(group),
            time_limit: options.time_limit.saturating_add(GRACE),
            output_limit: options.output_limit,
        };
        process.boot()?;
        Ok(process)
    }

    fn boot(&mut self) -> Result<(), RubyError> {
        let mut library = Vec::new();
        for (name, text) in SHIM {
            library.extend_from_slice(format!("{name} {}\n", text.len()).as_bytes());
            library.extend_from_slice(text.as_bytes());
        }
        self.input.write_all(&library).map_err(|_| RubyError::gone())?;
        self.receive_within(START_LIMIT, &Limits::default()).map(drop)
    }

    /// Sends one message.
    pub(super) fn send(&mut self, message: &Json) -> Result<(), RubyError> {
        let mut frame = vec![0; 4];
        serde_json::to_writer(&mut frame, message).map_err(|_| RubyError::gone())?;
        let length = u32::try_from(frame.len() - 4)
            .map_err(|_| RubyError::new(RubyErrorKind::Limit, "the values for Ruby are too large"))?;
        for (place, byte) in frame.iter_mut().zip(length.to_be_bytes()) {
            *place = byte;
        }
        self.input.write_all(&frame).map_err(|_| RubyError::gone())
    }

    /// Waits for the next message.
    pub(super) fn receive(&mut self, limits: &Limits) -> Result<Json, RubyError> {
        self.receive_within(self.time_limit, limits)
    }

    fn receive_within(&mut self, limit: Duration, limits: &Limits) -> Result<Json, RubyError> {
        let over = |issue: Issue| RubyError::new(RubyErrorKind::Limit, issue.message());
        limits.check().map_err(over)?;
        let left = limits.deadline.map_or(limit, |deadline| deadline.saturating_duration_since(Instant::now()));
        self.clock.start(limit.min(left), limits.cancelled.clone());
        let message = self.read_message();
        if self.clock.stop() {
            limits.check().map_err(over)?;
            let seconds = self.time_limit.saturating_sub(GRACE).as_secs_f64();
            return Err(RubyError::new(RubyErrorKind::Limit, format!("no result after {seconds} seconds")));
        }
        message
    }

    fn read_message(&mut self) -> Result<Json, RubyError> {
        let mut header = [0; 4];
        self.output.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => RubyError::new(RubyErrorKind::Died, "the Ruby helper ended without a result"),
            _ => RubyError::gone(),
        })?;
        let length = u32::from_be_bytes(header) as usize;
        // The helper keeps to the limit itself; this guards against a broken conversation.
        if length > self.output_limit.saturating_add(1 << 16) {
            return Err(RubyError::new(RubyErrorKind::Limit, "the answer of the Ruby helper is too large"));
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).map_err(|_| RubyError::gone())?;
        serde_json::from_slice(&body).map_err(|error| {
            RubyError::new(RubyErrorKind::Limit, format!("the answer of the Ruby helper cannot be read: {error}"))
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.clock.end();
    }
}

fn cannot_start(options: &Options, error: &std::io::Error) -> RubyError {
    let ruby = options.ruby.display();
    let message = match error.kind() {
        ErrorKind::NotFound => format!(
            "this needs Ruby, and there is no '{ruby}' on this machine; install Ruby, or use an EPP template or a function in the Puppet language"
        ),
        _ => format!("this needs Ruby, and '{ruby}' cannot be started: {error}"),
    };
    RubyError::new(RubyErrorKind::Missing, message)
}

/// How often it is asked whether an answer is still wanted.
const UNTIL_ASKED: Duration = Duration::from_millis(50);

/// Kills the helper when an answer is overdue. One thread for the life of a helper; it sleeps until something can be
/// due, so a call costs no wake-up.
struct Clock {
    state: Mutex<ClockState>,
    changed: Condvar,
}

struct ClockState {
    group: ProcessGroup,
    deadline: Option<Instant>,
    /// Set by whoever wants the compilation to end.
    cancelled: Option<Arc<AtomicBool>>,
    /// Until when the thread sleeps; without a time, until it is told of a deadline.
    sleeps_until: Option<Instant>,
    has_expired: bool,
    is_over: bool,
}

impl ClockState {
    fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}

impl Clock {
    fn watch(group: ProcessGroup) -> Arc<Self> {
        let state = ClockState {
            group,
            deadline: None,
            cancelled: None,
            sleeps_until: None,
            has_expired: false,
            is_over: false,
        };
        let clock = Arc::new(Clock { state: Mutex::new(state), changed: Condvar::new() });
        let watcher = clock.clone();
        // Without the thread the helper still has its own limit of time.
        let _ = std::thread::Builder::new().name("ruby clock".to_string()).spawn(move || watcher.run());
        clock
    }

    fn start(&self, limit: Duration, cancelled: Option<Arc<AtomicBool>>) {
        let mut state = self.lock();
        state.cancelled = cancelled;
        state.deadline = Instant::now().checked_add(limit);
        // A thread that wakes too early finds the new deadline; only one that would wake too late must be told.
        let is_too_late =
            |until: Option<Instant>| until.is_none_or(|until| state.deadline.is_some_and(|at| at < until));
        if state.cancelled.is_some() || is_too_late(state.sleeps_until) {
            self.changed.notify_one();
        }
    }

    /// Ends the wait; true if it had been too long.
    fn stop(&self) -> bool {
        let mut state = self.lock();
        state.deadline = None;
        state.has_expired
    }

    fn end(&self) {
        let mut state = self.lock();
        state.is_over = true;
        state.group.end();
        self.changed.notify_one();
    }

    fn run(&self) {
        let mut state = self.lock();
        while !state.is_over {
            let now = Instant::now();
            state = match state.deadline {
                Some(deadline) if deadline <= now || state.is_cancelled() => {
                    state.has_expired = true;
                    state.deadline = None;
                    state.group.end();
                    state
                }
                Some(deadline) => {
                    state.sleeps_until = Some(deadline);
                    let patience = if state.cancelled.is_some() { UNTIL_ASKED } else { Duration::MAX };
                    let wait = self.changed.wait_timeout(state, patience.min(deadline - now));
                    let (mut state, _) = wait.unwrap_or_else(PoisonError::into_inner);
                    state.sleeps_until = None;
                    state
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
