//! Names as they are written.

use std::fmt;
use std::ops::Deref;

use ecow::EcoString;

use bunraku_diagnostic::Span;

/// A written name and where it stands. Two of them are not compared: what counts is the name of each.
#[derive(Debug, Clone)]
pub struct Ident {
    /// The name; of a variable without its `$`.
    pub name: EcoString,
    /// All that is written for it; with the `$` of a variable.
    pub span: Span,
}

impl Deref for Ident {
    type Target = EcoString;

    fn deref(&self) -> &EcoString {
        &self.name
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}
