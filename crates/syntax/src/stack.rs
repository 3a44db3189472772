//! Stack for deep recursion, on any thread.

/// How much stack must be left for work that does not ask for more. It holds what drops the deepest data, which cannot ask.
const RED_ZONE: usize = 1536 << 10;

/// How much stack is added at once.
const SEGMENT: usize = 8 << 20;

/// Does a step of a recursion, on more stack if little is left.
///
/// Every recursion over what programs make goes through here: code, data and data types are as deep as they like, within
/// the limits on depth.
#[inline]
pub fn deep<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, step)
}
