//! How long a compilation may take, and how deeply it may call. How large values may be is in `bunraku_pcore::limits`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bunraku_syntax::Issue;

use crate::issues;

/// How deeply calls and bodies may nest.
pub const CALL_DEPTH: u32 = 2_000;

/// How many bytes of code may be given at run time, as to `inline_epp`.
pub(crate) const INLINE_CODE: usize = 64 << 20;

/// How many steps are made until the clock is asked.
const STEPS: u32 = 256;

/// How many bytes a compilation may add to what stays until it ends: resources, relationships and messages.
const HELD: u64 = 1 << 30;

/// When a compilation must end. Running out of time is an error at the place that was reached.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When it must be over.
    pub deadline: Option<Instant>,
    /// Set by whoever wants it to end before.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// So much time from now on.
    pub fn of_time(time: Duration) -> Limits {
        Limits { deadline: Instant::now().checked_add(time), cancelled: None }
    }

    /// Refuses to go on when the time is over or somebody wants the compilation to end.
    pub fn check(&self) -> Result<(), Issue> {
        if self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(issues::runtime("the compilation was cancelled"));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(issues::runtime("the compilation takes longer than it may"));
        }
        Ok(())
    }
}

/// The limits of a compilation, its steps, and how much of what it made stays until it ends.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// When the compilation must end.
    pub limits: Limits,
    steps_to_check: u32,
    held: u64,
}

impl Clock {
    /// To be called in everything that may go on for long: calls, iterations, bodies.
    #[inline]
    pub fn step(&mut self) -> Result<(), Issue> {
        match self.steps_to_check.checked_sub(1) {
            Some(left) => {
                self.steps_to_check = left;
                Ok(())
            }
            None => self.check(),
        }
    }

    /// Counts so many bytes that stay until the compilation ends. If they are too many, it does not make the next step.
    pub fn hold(&mut self, bytes: u64) {
        self.held = self.held.saturating_add(bytes);
        if self.held > HELD {
            self.steps_to_check = 0;
        }
    }

    /// Refuses to go on with too much that stays.
    pub(crate) fn check_held(&self) -> Result<(), Issue> {
        if self.held > HELD {
            let message = format!("the resources, relationships and messages are larger than {} MiB", HELD >> 20);
            return Err(issues::runtime(message));
        }
        Ok(())
    }

    #[cold]
    fn check(&mut self) -> Result<(), Issue> {
        self.limits.check()?;
        self.check_held()?;
        self.steps_to_check = STEPS;
        Ok(())
    }
}
