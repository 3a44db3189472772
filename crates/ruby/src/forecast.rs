//! What of a file needs Ruby, read from its code without running it: parts of Ruby that the interpreter does not have.

use std::collections::HashSet;
use std::sync::OnceLock;

use bunraku_syntax::with_ample_stack;
use ruby_prism::{CallNode, ConstantReadNode, Visit};

use crate::bridge::known;
use crate::interpreter::Vm;
use crate::library::{self, erb_source};

/// Why a file needs Ruby, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// What the interpreter does not have.
    pub what: String,
    /// The line.
    pub line: u32,
}

/// Why a file with functions may need Ruby; nothing if the interpreter has all that it names.
pub fn of_file(text: &str) -> Option<Reason> {
    of_source(text, 0)
}

/// Why a template may need Ruby.
pub fn of_template(text: &str) -> Option<Reason> {
    // The line before the first of the template is a comment.
    of_source(&String::from_utf8_lossy(&erb_source::source(text.as_bytes(), "-", "_erbout")), 1)
}

/// Words without which no code changes anything on the machine.
const ACTS: [&str; 16] = [
    "`",
    "%x",
    "system",
    "spawn",
    "popen",
    "Open3",
    "exec",
    "FileUtils",
    "Tempfile",
    "mkdir",
    "mktmpdir",
    "open(",
    "write",
    "unlink",
    "delete(",
    "chmod",
];

/// Whether a file with functions is left to Ruby from the start, if there is one: it may change something on the machine
/// before it comes to what the interpreter does not have, and then it could not be run again.
pub(crate) fn leaves_file(text: &str) -> bool {
    ACTS.iter().any(|word| text.contains(word)) && of_file(text).is_some()
}

/// The same for a template.
pub(crate) fn leaves_template(text: &str) -> bool {
    ACTS.iter().any(|word| text.contains(word)) && of_template(text).is_some()
}

fn of_source(source: &str, lines_before: u32) -> Option<Reason> {
    with_ample_stack(|| {
        let parsed = ruby_prism::parse(source.as_bytes());
        // Code that cannot be read fails everywhere.
        if parsed.errors().next().is_some() {
            return None;
        }
        let mut search = Search { source, lines_before, found: None };
        search.visit(&parsed.node());
        search.found
    })
}

struct Search<'s> {
    source: &'s str,
    lines_before: u32,
    found: Option<Reason>,
}

impl Search<'_> {
    fn add(&mut self, what: String, at: &[u8]) {
        if self.found.is_none() {
            let offset = (at.as_ptr() as usize).saturating_sub(self.source.as_ptr() as usize);
            let before = self.source.as_bytes().get(..offset).unwrap_or_default();
            let line = 1 + u32::try_from(before.iter().filter(|byte| **byte == b'\n').count()).unwrap_or_default();
            self.found = Some(Reason { what, line: line.saturating_sub(self.lines_before) });
        }
    }
}

impl<'pr> Visit<'pr> for Search<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let name = String::from_utf8_lossy(node.name().as_slice()).into_owned();
        if name == "require" && node.receiver().is_none() {
            let first = node.arguments().and_then(|arguments| arguments.arguments().iter().next());
            let library = first.as_ref().and_then(|it| Some(it.as_string_node()?.unescaped().to_vec()));
            let library = library.map(|it| String::from_utf8_lossy(&it).into_owned());
            if let Some(library) = library.filter(|it| known::is_standard(it) && !is_here(it)) {
                self.add(format!("the library {library}"), node.location().as_slice());
            }
        } else if lacking_methods().contains(name.as_str()) {
            self.add(format!("the method {name}"), node.location().as_slice());
        }
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_constant_read_node(&mut self, node: &ConstantReadNode<'pr>) {
        let name = String::from_utf8_lossy(node.name().as_slice()).into_owned();
        if known::library_of(&name).is_some_and(|library| !is_here(library)) {
            self.add(format!("the constant {name}"), node.location().as_slice());
        }
    }
}

/// Whether the interpreter has a library.
fn is_here(name: &str) -> bool {
    library::is_present(name) || library::named(name).is_some()
}

/// Methods that Ruby's own classes have and no class of the interpreter.
fn lacking_methods() -> &'static HashSet<&'static str> {
    static LACKING: OnceLock<HashSet<&'static str>> = OnceLock::new();
    LACKING.get_or_init(|| {
        let names = Vm::new().method_names();
        known::core_methods().filter(|name| !names.contains(*name)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_lines() {
        let check = |found: Option<Reason>, expected: Option<(&str, u32)>| {
            assert_eq!(found.map(|it| (it.what, it.line)), expected.map(|(what, line)| (what.to_string(), line)));
        };
        check(of_template("<%= @x.map { |y| y.upcase }.join(',') %>"), None);
        check(of_template("a\n<% require 'fiddle' %>"), Some(("the library fiddle", 2)));
        check(of_file("require 'set'\nFiddle.dlopen(1)\nrequire 'fiddle'\n"), Some(("the library fiddle", 3)));
        check(of_file("def x("), None);
    }
}
