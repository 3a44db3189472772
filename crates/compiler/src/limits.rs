//! Bounds on what a program may use, so that a mistake ends in an error and not in a dead machine.

use std::fmt::{self, Write};

use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::issues;

/// The bounds of a compilation.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How deeply calls may nest.
    pub call_depth: u32,
    /// How deeply data may nest.
    pub data_depth: u32,
    /// How many collections there may be in data that shares them, each counted as often as it is used.
    pub shared_parts: usize,
    /// How many elements a collection may be made of by `+`.
    pub elements: usize,
    /// How many bytes a text may have.
    pub text_size: usize,
    /// How many bytes of code may be given at run time, as to `inline_epp`.
    pub inline_code: usize,
    /// How many collections are made until one is looked at.
    until_look: u32,
    random: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            call_depth: 2_000,
            data_depth: 2_000,
            shared_parts: 1 << 22,
            elements: 1 << 24,
            text_size: 256 << 20,
            inline_code: 64 << 20,
            until_look: 1,
            random: 0x9e37_79b9,
        }
    }
}

impl Limits {
    /// Refuses data that nests too deeply, or shares its parts so often that nobody can look at all of it.
    ///
    /// A look at the depth of a collection costs as much as it is large, so only one of a few hundred is looked at,
    /// picked at random: a program that nests without end does so again and again.
    #[inline]
    pub(crate) fn check_data(&mut self, value: &Value) -> Result<(), Issue> {
        if value.shares_more_than(self.shared_parts) {
            let limit = self.shared_parts;
            return Err(issues::runtime(format!("the data shares its parts more than {limit} times")));
        }
        self.until_look -= 1;
        if self.until_look > 0 { Ok(()) } else { self.look(value) }
    }

    #[cold]
    fn look(&mut self, value: &Value) -> Result<(), Issue> {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.until_look = 1 + self.random % 512;
        match value.nests_deeper_than(self.data_depth) {
            true => Err(issues::runtime(format!("the data is nested more than {} levels deep", self.data_depth))),
            false => Ok(()),
        }
    }

    /// Refuses a collection that is too large.
    pub(crate) fn check_elements(&self, count: usize) -> Result<(), Issue> {
        if count <= self.elements {
            return Ok(());
        }
        Err(issues::runtime(format!("the collection has more than {} elements", self.elements)))
    }

    /// Writes a value to the end of a text, but not much more than a text may have.
    pub(crate) fn append(&self, text: &mut String, value: &Value) -> Result<(), Issue> {
        let limit = self.text_size;
        // Writing fails where the text is too long, which is found again below.
        let _ = write!(Bounded { text, limit }, "{value}");
        self.check_text(text.len())
    }

    /// Refuses a text that is too long.
    pub(crate) fn check_text(&self, size: usize) -> Result<(), Issue> {
        if size <= self.text_size {
            return Ok(());
        }
        Err(issues::runtime(format!("the text is longer than {} MiB", self.text_size >> 20)))
    }
}

/// A text that takes nothing more when it is too long.
struct Bounded<'t> {
    text: &'t mut String,
    limit: usize,
}

impl Write for Bounded<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.text.push_str(part);
        if self.text.len() > self.limit { Err(fmt::Error) } else { Ok(()) }
    }
}
