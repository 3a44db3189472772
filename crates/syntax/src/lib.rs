//! The Puppet language's text: sources, tokens, syntax tree, static validation.

pub mod ast;
mod dump;
pub mod float_text;
mod grammar;
mod issues;
pub mod json;
mod label;
mod lexer;
mod parser;
pub mod pn;
pub mod regexp;
mod stack;
mod token;
pub mod trivia;
mod validate;

pub use bunraku_diagnostic::{
    About, At, Diagnostic, FileId, Issue, Label, Location, Note, Place, Severity, Source, Span, giving_up, nearest,
    shortened,
};
pub use dump::dump;
pub use grammar::Grammar;
pub use label::{a_an, a_an_upper, definition_label, label};
pub use parser::{MAX_DEPTH, Parsed, is_raised_zero, parse, parse_as, parse_epp, tokens};
pub use stack::{deep, with_ample_stack};
pub use token::{Token, TokenKind};
pub use validate::{
    FileNamespace, Product, Strict, ValidateOptions, check_syntax, duplicate_key, is_invalid_text, not_when_compiling,
    validate,
};
