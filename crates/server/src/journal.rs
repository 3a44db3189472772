//! The log of the server: a line for each thing that happened, on standard error, where a service manager expects it.

use std::io::Write;

/// Where messages go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Journal {
    /// Whether details are told too.
    pub is_verbose: bool,
}

impl Journal {
    /// Something went wrong.
    pub fn error(&self, message: &str) {
        write("ERROR", message);
    }

    /// Something should be looked at.
    pub fn warning(&self, message: &str) {
        write("WARN ", message);
    }

    /// Something happened.
    pub fn info(&self, message: &str) {
        write("INFO ", message);
    }

    /// A detail.
    pub fn debug(&self, message: &str) {
        if self.is_verbose {
            write("DEBUG", message);
        }
    }
}

/// One line, whatever is in the message: nobody writes lines of their own into the log.
fn write(level: &str, message: &str) {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ");
    let message: String = message.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    // Where nobody reads the log there is nobody to be told.
    let _ = writeln!(std::io::stderr().lock(), "{time} {level} {message}");
}
