//! A list that many threads append to and read without waiting: what is in it stays where it is,
//! so references into it live as long as the list.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The first block has this many places, every further one twice as many as the one before.
const FIRST: u32 = 32;
const BLOCKS: usize = 27;

/// An append-only list.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    blocks: [OnceLock<Box<[OnceLock<T>]>>; BLOCKS],
    next: AtomicU32,
}

impl<T> Slots<T> {
    /// Appends the value made for its place; gives the place and the value.
    pub(crate) fn push(&self, make: impl FnOnce(u32) -> T) -> Option<(u32, &T)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let (block, offset) = place(index)?;
        let slots = self.blocks.get(block)?.get_or_init(|| {
            let length = (FIRST as usize) << block;
            std::iter::repeat_with(OnceLock::new).take(length).collect()
        });
        Some((index, slots.get(offset)?.get_or_init(|| make(index))))
    }

    /// The value at a place.
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let (block, offset) = place(index)?;
        self.blocks.get(block)?.get()?.get(offset)?.get()
    }

    /// All values in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.next.load(Ordering::Acquire)).filter_map(|index| self.get(index))
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { blocks: std::array::from_fn(|_| OnceLock::new()), next: AtomicU32::new(0) }
    }
}

/// Block and offset of a place.
fn place(index: u32) -> Option<(usize, usize)> {
    let shifted = index.checked_add(FIRST)?;
    let block = (shifted / FIRST).ilog2();
    let start = FIRST.checked_shl(block)?;
    Some((block as usize, shifted.checked_sub(start)? as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_dense() {
        let slots: Slots<u32> = Slots::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        slots.push(|index| index);
                    }
                });
            }
        });
        assert_eq!(slots.iter().copied().collect::<Vec<_>>(), (0..2000).collect::<Vec<_>>());
        assert_eq!(slots.get(2000), None);
        assert_eq!(slots.get(u32::MAX), None);
    }
}
