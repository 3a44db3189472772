//! Native functions that stand in for Ruby functions of modules.
//!
//! A module's own code always counts: a stand-in is used only where the installed file is one that it was written from. Tables name
//! those files by the digests of their content.

use std::sync::OnceLock;

use bunraku_environment::Environment;
use bunraku_syntax::Span;
use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;

use crate::compilation::Compilation;
use crate::eval::call::call_native;
use crate::frame::Frame;
use crate::function::{Block, Library, Native};
use crate::log::Level;
use crate::unwind::Outcome;
use bunraku_pcore::Value;

/// When native functions stand in for functions of modules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StandIns {
    /// Where the module's file is one that they were written from.
    #[default]
    Known,
    /// Wherever a module of that name is installed, whatever it has. This is for tests of the functions themselves.
    Always,
    /// Nowhere.
    Never,
}

/// The files that native functions stand in for.
///
/// A table has a line for each function and file, `name path`, with lines below it that begin with two spaces: the digest of each
/// version of the file, and where it is from. `name needs other …` names all functions whose work the stand-in does, too: it can
/// only be used where their files are known.
#[derive(Debug, Default)]
pub(crate) struct KnownFiles {
    tables: &'static [&'static str],
    by_function: OnceLock<FxHashMap<&'static str, Known>>,
}

#[derive(Debug, Default)]
struct Known {
    digests: Vec<&'static str>,
    needs: Vec<&'static str>,
}

impl KnownFiles {
    fn get(&self, function: &str) -> Option<&Known> {
        self.by_function.get_or_init(|| read(self.tables)).get(function)
    }
}

fn read(tables: &'static [&'static str]) -> FxHashMap<&'static str, Known> {
    let mut by_function: FxHashMap<&'static str, Known> = FxHashMap::default();
    let mut current = "";
    for line in tables.iter().flat_map(|table| table.lines()) {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next().filter(|first| !first.starts_with('#')) else { continue };
        if line.starts_with(' ') {
            by_function.entry(current).or_default().digests.push(first);
            continue;
        }
        current = first;
        if words.next() == Some("needs") {
            by_function.entry(current).or_default().needs.extend(words);
        }
    }
    by_function
}

impl Library {
    /// The library with the files that its functions of modules stand in for.
    #[must_use]
    pub fn with_known_files(mut self, tables: &'static [&'static str]) -> Library {
        self.known_files = KnownFiles { tables, by_function: OnceLock::new() };
        self
    }

    /// The library with another rule for stand-ins.
    #[must_use]
    pub fn with_stand_ins(mut self, stand_ins: StandIns) -> Library {
        self.stand_ins = stand_ins;
        self
    }

    /// The native function that goes before any function of a module: one of the language.
    pub(crate) fn first(&self, name: &str, environment: &Environment) -> Option<&Native> {
        self.get(name).filter(|native| match native.function.module {
            None => true,
            Some(module) => self.stand_ins == StandIns::Always && environment.module(module).is_some(),
        })
    }

    /// The native function that stands in for the Ruby function that an environment has by this name.
    pub fn stand_in(&self, name: &str, environment: &Environment) -> Option<&Native> {
        let may_stand_in = |native: &&Native| native.function.module.is_some() && self.is_known(name, environment);
        self.get(name).filter(|_| self.stand_ins != StandIns::Never).filter(may_stand_in)
    }

    /// Whether the file that defines a function in an environment is one that the native function was written from.
    fn is_known(&self, name: &str, environment: &Environment) -> bool {
        let Some(known) = self.known_files.get(name) else { return false };
        self.is_file_known(name, environment) && known.needs.iter().all(|other| self.is_file_known(other, environment))
    }

    fn is_file_known(&self, name: &str, environment: &Environment) -> bool {
        let Some(known) = self.known_files.get(name) else { return false };
        let file = environment.ruby_files().any_function(name);
        let Some(digest) = file.and_then(|file| file.digest(environment.world())) else { return false };
        known.digests.iter().any(|known| is_written(digest, known))
    }
}

/// Whether hexadecimal digits stand for these bytes.
fn is_written(bytes: &[u8], digits: &str) -> bool {
    let value = |digit: u8| char::from(digit).to_digit(16);
    digits.len() == bytes.len() * 2
        && digits.as_bytes().chunks(2).zip(bytes).all(|(pair, byte)| match pair {
            [high, low] => value(*high).zip(value(*low)).is_some_and(|(high, low)| high * 16 + low == u32::from(*byte)),
            _ => false,
        })
}

impl<'e> Compilation<'e> {
    /// The native function that may take the place of a function of a module that nothing here can run, with a warning.
    pub(crate) fn last_resort(&mut self, name: &str) -> Option<&'e Native> {
        let native = self.library.get(name).filter(|_| self.library.stand_ins != StandIns::Never)?;
        let module = native.function.module?;
        let file = self.environment.ruby_files().any_function(name)?;
        // Whose function it is decides; another module's function of this name is something else.
        let module = self.environment.module(module).filter(|_| file.module.as_deref() == Some(module))?;
        let version = module.metadata.as_ref().map_or("of unknown version", |metadata| &metadata.version);
        let message = warning(name, &module.name, version);
        if !self.logs.iter().any(|log| log.message == message) {
            self.log(Level::Warning, &message);
        }
        Some(native)
    }
}

fn warning(name: &str, module: &str, version: &str) -> EcoString {
    eco_format!(
        "The function '{name}' of the module {module} {version} needs Ruby, which is not there; a native function written from another \
         version answers instead"
    )
}

impl Frame<'_, '_> {
    /// Calls the native function that stands in for a function of a module where nothing can run the module's own; nothing if there is
    /// none. The log says so, once for each function.
    pub fn call_stand_in(
        &mut self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Block<'_>>,
        span: Span,
    ) -> Option<Outcome> {
        let native = self.compilation.last_resort(name)?;
        Some(call_native(native, args, block, span, self))
    }

    /// Calls a native function for what it computes, whatever its name calls in the language; nothing if there is none.
    pub fn call_native_function(&mut self, name: &str, args: Vec<Value>, span: Span) -> Option<Outcome> {
        let native = self.compilation.library.get(name)?;
        Some(call_native(native, args, None, span, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let known = read(&["# words\n\na lib/a.rb\n  0a 1.0\n  0b 1.1..2.0\nb needs a c\n"]);
        assert_eq!(known.get("a").map(|known| known.digests.as_slice()), Some(["0a", "0b"].as_slice()));
        assert_eq!(known.get("b").map(|known| known.needs.as_slice()), Some(["a", "c"].as_slice()));
    }

    #[test]
    fn digests_are_compared() {
        assert!(is_written(&[0x0a, 0xff], "0aff"));
        assert!(!is_written(&[0x0a, 0xff], "0aef"));
        assert!(!is_written(&[0x0a, 0xff], "0a"));
        assert!(!is_written(&[0x0a], "0ä"));
    }
}
