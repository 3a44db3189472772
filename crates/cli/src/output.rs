//! Where the words of a command go: results to standard output, messages to standard error or to the file of `--logdest`.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Whether the program was started without a standard output. Rust's runtime then opens `/dev/null` in its place, where
/// every result would be lost without a word, so this has to be found out before it does.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[ctor::ctor]
fn see_whether_output_is_closed() {
    IS_CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
}

/// Writes results, all of them: that they got there is part of the work.
pub(crate) fn write_results(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let written = if IS_CLOSED.load(Ordering::Relaxed) {
        write(&mut Closed)
    } else {
        let mut output = io::stdout().lock();
        write(&mut output).and_then(|()| output.flush())
    };
    match written {
        // Who closes the other end of a pipe has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("Could not write the result: {}", bunraku::reason(&error)))
        }
        _ => Ok(()),
    }
}

/// The output of a program that has none.
struct Closed;

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(io::Error::new(ErrorKind::NotConnected, "standard output is closed")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints a result as it is.
pub(crate) fn print(result: impl Display) -> Result<(), String> {
    write_results(|output| write!(output, "{result}"))
}

/// Prints a result that has colours, which only a terminal gets.
pub(crate) fn print_styled(result: impl Display) -> Result<(), String> {
    let is_styled = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let text = result.to_string();
    if is_styled { print(text) } else { print(anstream::adapter::strip_str(&text)) }
}

/// The file in which messages are kept instead of being shown.
static LOG: OnceLock<File> = OnceLock::new();

/// From now on messages go to the end of a file.
pub(crate) fn log_to(path: &str) -> Result<(), String> {
    if LOG.get().is_none() {
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let file = opened.map_err(|error| format!("Could not open {path}: {}", bunraku::reason(&error)))?;
        _ = LOG.set(file);
    }
    Ok(())
}

/// Writes a message to the log file; whether there is one.
pub(crate) fn keep(message: impl Display) -> bool {
    let Some(mut file) = LOG.get() else { return false };
    // A log that is full must not stop the run.
    _ = file.write_all(anstream::adapter::strip_str(&message.to_string()).to_string().as_bytes());
    true
}

/// Whether messages are read by people as they come.
pub(crate) fn on_terminal() -> bool {
    LOG.get().is_none() && io::stderr().is_terminal()
}

/// A directory whose files are copies, and the one that they are copies of, which messages speak of.
static COPY: OnceLock<(String, String)> = OnceLock::new();

/// From now on messages speak of the directory that another one is a copy of.
pub(crate) fn show_copy_as(copy: &Path, original: &Path) {
    _ = COPY.set((copy.display().to_string(), original.display().to_string()));
}

/// Shows a message, at once, so that those of several threads stay whole.
pub(crate) fn tell(message: impl Display) {
    let mut text = message.to_string();
    if let Some((copy, original)) = COPY.get() {
        text = text.replace(copy, original);
    }
    if keep(&text) {
        return;
    }
    let bar = bar();
    // Where messages go nowhere, there is nowhere to say so.
    _ = match bar.is_empty() {
        true => anstream::stderr().write_all(text.as_bytes()),
        // Who wants no colours wants the bar gone all the same.
        false => io::stderr()
            .write_all(CLEAR.as_bytes())
            .and_then(|()| anstream::stderr().write_all(text.as_bytes()))
            .and_then(|()| io::stderr().write_all(bar.as_bytes())),
    };
}

/// The bar that shows progress, while there is one; messages appear above it.
static BAR: Mutex<String> = Mutex::new(String::new());

fn bar() -> MutexGuard<'static, String> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Goes back to the beginning of the line and empties it.
const CLEAR: &str = "\r\x1b[2K";

/// How many characters wide the bar is.
const BAR_WIDTH: usize = 40;

/// Shows, on a terminal only, how far the work has got. The bar goes with this value.
pub(crate) struct Progress {
    done: AtomicUsize,
    total: usize,
}

impl Progress {
    /// Of so many steps none is done. A single one needs no bar.
    pub(crate) fn new(total: usize) -> Self {
        Progress { done: AtomicUsize::new(0), total }
    }

    /// One more step is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.total > 1 && on_terminal() {
            let filled = "#".repeat(BAR_WIDTH * done / self.total);
            let mut bar = bar();
            *bar = format!("[{filled:BAR_WIDTH$}] {done}/{}", self.total);
            _ = io::stderr().write_all(format!("{CLEAR}{bar}").as_bytes());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let mut bar = bar();
        if !bar.is_empty() {
            bar.clear();
            _ = io::stderr().write_all(CLEAR.as_bytes());
        }
    }
}
