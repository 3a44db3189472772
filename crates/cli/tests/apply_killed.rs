//! Kills runs at moments nobody chose: whatever they were doing, files are old or new, and the next run works.
//! `KILLS=200` kills more often than a test has time for.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const FILES: usize = 40;

struct Machine(PathBuf);

impl Machine {
    fn new() -> Machine {
        let directory = std::env::temp_dir().join(format!("bunraku-killed-{}", std::process::id()));
        _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(directory.join("files")).unwrap();
        Machine(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn content(letter: char) -> String {
        letter.to_string().repeat(30_000)
    }

    fn start(&self, letter: char) -> Child {
        let files = self.path("files");
        let code = format!(
            "Integer[1, {FILES}].each |$number| {{ file {{ \"{files}/$number\": content => '{}', mode => '0640' }} }}",
            Machine::content(letter)
        );
        let manifest = self.0.join("site.pp");
        std::fs::write(&manifest, code).unwrap();
        let output = std::fs::File::create(self.0.join("output")).unwrap();
        Command::new(env!("CARGO_BIN_EXE_bunraku"))
            .args(["apply", "--vardir", &self.path("var"), "--confdir", &self.path("conf")])
            .args(["--publicdir", &self.path("public"), "--facts", "os:debian-12"])
            .arg(&manifest)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(output)
            .spawn()
            .unwrap()
    }

    fn run(&self, letter: char) {
        let code = self.start(letter).wait().unwrap();
        let said = std::fs::read_to_string(self.0.join("output")).unwrap();
        assert!(code.success() && !said.contains("corrupt"), "{said}");
    }

    /// What runs keep for the next one is whole, as far as it is there.
    fn check_kept(&self) {
        for name in ["var/state/state.yaml", "var/state/last_run_report.yaml", "public/last_run_summary.yaml"] {
            let Ok(text) = std::fs::read_to_string(self.0.join(name)) else { continue };
            assert!(text.starts_with("---") && text.ends_with('\n'), "{name}: {text}");
        }
    }

    /// The files that have a whole content; none may have another.
    fn check(&self, letters: [char; 2]) {
        for number in 1..=FILES {
            let path = self.0.join("files").join(number.to_string());
            let found = std::fs::read_to_string(&path).unwrap();
            assert!(letters.iter().any(|letter| found == Machine::content(*letter)), "{} is broken", path.display());
            assert_eq!(mode(&path), 0o640);
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o7777
}

#[test]
fn killed_runs_leave_whole_files() {
    let kills: u32 = std::env::var("KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(12);
    let machine = Machine::new();
    machine.run('a');
    let start = Instant::now();
    machine.run('b');
    let whole = start.elapsed();
    let letters = ['a', 'b'];
    for number in 0..kills {
        let letter = if number % 2 == 0 { 'a' } else { 'b' };
        let mut child = machine.start(letter);
        // Moments all over the run, more of them where files are written.
        let share = f64::from((number * 7919) % 1000) / 1000.0;
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * (0.2 + 0.8 * share)));
        child.kill().unwrap();
        child.wait().unwrap();
        machine.check(letters);
        machine.check_kept();
        for part in std::fs::read_dir(machine.0.join("files")).unwrap() {
            let part = part.unwrap();
            // What was not complete is private.
            if part.file_name().to_string_lossy().contains('-') {
                assert_eq!(mode(&part.path()) & 0o077, mode(&part.path()) & 0o040, "{}", part.path().display());
            }
        }
    }
    machine.run('a');
    machine.check(['a', 'a']);
    assert!(std::fs::read_to_string(machine.0.join("var/state/state.yaml")).unwrap().starts_with("---"));
}
