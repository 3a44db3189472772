//! `repl` at a terminal: `script` gives it one and types what the test says.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test states its expectation")]

mod site;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use site::Site;

/// A program at a terminal.
struct Terminal {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn start(site: &Site) -> Terminal {
        // The shell tells how the program ended: `script` itself fails when it sees the terminal close before it hears of
        // the end. Ctrl-C reaches the shell as well, which has to live on.
        let program = format!(
            "trap : INT; {} repl --facts os:debian-12 --modulepath modules --confdir conf --certname n; echo ended with $?",
            env!("CARGO_BIN_EXE_bunraku")
        );
        let mut command = std::process::Command::new("script");
        command.args(["-qfc", &program, "/dev/null"]).current_dir(&site.directory);
        command.env("XDG_STATE_HOME", site.directory.join("state")).env("TERM", "xterm").env("NO_COLOR", "1");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                if sender.send(bytes.iter().take(count).copied().collect::<Vec<u8>>()).is_err() {
                    break;
                }
            }
        });
        let mut terminal = Terminal { child, input, output, seen: String::new() };
        terminal.expect("bunraku> ");
        terminal
    }

    fn type_in(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    /// Waits for a text to appear, and forgets what came before.
    fn expect(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("`{text}` does not appear after: {:?}", self.seen),
            }
        }
    }

    /// Types a line and waits for the answer and the next prompt.
    fn answers(&mut self, line: &str, expected: &str) {
        self.type_in(&format!("{line}\r"));
        self.expect(&format!("{expected}\r\n"));
        self.expect("bunraku> ");
    }
}

/// A session that a failed test leaves would go on for ever.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn site(name: &str) -> Site {
    let site = Site::new(
        name,
        &[
            ("modules/web/manifests/init.pp", "class web($port = 80) { notify { \"web ${port}\": } }\n"),
            ("play.pp", "$played = 6 * 7\n$played\n"),
        ],
    );
    std::fs::create_dir_all(site.directory.join("conf")).unwrap();
    site
}

#[test]
fn a_session_at_a_terminal() {
    let site = site("repl_session");
    let mut terminal = Terminal::start(&site);
    terminal.answers("1 + 1", "2");
    terminal.answers("$facts['os']['name']", "'Debian'");
    terminal.answers(":facts os.family", "'Debian'");
    // A line that is not finished goes on in the next one.
    terminal.type_in("[1,\r");
    terminal.expect("...> ");
    terminal.answers("2].map |$x| { $x * 2 }", "[2, 4]");
    // Tab completes a fact by its path, a class, and a method.
    terminal.type_in("$facts['os']['fam\t\r");
    terminal.expect("'Debian'\r\n");
    terminal.expect("bunraku> ");
    terminal.type_in("include we\t\r");
    terminal.expect("[Class[web]]");
    terminal.expect("bunraku> ");
    terminal.answers(":resources notify", "Notify[web 80]");
    terminal.answers(":classes", "web");
    terminal.answers(":play play.pp", "42");
    terminal.answers("$played", "42");
    terminal.answers(":set facts os:rocky-9", "");
    terminal.answers("$facts['os']['name']", "'Rocky'");
    terminal.type_in("$played\r");
    terminal.expect("Unknown variable");
    terminal.expect("bunraku> ");
    terminal.answers("help", "Ctrl-C                  end an evaluation, or forget the line");
    terminal.type_in("exit\r");
    terminal.expect("ended with 0\r\n");
}

#[test]
fn control_c_ends_an_evaluation_and_not_the_session() {
    let site = site("repl_interrupt");
    let mut terminal = Terminal::start(&site);
    terminal.answers("$secret_token = 'hunter2'", "'hunter2'");
    terminal.type_in("Integer[1, 1000000].each |$i| { Integer[1, 1000000].each |$j| { $i } }\r");
    terminal.expect("$j| { $i } }");
    std::thread::sleep(Duration::from_millis(500));
    terminal.type_in("\x03");
    terminal.expect("the evaluation was interrupted\r\n");
    terminal.expect("bunraku> ");
    terminal.answers("2 + 3", "5");
    terminal.type_in("\x04");
    terminal.expect("ended with 0\r\n");
    let history = site.read("state/bunraku/history");
    assert!(history.contains("2 + 3") && !history.contains("hunter2"), "{history}");
}
