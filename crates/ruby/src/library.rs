//! Libraries that code requires, one file for each: those that need speed or the machine in Rust, the others in Ruby.

mod calendar;
mod digest;
pub(crate) mod erb_source;
pub(crate) mod errno;
mod json;
mod json_parse;
mod strftime;
mod time;
mod yaml;

use std::sync::{Arc, OnceLock};

use crate::interpreter::lower::{SyntaxError, lower};
use crate::interpreter::session::Core;
use crate::interpreter::tree::Tree;

/// What `require` brings.
pub(crate) struct Library {
    /// Its names; the first one is its own.
    names: &'static [&'static str],
    /// Constants at the top level that are there without `require`.
    provides: &'static [&'static str],
    pub(crate) native: Option<fn(&Core)>,
    source: &'static str,
    tree: OnceLock<Result<Arc<Tree>, SyntaxError>>,
}

impl Library {
    const fn new(names: &'static [&'static str], native: Option<fn(&Core)>, source: &'static str) -> Library {
        Library { names, provides: &[], native, source, tree: OnceLock::new() }
    }

    const fn native(names: &'static [&'static str], native: fn(&Core)) -> Library {
        Library::new(names, Some(native), "")
    }

    const fn code(names: &'static [&'static str], source: &'static str) -> Library {
        Library::new(names, None, source)
    }

    const fn providing(mut self, constants: &'static [&'static str]) -> Library {
        self.provides = constants;
        self
    }

    pub(crate) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }

    /// The part in Ruby, ready to be run; it is read when it is first required.
    pub(crate) fn tree(&self) -> Option<Result<Arc<Tree>, SyntaxError>> {
        let read = || lower(self.source, self.name(), 1, &[]).map(Arc::new);
        (!self.source.is_empty()).then(|| self.tree.get_or_init(read).clone())
    }
}

/// What is there from the start, or has nothing that code could see here.
const PRESENT: &[&str] = &["English", "enumerator", "thread", "rubygems", "etc.so", "fiber"];

static LIBRARIES: [Library; 15] = [
    Library::code(&["base64"], include_str!("library/base64.rb")),
    Library::code(&["date"], include_str!("library/date.rb")),
    Library::native(&["digest", "digest/md5", "digest/sha1", "digest/sha2"], digest::define),
    Library::new(&["erb"], Some(erb_source::define), include_str!("library/erb.rb")),
    Library::code(&["(io)"], include_str!("library/io.rb")).providing(&["STDIN", "STDOUT", "STDERR"]),
    Library::code(&["ipaddr"], include_str!("library/ipaddr.rb")),
    Library::native(&["json", "json/add/core"], json::define),
    Library::code(&["ostruct"], include_str!("library/ostruct.rb")),
    Library::code(&["(rational)"], include_str!("library/rational.rb")).providing(&["Rational", "Complex"]),
    Library::code(&["set"], include_str!("library/set.rb")),
    Library::code(&["shellwords"], include_str!("library/shellwords.rb")),
    Library::code(&["stringio"], include_str!("library/stringio.rb")),
    Library::native(&["(time)"], time::define).providing(&["Time"]),
    Library::code(&["time"], include_str!("library/time.rb")),
    Library::native(&["yaml", "psych"], yaml::define),
];

/// The library of a name.
pub(crate) fn named(name: &str) -> Option<&'static Library> {
    let name = name.strip_suffix(".rb").unwrap_or(name);
    LIBRARIES.iter().find(|library| library.names.contains(&name))
}

/// Whether a library of this name needs nothing.
pub(crate) fn is_present(name: &str) -> bool {
    PRESENT.contains(&name)
}

/// The name of the library that has a constant which is there without `require`.
pub(crate) fn providing(constant: &str) -> Option<&'static str> {
    LIBRARIES.iter().find(|library| library.provides.contains(&constant)).map(Library::name)
}
