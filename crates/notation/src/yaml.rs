//! YAML as the reference reads it: Ruby's Psych in its safe mode, where symbols and aliases are allowed and every
//! other class is refused. The text is scanned by a port of the library Psych uses
//! (`scanner.rs`), which lays out what is written (`writer.rs`); what a scalar means is ours.

mod compose;
mod emit;
mod error;
mod locate;
mod node;
pub mod scalar;
mod scanner;
mod tag;
mod writer;

pub use compose::{Document, Foreign, load};
pub use emit::{emit, emit_indented, emit_with};
pub use error::Error;
pub use locate::{Place, locate, scalars};
pub use node::{Content, Form, Layout, Node, emit_node, nodes};

/// How deep collections may be nested. Psych has no limit of its own but Ruby's stack.
const MAXIMUM_DEPTH: usize = 500;

/// How many values aliases may stand for in one document, so that a short text cannot grow without bound.
const MAXIMUM_ALIASED: usize = 1_000_000;
