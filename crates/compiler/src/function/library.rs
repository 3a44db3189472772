//! The library: every native function by name, each signature read when it is first needed.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use bunraku_pcore::parse::Resolve;
use bunraku_pcore::{Regexps, Type};
use bunraku_syntax::Issue;

use crate::function::signature::{alias, among};
use crate::function::stand_in::KnownFiles;
use crate::function::{Dispatch, Function, Signature, StandIns, Typed};
use crate::issues;

/// The functions written in Rust, and what else all compilations share.
#[derive(Debug, Default)]
pub struct Library {
    by_name: FxHashMap<&'static str, usize>,
    entries: Vec<Native>,
    /// The regular expressions of all compilations.
    pub regexps: Regexps,
    /// Whether calls are compared with the declared shapes.
    pub(crate) checks_shapes: bool,
    pub(super) known_files: KnownFiles,
    pub(super) stand_ins: StandIns,
}

/// A native function with its signatures.
#[derive(Debug)]
pub struct Native {
    /// The declaration.
    pub function: &'static Function,
    signatures: OnceLock<Result<Signatures, Issue>>,
}

/// The signatures of all dispatches, in order.
#[derive(Debug)]
struct Signatures {
    all: Vec<Signature>,
    /// Whether all types are known that they name. Those of modules are only known in an environment.
    is_complete: bool,
}

impl Native {
    /// The signatures of all dispatches, in order. Types of modules are references.
    pub fn signatures(&self) -> Result<&[Signature], Issue> {
        self.read().map(|signatures| signatures.all.as_slice())
    }

    /// Whether the signatures name types of modules.
    pub(crate) fn names_types_of_modules(&self) -> Result<bool, Issue> {
        self.read().map(|signatures| !signatures.is_complete)
    }

    /// Reads the signatures with the types that an environment has.
    pub(crate) fn signatures_with<E: From<Issue>>(&self, resolve: &mut Resolve<'_, E>) -> Result<Vec<Signature>, E> {
        self.function.dispatches.iter().map(|dispatch| Signature::parse(dispatch.signature, resolve)).collect()
    }

    /// What each dispatch takes and gives, for those who do not call it. Types of modules are references.
    pub fn shapes(&self) -> Result<Vec<Typed>, Issue> {
        let aliases = self.aliases()?;
        let shape = |dispatch: &Dispatch| {
            let text = match dispatch.shape {
                None => dispatch.signature.to_owned(),
                Some(returned) if returned.starts_with(">>") => format!("{} {returned}", dispatch.signature),
                Some(shape) => shape.to_owned(),
            };
            match Signature::parse(&text, &mut |name| Ok::<_, Issue>(among(&aliases, name)))? {
                Signature::Typed(typed) => Ok(typed),
                Signature::Arity(_) => Err(issues::runtime(format!("'{}' declares no shape", self.function.name))),
            }
        };
        self.function.dispatches.iter().map(shape).collect()
    }

    /// The types that only its own signatures know.
    fn aliases(&self) -> Result<Vec<Type>, Issue> {
        let mut aliases = Vec::with_capacity(self.function.aliases.len());
        for text in self.function.aliases {
            aliases.push(alias(text, &aliases)?);
        }
        Ok(aliases)
    }

    fn read(&self) -> Result<&Signatures, Issue> {
        let read = || {
            let aliases = self.aliases()?;
            let mut is_complete = true;
            let all = self.signatures_with(&mut |name| {
                let found = among(&aliases, name);
                is_complete &= found.is_some();
                Ok::<_, Issue>(found)
            })?;
            Ok(Signatures { all, is_complete })
        };
        self.signatures.get_or_init(read).as_ref().map_err(Issue::clone)
    }
}

impl Library {
    /// A library of tables of functions; a later table wins.
    pub fn new(tables: &[&'static [Function]]) -> Library {
        let mut library = Library::default();
        let count = tables.iter().map(|table| table.len()).sum();
        library.entries.reserve_exact(count);
        library.by_name.reserve(count);
        for function in tables.iter().copied().flatten() {
            let native = Native { function, signatures: OnceLock::new() };
            let known = library.by_name.get(function.name).and_then(|&index| library.entries.get_mut(index));
            match known {
                Some(known) => *known = native,
                None => {
                    library.by_name.insert(function.name, library.entries.len());
                    library.entries.push(native);
                }
            }
        }
        library
    }

    /// The same library, which refuses calls that differ from the declared shape of a function: tests ask for it.
    #[must_use]
    pub fn with_checked_shapes(self) -> Library {
        Library { checks_shapes: true, ..self }
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
