//! Where the words of a command go: results to standard output, messages to standard error.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

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
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("Could not write the result: {error}")),
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

/// Shows a message, at once, so that those of several threads stay whole.
pub(crate) fn tell(message: impl Display) {
    // Where messages go nowhere, there is nowhere to say so.
    _ = anstream::stderr().write_all(message.to_string().as_bytes());
}
