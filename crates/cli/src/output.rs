//! Where the words of a command go: results to standard output, messages to standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes results, all of them: that they got there is part of the work.
pub(crate) fn write_results(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let mut output = io::stdout().lock();
    match write(&mut output).and_then(|()| output.flush()) {
        // Who closes the other end of a pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("Could not write the result: {error}")),
        _ => Ok(()),
    }
}

/// Prints a result as it is.
pub(crate) fn print(result: impl Display) -> Result<(), String> {
    write_results(|output| write!(output, "{result}"))
}

/// Answers somebody at a terminal.
pub(crate) fn answer(text: impl Display) {
    // An answer that nobody can be given is no reason to end.
    _ = anstream::stdout().write_all(format!("{text}\n").as_bytes());
}

/// Shows a message, at once, so that those of several threads stay whole.
pub(crate) fn tell(message: impl Display) {
    // Where messages go nowhere, there is nowhere to say so.
    _ = anstream::stderr().write_all(message.to_string().as_bytes());
}
