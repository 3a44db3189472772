//! Lists that are being read.
//!
//! How long a list is shows at its end. Until then its elements are on a stack, on top of those of the lists around it;
//! then they move into a box of their own, which is made in the right size at once.

use super::{Parse, Parser};
use crate::ast::{AttributeOperation, Expr, HashEntry, Parameter, ResourceBody, StringPart};

/// The bytes of a stack from the start: few grow, and allocators are fast up to this size.
const ROOM: usize = 1024;

/// One stack for each kind of element.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) expressions: Vec<Expr>,
    pub(super) entries: Vec<HashEntry>,
    pub(super) operations: Vec<AttributeOperation>,
    pub(super) bodies: Vec<ResourceBody>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) parts: Vec<StringPart>,
}

impl Parser<'_, '_> {
    /// A list, the elements of which are put on a stack by a function. If it fails, they are dropped.
    #[inline]
    pub(super) fn list<T>(
        &mut self,
        stack: impl Fn(&mut Lists) -> &mut Vec<T>,
        read: impl FnOnce(&mut Self) -> Parse<()>,
    ) -> Parse<Box<[T]>> {
        let first = begin(stack(&mut self.lists));
        let outcome = read(self);
        let list = finish(stack(&mut self.lists), first);
        outcome.map(|()| list)
    }
}

/// Where the elements of a new list will be on a stack.
#[inline]
pub(super) fn begin<T>(stack: &mut Vec<T>) -> usize {
    if stack.capacity() == 0 {
        *stack = Vec::with_capacity(ROOM / size_of::<T>());
    }
    stack.len()
}

/// Takes the elements of a list from a stack.
#[inline]
pub(super) fn finish<T>(stack: &mut Vec<T>, first: usize) -> Box<[T]> {
    stack.split_off(first.min(stack.len())).into_boxed_slice()
}
