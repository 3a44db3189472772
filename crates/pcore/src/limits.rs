//! How large values may be, so that a mistake ends in an error and not in a dead machine. What a function makes is checked
//! when it is there; a function that makes much of little asks here before it does.

use std::fmt::{self, Display, Write};

use bunraku_syntax::Issue;

use crate::extent::Extent;
use crate::issues;
use crate::value::Value;

/// How deeply data may nest.
pub const DATA_DEPTH: u32 = 2_000;
/// How large data may be in bytes, with what is shared counted as often as it is used.
pub const DATA_SIZE: u64 = 256 << 20;
/// How many elements of a sequence may be made or gone through.
pub const ELEMENTS: u64 = 1 << 22;
/// How many bytes a string may have.
pub const TEXT_SIZE: usize = 128 << 20;

/// Refuses data that nests too deeply or is too large.
#[inline]
pub fn check_data(value: &Value) -> Result<(), Issue> {
    match value {
        Value::String(text) => check_text(text.len()),
        Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => Ok(()),
        collection => {
            let extent = collection.extent();
            check_depth(extent.depth)?;
            check_size(extent.size)
        }
    }
}

fn check_depth(depth: u32) -> Result<(), Issue> {
    match depth <= DATA_DEPTH {
        true => Ok(()),
        false => Err(issues::runtime_error(format!("the data is nested more than {DATA_DEPTH} levels deep"))),
    }
}

/// Refuses data of more than so many bytes.
pub fn check_size(size: u64) -> Result<(), Issue> {
    match size <= DATA_SIZE {
        true => Ok(()),
        false => Err(issues::runtime_error(format!(
            "the data is larger than {} MiB, with shared parts counted as often as they are used",
            DATA_SIZE >> 20
        ))),
    }
}

/// Refuses a collection of too many elements.
pub fn check_elements(count: u64) -> Result<(), Issue> {
    match count <= ELEMENTS {
        true => Ok(()),
        false => Err(issues::runtime_error(format!("the collection has more than {ELEMENTS} elements"))),
    }
}

/// Refuses a string that is too long.
#[inline]
pub fn check_text(size: usize) -> Result<(), Issue> {
    match size <= TEXT_SIZE {
        true => Ok(()),
        false => Err(text_too_long()),
    }
}

#[cold]
fn text_too_long() -> Issue {
    issues::runtime_error(format!("the string is longer than {} MiB", TEXT_SIZE >> 20))
}

/// Refuses data that would be too long a string where every level is moved to the right by so many blanks.
pub fn check_indented(value: &Value, indentation: usize) -> Result<(), Issue> {
    let Extent { depth, size } = value.extent();
    let blanks = (size / Extent::UNIT).saturating_mul(u64::from(depth)).saturating_mul(indentation as u64);
    check_text(usize::try_from(size.saturating_add(blanks)).unwrap_or(usize::MAX))
}

/// Writes something to the end of a string, but not much more than a string may have.
pub fn append(text: &mut String, what: impl Display) -> Result<(), Issue> {
    // Writing fails where the string is too long, which is found again below.
    let _ = write!(Bounded(text), "{what}");
    check_text(text.len())
}

/// What something is written as, if that is not too long.
pub fn written(what: impl Display) -> Result<String, Issue> {
    let mut text = String::new();
    append(&mut text, what)?;
    Ok(text)
}

/// A string that takes nothing more when it is too long.
struct Bounded<'t>(&'t mut String);

impl Write for Bounded<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        if self.0.len() > TEXT_SIZE { Err(fmt::Error) } else { Ok(()) }
    }
}
