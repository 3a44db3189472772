//! What can be said about code and data. An [`Issue`] is what is wrong, a [`Diagnostic`] is an issue with its places, and
//! [`render`] shows diagnostics to people and to programs. This crate knows no other of ours.

mod diagnostic;
mod issue;
mod label;
mod place;
pub mod render;
mod similar;
mod source;
mod span;

pub use diagnostic::{Diagnostic, Severity, giving_up};
pub use issue::{About, Issue, reason};
pub use label::{At, Edit, Fix, Label, Note};
pub use place::{Location, Place, shortened};
pub use similar::nearest;
pub use source::{Source, illegal_byte_order_mark};
pub use span::{FileId, Span};
