//! Letters that are several letters in the other case: where case does not count, `ß` is as good as `ss`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Where Unicode has such characters.
const PLACES: [RangeInclusive<char>; 8] = [
    '\u{df}'..='\u{df}',
    '\u{130}'..='\u{149}',
    '\u{1f0}'..='\u{1f0}',
    '\u{390}'..='\u{3b0}',
    '\u{587}'..='\u{587}',
    '\u{1e96}'..='\u{1e9e}',
    '\u{1f50}'..='\u{1ffc}',
    '\u{fb00}'..='\u{fb17}',
];

/// From letters in lower case to the single characters that stand for them.
static LIGATURES: LazyLock<BTreeMap<Vec<char>, Vec<char>>> = LazyLock::new(|| {
    let mut ligatures: BTreeMap<Vec<char>, Vec<char>> = BTreeMap::new();
    for character in PLACES.into_iter().flatten() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_such_characters_are_in_their_places() {
        let elsewhere = ('\0'..=char::MAX).filter(|it| !PLACES.iter().any(|place| place.contains(it)));
        assert_eq!(elsewhere.filter(|it| unfolded(*it).is_some()).collect::<Vec<_>>(), []);
    }
}
