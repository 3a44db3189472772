//! The Puppet language's text: sources, tokens, syntax tree, static validation.

pub mod ast;
mod diagnostic;
mod issues;
mod label;
mod lexer;
mod parser;
mod source;
mod span;
mod token;

pub use diagnostic::{Diagnostic, Issue, Location, Note, Severity};
pub use label::{definition_label, label};
pub use parser::{MAX_DEPTH, Parsed, parse, parse_epp};
pub use source::Source;
pub use span::{FileId, Span};
pub use token::{Token, TokenKind};
