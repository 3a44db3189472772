//! Stack for deep recursion, on any thread.

use std::cell::Cell;

/// How much stack must be left for work that does not ask for more. It holds what drops the deepest data, which cannot ask.
const RED_ZONE: usize = 1536 << 10;

/// How much stack is added at once.
const SEGMENT: usize = 8 << 20;

thread_local! {
    /// The lowest address at which a step may begin where it is; nothing is known before the first step of a thread.
    static FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Does a step of a recursion, on more stack if little is left.
///
/// Every recursion over what programs make goes through here: code, data and data types are as deep as they like, within
/// the limits on depth. Most steps cost a comparison: `stacker` is asked once for each piece of stack.
#[inline]
pub fn deep<T>(step: impl FnOnce() -> T) -> T {
    if here() > FLOOR.get() { step() } else { look(step) }
}

/// Roughly where the stack ends that is in use.
#[inline]
fn here() -> usize {
    let mark = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&mark)).addr()
}

#[cold]
#[inline(never)]
fn look<T>(step: impl FnOnce() -> T) -> T {
    match stacker::remaining_stack() {
        Some(left) if left > RED_ZONE => {
            FLOOR.set(here().saturating_sub(left - RED_ZONE));
            step()
        }
        _ => {
            // The floor is that of the new piece while the step lasts, whichever way it ends.
            let _before = Before(FLOOR.get());
            stacker::grow(SEGMENT, || {
                FLOOR.set(usize::MAX);
                deep(step)
            })
        }
    }
}

/// Puts the floor back.
struct Before(usize);

impl Drop for Before {
    fn drop(&mut self) {
        FLOOR.set(self.0);
    }
}

/// What the parser of Ruby may need: it is written in C, goes down ten thousand levels, and does not ask.
const AMPLE: usize = 64 << 20;

/// Does something with as much stack as the parser of Ruby may need.
pub fn with_ample_stack<T>(work: impl FnOnce() -> T) -> T {
    let _before = Before(FLOOR.replace(usize::MAX));
    stacker::maybe_grow(AMPLE, AMPLE, work)
}
