//! The Puppet language's text: sources, tokens, syntax tree, static validation.

pub mod ast;
mod diagnostic;
mod label;
mod source;
mod span;

pub use diagnostic::{Diagnostic, Issue, Location, Note, Severity};
pub use label::{definition_label, label};
pub use source::Source;
pub use span::{FileId, Span};
