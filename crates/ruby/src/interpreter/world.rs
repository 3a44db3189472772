//! What is outside: files, processes, the environment and the clock, as far as the code may touch them.

use std::io;
use std::sync::Arc;

use bunraku_environment::World;
use bunraku_environment::world::{Files, expand};

use super::symbol::Sym;
use super::value::Value;
use super::{Outcome, Stop, Vm};

impl Vm {
    /// What is outside, for something that needs it.
    pub(crate) fn outside(&mut self, what: &str) -> Outcome<Arc<dyn World>> {
        match &self.world {
            Some(world) => Ok(world.clone()),
            None => Err(self.error("NotImplementedError", &format!("the code may not {what} here"))),
        }
    }

    /// Works with files that can be changed.
    pub(crate) fn with_files<T>(
        &mut self,
        what: &str,
        name: &str,
        work: impl FnOnce(&dyn Files) -> io::Result<T>,
    ) -> Outcome<T> {
        let world = self.outside("use files")?;
        let outcome = match world.files() {
            Some(files) => work(files),
            None => Err(io::ErrorKind::PermissionDenied.into()),
        };
        outcome.map_err(|error| self.system_error(&error, what, name))
    }

    /// Changes files: whatever happens then, the code must not run again.
    pub(crate) fn change_files<T>(
        &mut self,
        what: &str,
        name: &str,
        work: impl FnOnce(&dyn Files) -> io::Result<T>,
    ) -> Outcome<T> {
        self.puppet.effects += 1;
        self.with_files(what, name, work)
    }

    /// A path from where the code is said to run.
    pub(crate) fn full_path(&self, path: &str) -> String {
        match (&self.directory, &self.world) {
            // Nothing has an empty name.
            _ if path.is_empty() => String::new(),
            (Some(directory), _) => expand(directory, path),
            (None, Some(world)) => expand(&world.current_dir(), path),
            (None, None) => expand("/", path),
        }
    }

    /// The text of a path: a string, or what has `to_path`.
    pub(crate) fn path_text(&mut self, value: &Value) -> Outcome<String> {
        let value = match value {
            Value::Object(_) if self.responds_to(value, Sym::new("to_path")) => {
                self.send(value, Sym::new("to_path"), &[])?
            }
            other => other.clone(),
        };
        let text = self.text(&value)?;
        if text.contains('\0') {
            return Err(self.argument_error("string contains null byte"));
        }
        Ok(text)
    }

    /// An error of the system as an exception: `Errno::ENOENT` and so on. `what` is where Ruby says it comes from.
    pub(crate) fn system_error(&mut self, error: &io::Error, what: &str, name: &str) -> Box<Stop> {
        let code = match error.raw_os_error() {
            Some(code) => code,
            None => match error.kind() {
                io::ErrorKind::NotFound => 2,
                io::ErrorKind::PermissionDenied => 13,
                io::ErrorKind::AlreadyExists => 17,
                io::ErrorKind::NotADirectory => 20,
                io::ErrorKind::IsADirectory => 21,
                io::ErrorKind::DirectoryNotEmpty => 39,
                io::ErrorKind::FileTooLarge => 27,
                _ => 5,
            },
        };
        let detail = if what.is_empty() { name.to_owned() } else { format!("@ {what} - {name}") };
        crate::library::errno::raise(self, code, &detail, what.is_empty())
    }

    /// The value of a global variable that nobody has set.
    pub(crate) fn first_value(&mut self, name: Sym) -> Value {
        match name.as_str() {
            "$/" | "$-0" => Value::str("\n"),
            "$0" | "$PROGRAM_NAME" => self.top.as_ref().map_or(Value::Nil, |top| Value::str(&*top.frame.file)),
            "$$" => self.process_number(0),
            "$*" => Value::array(Vec::new()),
            "$DEBUG" | "$VERBOSE" | "$-w" | "$-v" | "$-d" => Value::Bool(false),
            "$LOAD_PATH" | "$:" | "$-I" | "$LOADED_FEATURES" | "$\"" => {
                let value = Value::array(Vec::new());
                let names: &[&str] = if matches!(name.as_str(), "$LOADED_FEATURES" | "$\"") {
                    &["$LOADED_FEATURES", "$\""]
                } else {
                    &["$LOAD_PATH", "$:", "$-I"]
                };
                for name in names {
                    self.globals.insert(Sym::new(name), value.clone());
                }
                value
            }
            "$stdout" | "$>" | "$stderr" | "$stdin" => {
                let constant = match name.as_str() {
                    "$stderr" => "STDERR",
                    "$stdin" => "STDIN",
                    _ => "STDOUT",
                };
                let value = self.autoloaded(Sym::new(constant)).unwrap_or(Value::Nil);
                self.globals.insert(name, value.clone());
                value
            }
            _ => Value::Nil,
        }
    }
}
