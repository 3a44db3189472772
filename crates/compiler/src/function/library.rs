//! The library: every native function by name, each signature read when it is first needed.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use bunraku_syntax::Issue;

use crate::function::signature::alias;
use crate::function::{Function, Signature};

/// The functions written in Rust. Immutable and shared by all compilations.
#[derive(Debug, Default)]
pub struct Library {
    by_name: FxHashMap<&'static str, usize>,
    entries: Vec<Native>,
}

/// A native function with its signatures.
#[derive(Debug)]
pub struct Native {
    /// The declaration.
    pub function: &'static Function,
    signatures: OnceLock<Result<Vec<Signature>, Issue>>,
}

impl Native {
    /// The signatures of all dispatches, in order.
    pub fn signatures(&self) -> Result<&[Signature], Issue> {
        let read = || {
            let mut aliases = Vec::with_capacity(self.function.aliases.len());
            for text in self.function.aliases {
                aliases.push(alias(text, &aliases)?);
            }
            self.function.dispatches.iter().map(|dispatch| Signature::parse(dispatch.signature, &aliases)).collect()
        };
        match self.signatures.get_or_init(read) {
            Ok(signatures) => Ok(signatures),
            Err(issue) => Err(issue.clone()),
        }
    }
}

impl Library {
    /// A library of tables of functions; a later table wins.
    pub fn new(tables: &[&'static [Function]]) -> Library {
        let mut library = Library::default();
        for function in tables.iter().copied().flatten() {
            library.by_name.insert(function.name, library.entries.len());
            library.entries.push(Native { function, signatures: OnceLock::new() });
        }
        library
    }

    /// The function with this name.
    pub fn get(&self, name: &str) -> Option<&Native> {
        self.entries.get(*self.by_name.get(name)?)
    }

    /// All functions in the order of their tables.
    pub fn iter(&self) -> impl Iterator<Item = &Native> {
        self.entries.iter()
    }
}
