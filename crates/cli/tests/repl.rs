//! `repl` at a terminal.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;
#[path = "site/terminal.rs"]
mod terminal;

use std::path::Path;
use std::time::{Duration, Instant};

use site::Site;
use terminal::{PATIENCE, Terminal};

/// A session that has begun.
fn session(site: &Site) -> Terminal {
    let args = ["repl", "--facts", "os:debian-12", "--modulepath", "modules", "--confdir", "conf", "--certname", "n"];
    let mut terminal = Terminal::start(site, &args, false);
    terminal.expect("bunraku> ");
    terminal
}

/// Types a line and waits for the answer and the next prompt.
fn answers(terminal: &mut Terminal, line: &str, expected: &str) {
    terminal.type_in(&format!("{line}\r"));
    terminal.expect(&format!("{expected}\r\n"));
    terminal.expect("bunraku> ");
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

/// Waits until a file is there.
fn wait_for(path: &Path) {
    let end = Instant::now() + PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < end, "{} does not appear", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_session_at_a_terminal() {
    let site = site("repl_session");
    let mut terminal = session(&site);
    answers(&mut terminal, "1 + 1", "2");
    answers(&mut terminal, "$facts['os']['name']", "'Debian'");
    answers(&mut terminal, ":facts os.family", "'Debian'");
    // A line that is not finished goes on in the next one.
    terminal.type_in("[1,\r");
    terminal.expect("...> ");
    answers(&mut terminal, "2].map |$x| { $x * 2 }", "[2, 4]");
    // Tab completes a fact by its path, a class, and a method.
    terminal.type_in("$facts['os']['fam\t\r");
    terminal.expect("'Debian'\r\n");
    terminal.expect("bunraku> ");
    terminal.type_in("include we\t\r");
    terminal.expect("[Class[web]]");
    terminal.expect("bunraku> ");
    answers(&mut terminal, ":resources notify", "Notify[web 80]");
    answers(&mut terminal, ":classes", "web");
    answers(&mut terminal, ":play play.pp", "42");
    answers(&mut terminal, "$played", "42");
    answers(&mut terminal, ":set facts os:rocky-9", "");
    answers(&mut terminal, "$facts['os']['name']", "'Rocky'");
    terminal.type_in("$played\r");
    terminal.expect("Unknown variable");
    terminal.expect("bunraku> ");
    answers(&mut terminal, "help", "Ctrl-C                  end an evaluation, or forget the line");
    terminal.type_in("exit\r");
    assert_eq!(terminal.ends(), Some(0));
}

#[test]
fn control_c_ends_an_evaluation_and_not_the_session() {
    let site = site("repl_interrupt");
    let mut terminal = session(&site);
    answers(&mut terminal, "$secret_token = 'hunter2'", "'hunter2'");
    // A file says that the evaluation has begun.
    let begun = site.directory.join("begun");
    let endless = "Integer[1, 1000000].each |$i| { Integer[1, 1000000].each |$j| { $i } }";
    terminal.type_in(&format!("generate('/usr/bin/touch', '{}') {endless}\r", begun.display()));
    wait_for(&begun);
    terminal.type_in("\x03");
    terminal.expect("the evaluation was interrupted\r\n");
    terminal.expect("bunraku> ");
    answers(&mut terminal, "2 + 3", "5");
    terminal.type_in("\x04");
    assert_eq!(terminal.ends(), Some(0));
    let history = site.read("state/bunraku/history");
    assert!(history.contains("2 + 3") && !history.contains("hunter2"), "{history}");
}
