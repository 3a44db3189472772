//! What can be wrong with values and data types; codes and texts are the reference's.

use std::fmt::Display;

pub use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

/// A failure the reference reports without a code of its own.
pub fn runtime_error(message: impl Into<EcoString>) -> Issue {
    Issue::new("RUNTIME_ERROR", message)
}

/// The string of some bytes. Bytes that are not UTF-8 are no string: the reference carries them along until it has to write
/// the catalog, and fails then.
pub fn string_of(bytes: Vec<u8>) -> Result<String, Issue> {
    String::from_utf8(bytes).map_err(|_| runtime_error(NOT_UTF8))
}

/// What the reference says about bytes that are not UTF-8.
pub const NOT_UTF8: &str = "source sequence is illegal/malformed utf-8";

/// A range whose start is after its end. The text has no closing parenthesis in the reference either.
pub fn descending_range(from: &dyn Display, to: &dyn Display) -> Issue {
    runtime_error(eco_format!("'from' must be less or equal to 'to'. Got ({from}, {to}"))
}

/// A division by zero.
pub fn division_by_zero() -> Issue {
    Issue::new("DIV_BY_ZERO", "Division by 0")
}
