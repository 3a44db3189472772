//! Names in lower case, which nearly all of them are already.

use ecow::EcoString;

use crate::letter_case::downcase;

/// A text in lower case. One of ASCII letters, as names are, is changed in place or not at all.
pub fn lowercase(text: &EcoString) -> EcoString {
    match text.is_ascii() {
        true if text.bytes().any(|it| it.is_ascii_uppercase()) => text.to_ascii_lowercase(),
        true => text.clone(),
        false => downcase(text).into(),
    }
}
