//! Processes that code starts: they end in time, with everything they have started, however this program ends.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use site::Site;

/// How long a busy machine may take for what takes no time. What must be ended would go on for hours.
const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until something is so; false if it takes too long.
fn eventually(condition: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Whether a process of this program has this word among its arguments.
fn runs(program: &str, word: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    lines.any(|line| line.starts_with(program) && line.contains(word))
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// A site whose template starts a process that sleeps for so many seconds, and then does this.
fn sleeper(name: &str, seconds: &str, then: &str) -> Site {
    let template = format!("<% spawn('sleep', '{seconds}') %><% {then} %>done");
    Site::new(
        name,
        &[
            ("production/manifests/site.pp", "file { '/x': content => template('m/t.erb') }\n"),
            ("production/modules/m/templates/t.erb", &template),
            ("facts.yaml", "clientcert: n\n"),
        ],
    )
}

const COMPILE: [&str; 4] = ["catalog", "compile", "--facts", "facts.yaml"];

#[test]
fn ruby_that_cannot_be_interrupted_has_its_time_and_no_more() {
    let site = sleeper("processes_clock", "86399.1", "Thread.handle_interrupt(Object => :never) { sleep 50_000 }");
    let start = Instant::now();
    let (_, messages, code) = site.run(&[&COMPILE[..], &["--ruby-timeout", "1"]].concat());
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(messages.contains("no result after 1 seconds (file: production/modules/m/templates/t.erb"), "{messages}");
    assert_eq!(code, 1);
    assert!(eventually(|| !runs("sleep", "86399.1")));
}

#[test]
fn what_ruby_has_started_ends_with_the_program() {
    let site = sleeper("processes_end", "86399.2", "nil");
    let (output, messages, code) = site.run(&COMPILE);
    assert!(output.contains("\"content\": \"done\""), "{messages}");
    assert_eq!(code, 0);
    assert!(eventually(|| !runs("sleep", "86399.2")));
}

#[test]
fn nothing_outlives_a_program_that_is_killed() {
    for (signal, seconds) in [("-TERM", "86399.3"), ("-INT", "86399.4"), ("-KILL", "86399.5")] {
        let site = sleeper(&format!("processes_killed{signal}"), seconds, "sleep 86400");
        // The helper is told its limits.
        let (limit, helper) = (seconds.replace('.', ""), format!("\"seconds\":{}.0", seconds.replace('.', "")));
        let mut command = site.command(&[&COMPILE[..], &["--ruby-timeout", &limit]].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        assert!(eventually(|| runs("sleep", seconds)), "{signal}");
        assert!(runs("ruby", &helper), "{signal}");
        send(signal, &child);
        child.wait().unwrap();
        assert!(eventually(|| !runs("sleep", seconds) && !runs("ruby", &helper)), "{signal}");
    }
}

#[test]
fn commands_that_print_without_end_are_stopped() {
    let site = Site::new(
        "processes_output",
        &[
            ("bin/flood", "#!/bin/sh\nexec yes\n"),
            ("production/manifests/site.pp", "notice('ran')\n"),
            ("facts.yaml", "clientcert: n\n"),
        ],
    );
    Command::new("chmod").args(["+x", "bin/flood"]).current_dir(&site.directory).status().unwrap();
    let flood = site.directory.join("bin/flood").display().to_string();
    let detail = "the output is larger than 67108864 bytes";
    let (_, messages, code) = site.run(&["eval", "-e", "generate('/usr/bin/yes')"]);
    let expected = format!(
        "Failed to execute generator /usr/bin/yes: Execution of '/usr/bin/yes' returned 1: Error: Could not execute posix command: {detail}"
    );
    assert!(messages.contains(&expected), "{messages:.300}");
    assert_eq!(code, 1);
    let (_, messages, code) =
        site.run(&[&COMPILE[..], &["--node_terminus", "exec", "--external_nodes", &flood]].concat());
    assert!(messages.contains(&format!("Execution of 'bin/flood n' returned 1: {detail}")), "{messages:.300}");
    assert_eq!(code, 1);
    site.write("production/environment.conf", &format!("config_version = {flood}\n"));
    let (_, messages, code) = site.run(&COMPILE);
    assert!(messages.contains(detail), "{messages:.300}");
    assert_eq!(code, 1);
}

#[test]
fn what_a_command_leaves_running_holds_nobody_up() {
    let site = Site::new("processes_background", &[]);
    let code = "generate('/bin/sh', '-c', 'echo started; sleep 86399.6 & exit 0')";
    let start = Instant::now();
    assert_eq!(site.run(&["eval", "-e", code]), ("\"started\\n\"\n".to_owned(), String::new(), 0));
    assert!(start.elapsed() < PATIENCE);
    assert!(eventually(|| !runs("sleep", "86399.6")));
}

#[test]
fn any_limit_of_time_can_be_given() {
    let site = sleeper("processes_limit", "0", "nil");
    for seconds in ["0", "18446744073709551615"] {
        let (output, messages, code) = site.run(&[&COMPILE[..], &["--ruby-timeout", seconds]].concat());
        assert!(output.contains("\"content\": \"done\""), "{seconds}: {messages}");
        assert_eq!(code, 0);
    }
}
