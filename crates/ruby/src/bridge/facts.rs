//! Custom facts: files of modules that call `Facter.add`, run by the interpreter.
//!
//! What the interpreter cannot do is left to a real Ruby: a file that needs it by what it names before it is loaded, a
//! fact when it is found out, unless code has started processes or changed files by then, which a second run would do again.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use bunraku_environment::World;
use bunraku_pcore::{Hash as PuppetHash, Value as PuppetValue};
use bunraku_syntax::with_ample_stack;

use super::{Source, ask, failure, load, start, values, within};
use crate::forecast;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};
use crate::methods::run_line;
use crate::sidecar::{Host, HostError, HostResult, RubyBlock, RubyEnvironment, Variable};

static FACTER: [Source; 3] = [
    Source::new("bunraku/facts/execution.rb", include_str!("../facts/execution.rb")),
    Source::new("bunraku/facts/resolution.rb", include_str!("../facts/resolution.rb")),
    Source::new("bunraku/facts/facter.rb", include_str!("../facts/facter.rb")),
];

/// What the shim stands on where there is no Puppet.
static ALONE: [Source; 1] = [Source::new("bunraku/native.rb", include_str!("../shim/native.rb"))];

/// Puppet for facts.
static PUPPET: [Source; 1] = [Source::new("bunraku/facts/puppet.rb", include_str!("../facts/puppet.rb"))];

/// What a helper process runs, which reads what is left to it from standard input.
const HELPER: &str = concat!(
    include_str!("../facts/helper.rb"),
    include_str!("../facts/execution.rb"),
    include_str!("../facts/resolution.rb"),
    include_str!("../facts/facter.rb"),
    include_str!("../facts/helper_main.rb"),
);

/// The variables under which facts run commands.
const LANGUAGE: [(&str, &str); 2] = [("LC_ALL", "C"), ("LANG", "C")];

/// Custom facts that are to be found out.
pub struct Custom<'c> {
    /// Files with facts, in the order in which they are loaded.
    pub files: &'c [String],
    /// Facts that are known already.
    pub known: &'c PuppetHash,
    /// The weights of those that are no core facts.
    pub weights: &'c PuppetHash,
    /// The names or paths of facts that are asked for; none ask for all.
    pub queries: &'c [String],
    /// The version of Facter.
    pub version: &'c str,
    /// Whether somebody looks for a mistake.
    pub debugging: bool,
    /// Whether there is a Ruby for what cannot be done here.
    pub has_ruby: bool,
    /// The settings of Puppet, if it is there for facts.
    pub setting: Option<&'c dyn Fn(&str) -> PuppetValue>,
}

/// What was found out.
#[derive(Debug, Default)]
pub struct Found {
    /// Facts with a value, by name.
    pub facts: PuppetHash,
    /// What was said: level, source and text.
    pub messages: Vec<[String; 3]>,
    /// How long each fact took.
    pub timings: Vec<(String, Duration)>,
    /// What is left to a real Ruby.
    pub left: Left,
}

/// What is left to a real Ruby.
#[derive(Debug, Default)]
pub struct Left {
    /// Files that were not loaded.
    pub files: Vec<String>,
    /// Files that define facts which were left, as well as the others.
    pub sources: Vec<String>,
    /// Facts that could not be found out.
    pub facts: Vec<String>,
}

impl Left {
    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.facts.is_empty()
    }
}

impl Custom<'_> {
    /// The program for a real Ruby that finds out what is left.
    pub const HELPER: &'static str = HELPER;

    /// The directories from which files of modules may require others of them.
    pub fn load_path(files: &[String]) -> Vec<String> {
        let mut directories: Vec<String> =
            files.iter().filter_map(|file| Some(file.rsplit_once("/facter/")?.0.to_owned())).collect();
        directories.dedup();
        directories
    }

    /// Finds out the facts.
    pub fn find(&self, world: &Arc<dyn World>) -> Found {
        with_ample_stack(|| {
            let mut found = Found::default();
            let mut host = FactHost { setting: self.setting, messages: Vec::new() };
            match self.session(world) {
                Ok(mut vm) => {
                    let run = |vm: &mut Vm| -> Result<(), failure::Failure> {
                        self.run(vm, &mut found);
                        Ok(())
                    };
                    // It reports failures itself.
                    _ = within(&mut vm, &mut host, run);
                }
                Err(failure) => {
                    let text = failure.into_error(None).message;
                    found.messages.push(["error".to_owned(), "Facter".to_owned(), text]);
                }
            }
            found.messages.append(&mut host.messages);
            found
        })
    }

    /// A session with Facter's interface, and Puppet's if that is there.
    fn session(&self, world: &Arc<dyn World>) -> Result<Vm, failure::Failure> {
        let load_path = Self::load_path(self.files);
        let mut vm = match self.setting {
            Some(_) => {
                let settings = vec![("log_level".to_owned(), PuppetValue::from("notice"))];
                let environment = RubyEnvironment { name: "production".to_owned(), load_path, settings };
                start(&environment, world, self.has_ruby)?
            }
            None => {
                let mut vm = Vm::new();
                vm.world = Some(world.clone());
                (vm.puppet.is_serving, vm.puppet.has_ruby) = (true, self.has_ruby);
                let directories = Value::array(load_path.iter().map(|path| Value::str(path.as_str())).collect());
                for name in ["$LOAD_PATH", "$:"] {
                    vm.globals.insert(Sym::new(name), directories.clone());
                }
                ask::define(&mut vm);
                load(&mut vm, &ALONE).map_err(|stop| failure::of(&mut vm, *stop, "bunraku"))?;
                vm
            }
        };
        self.enter(&mut vm).map_err(|stop| failure::of(&mut vm, *stop, "bunraku"))?;
        Ok(vm)
    }

    fn enter(&self, vm: &mut Vm) -> Outcome<()> {
        if let Value::Class(module) = vm.constant_at("Bunraku")? {
            vm.core.add_own(&module, ROWS);
            vm.classes_changed();
        }
        load(vm, &FACTER)?;
        if self.setting.is_some() {
            load(vm, &PUPPET)?;
        }
        let known = values::from_puppet(vm, &PuppetValue::from(self.known.clone()))?;
        let weights = values::from_puppet(vm, &PuppetValue::from(self.weights.clone()))?;
        let queries = Value::array(self.queries.iter().map(|query| Value::str(query.as_str())).collect());
        let args = [known, weights, queries, Value::str(self.version), Value::Bool(self.debugging)];
        facter(vm, "enter", &args)?;
        Ok(())
    }

    /// Loads the files and finds out their facts.
    fn run(&self, vm: &mut Vm, found: &mut Found) {
        let world = vm.world.clone();
        let text = |file: &str| world.as_ref().and_then(|world| world.read_text(file).ok()).unwrap_or_default();
        // Where there is a Ruby, nothing is begun that is seen to need it.
        let (left, files): (Vec<&String>, Vec<&String>) =
            self.files.iter().partition(|file| self.has_ruby && self.is_for_ruby(&text(file)));
        vm.puppet.left_files = left.iter().map(|file| text(file)).collect();
        found.left.files = left.into_iter().cloned().collect();
        for file in files {
            self.load(vm, file, found);
        }
        let mut names = strings(vm, "names", &[]);
        // A fact without its answer is asked again when another one is known not to have any.
        let mut tries = names.len().saturating_mul(2);
        names.reverse();
        while let Some(name) = names.pop() {
            if found.left.facts.contains(&name) {
                continue;
            }
            let is_again = self.find_one(vm, &name, found);
            if is_again && tries > 0 {
                tries -= 1;
                names.push(name);
            }
        }
        for name in &found.left.facts {
            for file in strings(vm, "files_of", &[Value::str(name.as_str())]) {
                if !found.left.sources.contains(&file) && !found.left.files.contains(&file) {
                    found.left.sources.push(file);
                }
            }
        }
        found.messages.extend(messages(vm));
    }

    fn is_for_ruby(&self, text: &str) -> bool {
        let names_puppet = self.setting.is_none() && text.contains("require 'puppet");
        names_puppet || forecast::of_file(text).is_some()
    }

    fn load(&self, vm: &mut Vm, file: &str, found: &mut Found) {
        vm.forget_run();
        let before = vm.puppet.effects;
        let outcome = facter(vm, "load_file", &[Value::str(file)]);
        let Err(stop) = outcome else { return };
        let is_clean = vm.puppet.effects == before;
        _ = facter(vm, "drop", &[Value::str(file)]);
        match *stop {
            Stop::Unsupported(_) if self.has_ruby && is_clean => found.left.files.push(file.to_owned()),
            stop => {
                let reason = reason(vm, stop);
                say(found, format!("error while resolving custom facts in {file} {reason}"));
            }
        }
    }

    /// Finds out one fact. True if it is to be asked again, since one that it asked for has no value.
    fn find_one(&self, vm: &mut Vm, name: &str, found: &mut Found) -> bool {
        vm.forget_run();
        let before = vm.puppet.effects;
        let start = now(vm);
        let outcome = facter(vm, "find", &[Value::str(name)]).and_then(|value| values::to_puppet(vm, &value));
        let time = now(vm).saturating_sub(start);
        found.timings.push((name.to_owned(), time));
        let stop = match outcome {
            Ok(PuppetValue::Undef) => return false,
            Ok(value) => {
                found.facts.insert(PuppetValue::from(name), plain(&value));
                return false;
            }
            Err(stop) => *stop,
        };
        let asked = strings(vm, "left", &[]);
        let is_clean = vm.puppet.effects == before;
        match stop {
            Stop::Unsupported(_) if self.has_ruby && is_clean => {
                found.left.facts.extend(asked);
                false
            }
            stop => {
                let reason = reason(vm, stop);
                let innermost = asked.last().map_or(name, String::as_str);
                say(found, format!("Error while resolving custom fact fact='{innermost}': {reason}"));
                // Nobody asks for it again.
                _ = facter(vm, "give_up", &[Value::str(innermost)]);
                innermost != name
            }
        }
    }
}

/// The present time, since the epoch.
fn now(vm: &Vm) -> Duration {
    let since = vm.world.as_ref().and_then(|world| world.now().duration_since(UNIX_EPOCH).ok());
    since.unwrap_or_default()
}

fn say(found: &mut Found, text: String) {
    found.messages.push(["error".to_owned(), "Facter".to_owned(), text]);
}

/// Why code did not end.
fn reason(vm: &mut Vm, stop: Stop) -> String {
    match stop {
        Stop::Unsupported(what) => format!("{what} needs Ruby"),
        stop => vm.told(stop).1,
    }
}

/// Calls a method of Facter.
fn facter(vm: &mut Vm, method: &str, args: &[Value]) -> Outcome {
    let facter = vm.constant_at("Facter")?;
    vm.send(&facter, Sym::new(method), args)
}

/// The strings that a method of Facter gives.
fn strings(vm: &mut Vm, method: &str, args: &[Value]) -> Vec<String> {
    let given = facter(vm, method, args).and_then(|value| vm.items(&value)).unwrap_or_default();
    given.iter().filter_map(|item| vm.to_s(item).ok()).collect()
}

/// What was said.
fn messages(vm: &mut Vm) -> Vec<[String; 3]> {
    let given = facter(vm, "messages", &[]).and_then(|value| vm.items(&value)).unwrap_or_default();
    let mut said = Vec::with_capacity(given.len());
    for message in &given {
        let parts = vm.items(message).unwrap_or_default();
        let mut part = |at: usize| parts.get(at).and_then(|part| vm.to_s(part).ok()).unwrap_or_default();
        said.push([part(0), part(1), part(2)]);
    }
    said
}

/// A value as facts are shown: symbols are strings, and so are the keys of hashes.
fn plain(value: &PuppetValue) -> PuppetValue {
    bunraku_syntax::deep(|| match value {
        PuppetValue::Symbol(name) => PuppetValue::from(name.as_str()),
        PuppetValue::Array(items) => PuppetValue::array(items.iter().map(plain)),
        PuppetValue::Hash(entries) => {
            PuppetValue::hash(entries.iter().map(|(key, inner)| (PuppetValue::from(key.to_string()), plain(inner))))
        }
        PuppetValue::Default => PuppetValue::from("default"),
        other => other.clone(),
    })
}

const ROWS: &[Row] = &[
    // What a command writes, within so many seconds.
    Row("run_command", 2, 2, |vm, _, args| {
        let line = vm.text(args.at(0))?;
        let seconds = vm.float_argument(args.at(1))?;
        let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let written = run_line(vm, &line, &LANGUAGE, limit)?;
        Ok(written.map_or(Value::Nil, |(output, errors)| Value::array(vec![Value::str(output), Value::str(errors)])))
    }),
    // Nobody knows a fact of this name; a file that was left to Ruby may have it.
    Row("unknown_fact", 1, 1, |vm, _, args| {
        let name = vm.to_s(args.at(0))?;
        let is_left = vm.puppet.left_files.iter().any(|text| text.contains(&name));
        if is_left { Err(vm.unsupported(format!("the fact {name}"))) } else { Ok(Value::Nil) }
    }),
    // A part of Puppet that is not there.
    Row("lacking", 1, 1, |vm, _, args| {
        let what = vm.to_s(args.at(0))?;
        Err(vm.unsupported(what))
    }),
];

/// What facts may ask of Puppet: its settings.
struct FactHost<'c> {
    setting: Option<&'c dyn Fn(&str) -> PuppetValue>,
    messages: Vec<[String; 3]>,
}

impl Host for FactHost<'_> {
    fn variable(&mut self, name: &str) -> Variable {
        Variable::NotFound { name: name.to_owned(), reason: "there are no variables".to_owned() }
    }

    fn variables(&mut self) -> Vec<(String, PuppetValue)> {
        Vec::new()
    }

    fn call_function(&mut self, name: &str, _: Vec<PuppetValue>, _: Option<&dyn RubyBlock>) -> HostResult {
        Err(HostError::message(format!("the function {name} cannot be called by facts")))
    }

    fn call_block(&mut self, _: Vec<PuppetValue>) -> HostResult {
        Err(HostError::message("there is no block"))
    }

    fn log(&mut self, level: &str, message: &str, _: Option<&str>) {
        let level = match level {
            "debug" | "info" => level,
            "notice" => "info",
            "warning" => "warn",
            _ => "error",
        };
        self.messages.push([level.to_owned(), "Puppet".to_owned(), message.to_owned()]);
    }

    fn setting(&mut self, name: &str) -> PuppetValue {
        self.setting.map(|setting| setting(name)).unwrap_or_default()
    }
}
