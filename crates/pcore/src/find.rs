//! Finding a key among others by comparing them one by one.

use std::hash::Hash;

use ecow::EcoString;

/// What can be looked for among keys. What finds a key has its hash.
pub trait Find<K>: Hash {
    /// Whether this is the key that is looked for.
    fn is(&self, key: &K) -> bool;
}

impl Find<EcoString> for str {
    #[inline]
    fn is(&self, key: &EcoString) -> bool {
        self == key.as_str()
    }
}

impl Find<EcoString> for EcoString {
    #[inline]
    fn is(&self, key: &EcoString) -> bool {
        self == key
    }
}
