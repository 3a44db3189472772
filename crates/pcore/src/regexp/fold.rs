//! Letters that are several letters in the other case: where case does not count, `ß` is as good as `ss`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// From letters in lower case to the single characters that stand for them.
static LIGATURES: LazyLock<BTreeMap<Vec<char>, Vec<char>>> = LazyLock::new(|| {
    let mut ligatures: BTreeMap<Vec<char>, Vec<char>> = BTreeMap::new();
    // All such characters are in the first plane.
    for character in (0..=u32::from(u16::MAX)).filter_map(char::from_u32) {
        if let Some(letters) = unfolded(character) {
            ligatures.entry(letters).or_default().push(character);
        }
    }
    ligatures
});

/// The most letters that one character stands for.
pub(super) const LONGEST: usize = 3;

/// The letters in lower case that a character stands for, if they are several.
pub(super) fn unfolded(character: char) -> Option<Vec<char>> {
    let lower: Vec<char> = character.to_lowercase().collect();
    if lower.len() > 1 {
        return Some(lower);
    }
    let upper: Vec<char> = lower.first()?.to_uppercase().collect();
    (upper.len() > 1).then(|| upper.iter().flat_map(|letter| letter.to_lowercase()).collect())
}

/// The characters that stand for these letters.
pub(super) fn ligatures(letters: &[char]) -> &'static [char] {
    let lower: Vec<char> = letters.iter().flat_map(|letter| letter.to_lowercase()).collect();
    LIGATURES.get(&lower).map_or(&[], Vec::as_slice)
}
