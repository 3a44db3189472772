//! Makes events of a YAML text, by the rules of libyaml, the library that Psych uses.
//!
//! A port of libyaml's reader, scanner and parser, which came to us by way of the crates `unsafe-libyaml` and
//! `libyaml-safer` 0.3 (both MIT, see `scanner/LICENSE-MIT`). Of libyaml's ways it keeps those that can be seen from
//! outside: what is taken for what, which problem is found first, its words and its place. Texts are UTF-8.

mod block_scalar;
mod characters;
mod directive;
mod event;
mod flow_scalar;
mod input;
mod parser;
mod plain_scalar;
mod tag;
mod token;
mod tokens;

pub(super) use characters::is_break;
pub(super) use event::{Event, EventData};
pub(super) use parser::Parser;

type Result<T> = std::result::Result<T, Problem>;

/// A position in a text, counted from zero.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    /// How many characters stand before it.
    index: usize,
    pub(super) line: u64,
    pub(super) column: u64,
}

/// A text that breaks the rules.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) problem: &'static str,
    /// What was being read; empty if that does not matter.
    pub(super) context: &'static str,
    /// Where the construct of the context began; without a context, where the scanner stood, if it was the scanner.
    pub(super) mark: Option<Mark>,
}

impl Problem {
    /// A problem with how constructs follow each other.
    fn of_parser<T>(context: &'static str, mark: Mark, problem: &'static str) -> Result<T> {
        Err(Problem { problem, context, mark: (!context.is_empty()).then_some(mark) })
    }

    /// Bytes that are no text.
    fn of_reader<T>(problem: &'static str) -> Result<T> {
        Err(Problem { problem, context: "", mark: None })
    }
}
