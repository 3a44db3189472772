//! The Puppet language's text: sources, tokens, syntax tree, static validation.

pub mod ast;
mod diagnostic;
mod dump;
pub mod float_text;
mod issues;
mod label;
mod lexer;
mod parser;
pub mod pn;
pub mod regexp;
mod source;
mod span;
mod stack;
mod token;
mod validate;

pub use diagnostic::{Diagnostic, Issue, Location, Note, Severity, giving_up, shortened};
pub use dump::dump;
pub use label::{a_an, a_an_upper, definition_label, label};
pub use parser::{MAX_DEPTH, Parsed, parse, parse_epp};
pub use source::Source;
pub use span::{FileId, Span};
pub use stack::deep;
pub use token::{Token, TokenKind};
pub use validate::{FileNamespace, Product, Strict, ValidateOptions, check_syntax, is_invalid_text, validate};
