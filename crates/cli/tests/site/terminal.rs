//! A program at a terminal, as somebody who types sees it. Nothing here waits for a time: only for what appears.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::site::Site;

/// How long a busy machine may take for a step. Only a test that fails waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A program at a terminal.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// Starts the program in the directory, with a terminal of its own.
    pub(crate) fn start(site: &Site, args: &[&str], colors: bool) -> Terminal {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        // So wide that no line of the tests is broken.
        tcsetwinsize(&keyboard, Winsize { ws_row: 50, ws_col: 500, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let line = || File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        // `setsid` makes it the terminal of the program, whose Ctrl-C is then a signal.
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(env!("CARGO_BIN_EXE_bunraku")).args(args).current_dir(&site.directory);
        command.env("XDG_STATE_HOME", site.directory.join("state")).env("TERM", "xterm");
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        if !colors {
            command.env("NO_COLOR", "1");
        }
        let child = command.stdin(line()).stdout(line()).stderr(line()).spawn().unwrap();
        drop(command);
        let keyboard = File::from(keyboard);
        let mut output = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the program ends the terminal closes, which is an error here.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes.iter().take(count).copied().collect::<Vec<u8>>()).is_err() {
                    break;
                }
            }
        });
        Terminal { child, keyboard, screen, seen: String::new() }
    }

    pub(crate) fn type_in(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for a text to appear, and forgets what came before.
    pub(crate) fn expect(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("`{text}` does not appear after: {:?}", self.seen),
            }
        }
    }

    /// What the program has shown that nobody has waited for.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    /// Waits until the program has ended; its exit code.
    pub(crate) fn ends(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.screen.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().code(),
                Err(RecvTimeoutError::Timeout) => panic!("the program does not end after: {:?}", self.seen),
            }
        }
    }
}

/// A session that a failed test leaves would go on for ever.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
