//! YAML as the reference reads it: Ruby's Psych in its safe mode, where symbols and aliases are allowed and every
//! other class is refused. The text is scanned by a port of the library Psych uses; what a scalar means is ours.

mod compose;
mod emit;
mod error;
mod locate;
mod scalar;
mod tag;

use std::io::BufReader;

use libyaml_safer::{Encoding, Parser};

pub use compose::{Document, Foreign, load};
pub use emit::{emit, emit_indented};
pub use error::Error;
pub use locate::{Place, locate};

/// How deep collections may be nested. Psych has no limit of its own but Ruby's stack.
const MAXIMUM_DEPTH: usize = 500;

/// How many values aliases may stand for in one document, so that a short text cannot grow without bound.
const MAXIMUM_ALIASED: usize = 1_000_000;

/// How much text is decoded at a time, as in the library Psych uses; all at once would take four times its size.
const CHUNK: usize = 16_384;

fn parser(text: &[u8]) -> Parser<BufReader<&[u8]>> {
    let mut parser = Parser::new();
    // Without it the scanner takes the first letter of some scripts for a broken byte order mark.
    parser.set_encoding(Encoding::Utf8);
    parser.set_input(BufReader::with_capacity(CHUNK, text));
    parser
}
