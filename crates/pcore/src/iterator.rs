//! Lazy sequences: what `reverse_each`, `step` and `tree_each` give without building an array.

use std::sync::Arc;

use crate::data_type::Type;
use crate::value::Value;

/// A lazy sequence of values, with the type of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iterator {
    /// The type of each element.
    pub element_type: Type,
    /// How the elements are made.
    pub source: Source,
}

/// Where the elements of an [`Iterator`] come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The elements of a value that can be iterated.
    Value(Value),
    /// The elements of another sequence, last one first.
    Reversed(Arc<Iterator>),
    /// The first element of another sequence and then each `n`-th.
    Step(Arc<Iterator>, u64),
}
