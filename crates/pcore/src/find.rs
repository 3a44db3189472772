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
        same_text(self, key)
    }
}

impl Find<EcoString> for EcoString {
    #[inline]
    fn is(&self, key: &EcoString) -> bool {
        same_text(self, key)
    }
}

/// Whether two texts are equal. Most are short names, which are compared as one or two words instead of by a call.
#[inline]
pub fn same_text(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        0..2 => one == other,
        2..4 => one.first_chunk::<2>() == other.first_chunk() && one.last_chunk::<2>() == other.last_chunk(),
        4..8 => one.first_chunk::<4>() == other.first_chunk() && one.last_chunk::<4>() == other.last_chunk(),
        8..=16 => one.first_chunk::<8>() == other.first_chunk() && one.last_chunk::<8>() == other.last_chunk(),
        // Names begin alike more often than they end alike.
        _ => one.last_chunk::<8>() == other.last_chunk() && one == other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::same_text;

    proptest! {
        #[test]
        fn texts_are_the_same_if_they_are_equal(one in "[ab]{0,24}", other in "[ab]{0,24}", place in 0_usize..24) {
            prop_assert_eq!(same_text(&one, &other), one == other);
            prop_assert!(same_text(&one, &one.clone()));
            let changed: String =
                one.chars().enumerate().map(|(index, it)| if index == place { 'c' } else { it }).collect();
            prop_assert_eq!(same_text(&one, &changed), one == changed);
        }
    }
}
