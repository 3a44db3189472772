//! Bounds on what a program may use, so that a mistake ends in an error and not in a dead machine.

use bunraku_syntax::Issue;

use crate::issues;

/// The bounds of a compilation.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How deeply calls may nest.
    pub call_depth: u32,
    /// How many bytes a text may have.
    pub text_size: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { call_depth: 2_000, text_size: 256 << 20 }
    }
}

impl Limits {
    /// Refuses a text that is too long.
    pub(crate) fn check_text(&self, size: usize) -> Result<(), Issue> {
        if size <= self.text_size {
            return Ok(());
        }
        Err(issues::runtime(format!("the text is longer than {} MiB", self.text_size >> 20)))
    }
}
