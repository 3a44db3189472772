//! The array: elements in order, which knows how large it is with all that is in it.

use std::hash::{Hash as StdHash, Hasher};
use std::ops::{Deref, DerefMut};

use crate::extent::{Extent, Known};
use crate::value::Value;

/// A list of values.
#[derive(Clone, Debug, Default)]
pub struct Array {
    elements: Vec<Value>,
    known: Known,
}

impl Array {
    /// How large the array is.
    pub fn extent(&self) -> Extent {
        self.known.get_or(|| self.elements.iter().fold(Extent::COLLECTION, |extent, element| extent.with(element)))
    }

    /// Adds an element at the end.
    pub fn push(&mut self, element: Value) {
        self.known.add(&element);
        self.elements.push(element);
    }

    /// The elements without the array.
    pub fn into_vec(self) -> Vec<Value> {
        self.elements
    }
}

impl Deref for Array {
    type Target = Vec<Value>;

    #[inline]
    fn deref(&self) -> &Vec<Value> {
        &self.elements
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        self.known.forget();
        &mut self.elements
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.elements == other.elements
    }
}

impl Eq for Array {}

impl StdHash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.elements.hash(state);
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Array {
        Array { elements, known: Known::default() }
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Array {
        Array::from(Vec::from_iter(elements))
    }
}

impl Extend<Value> for Array {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl IntoIterator for Array {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}
