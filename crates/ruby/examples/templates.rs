//! Renders the ERB templates of directories with and without Ruby, and compares: for each template several times, with
//! variables of many kinds.
//!
//! `cargo run -p bunraku-ruby --example templates -- FOLDER …`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bunraku_pcore::Value;
use bunraku_ruby::native::Templates;
use bunraku_ruby::sidecar::{Host, HostError, HostResult, Options, RubyBlock, RubyEnvironment, Sidecar, Variable};

/// How often each template is rendered.
const ROUNDS: usize = 24;

fn main() -> ExitCode {
    let directories: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let mut paths = Vec::new();
    directories.iter().for_each(|directory| find(directory, &mut paths));
    paths.sort();
    let settings = vec![("strict".to_string(), Value::string("error"))];
    let environment = RubyEnvironment { name: "production".to_string(), load_path: Vec::new(), settings };
    let sidecar = Sidecar::new(Options::default(), Arc::new(environment));
    let templates = Templates::default();
    let (mut always, mut never, mut different) = (0, 0, 0);
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let (mut renders, mut native) = (0, 0);
        for round in 0..ROUNDS {
            let by_ruby = sidecar.render_template(None, &text, &mut Variety { round, directories: &directories });
            let natively = templates.render(&text.as_str().into(), &mut Variety { round, directories: &directories });
            match (by_ruby, natively) {
                (Ok(expected), Some(actual)) if expected != actual => {
                    different += 1;
                    report(&format!("{}: different\n{expected}\n---\n{actual}", path.display()));
                }
                (Err(error), Some(_)) => {
                    different += 1;
                    report(&format!("{}: only without Ruby; {error}", path.display()));
                }
                (Ok(_), natively) => {
                    renders += 1;
                    native += usize::from(natively.is_some());
                }
                (Err(_), None) => {}
            }
        }
        if renders > 0 && native < renders {
            report(&format!("{}: {native} of {renders}", path.display()));
        }
        always += usize::from(renders > 0 && native == renders);
        never += usize::from(renders == 0);
    }
    let total = paths.len();
    report(&format!("{total} templates: {always} never need Ruby, {never} fail always, {different} differences"));
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stdout, reason = "the report of a tool")]
fn report(line: &str) {
    println!("{line}");
}

/// All templates below a directory.
fn find(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "erb") {
            found.push(path);
        }
    }
}

/// A compiler whose variables have other values in every round.
struct Variety<'f> {
    round: usize,
    directories: &'f [PathBuf],
}

impl Host for Variety<'_> {
    fn variable(&mut self, name: &str) -> Variable {
        let number = name.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let texts = || Value::array(["one", "two words", "", "3"].map(Value::string));
        let hash = || {
            Value::hash([
                (Value::string("key"), Value::string("value")),
                (Value::string("path"), texts()),
                (Value::string("count"), Value::Integer(7)),
                (Value::string("unset"), Value::Undef),
                (Value::string("on"), Value::Boolean(true)),
            ])
        };
        // In the first rounds all variables are alike, since only that suits many templates.
        let kind = if self.round < 12 { self.round } else { number / 7 + self.round };
        let value = match kind % 12 {
            0 => Value::string("value"),
            1 => texts(),
            2 => hash(),
            3 => Value::Undef,
            4 => Value::Boolean(true),
            5 => Value::Integer(42),
            6 => Value::array([hash(), hash()]),
            7 => Value::string("2.4"),
            8 => Value::Boolean(false),
            9 => Value::hash([(Value::string("a"), hash()), (Value::string("b"), hash())]),
            10 => Value::array([Value::array([Value::string("a"), Value::Integer(1)]), texts()]),
            _ => Value::string(""),
        };
        Variable::Found(value)
    }
    fn variables(&mut self) -> Vec<(String, Value)> {
        Vec::new()
    }
    fn has_function(&mut self, _: &str) -> bool {
        true
    }
    fn is_native_function(&mut self, name: &str) -> bool {
        !matches!(name, "to_json" | "to_yaml")
    }
    fn call_function(&mut self, name: &str, args: Vec<Value>, _: Option<&dyn RubyBlock>) -> HostResult {
        match (name, &*args) {
            ("versioncmp", [left, right]) => Ok(Value::Integer(left.to_string().cmp(&right.to_string()) as i64)),
            ("template", [Value::String(template)]) => self
                .read_template(template)
                .map(|text| Value::string(&*text))
                .ok_or_else(|| HostError::message("there is none")),
            ("fail", _) => Err(HostError::message("it failed")),
            (_, [first, ..]) => Ok(first.clone()),
            _ => Ok(Value::Undef),
        }
    }
    fn call_block(&mut self, _: Vec<Value>) -> HostResult {
        Err(HostError::message("there is no block"))
    }
    fn log(&mut self, _: &str, _: &str, _: Option<&str>) {}
    fn set_variable(&mut self, _: &str, _: Value) -> HostResult {
        Ok(Value::Undef)
    }
    fn read_template(&mut self, name: &str) -> Option<Arc<str>> {
        let (module, file) = name.split_once('/')?;
        let read =
            |directory: &PathBuf| std::fs::read_to_string(directory.join(module).join("templates").join(file)).ok();
        // A text without tags, so that it is the same whoever renders it.
        self.directories.iter().find_map(read).map(|text| text.replace("<%", "< %").into())
    }
}
