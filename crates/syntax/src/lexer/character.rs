//! Where a run of characters ends. Words, blanks, comments and strings are short: they are looked at eight bytes at a time,
//! which takes less than the preparations of a search that is made for long texts.

/// Whether a byte is a letter, a digit or an underscore.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The first index from this one on that holds no word character.
#[inline]
pub(crate) fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let others = other_characters(u64::from_le_bytes(*chunk));
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| is_word(byte)) {
        at += 1;
    }
    at
}

/// Whether there are word characters only.
pub(crate) fn are_word(bytes: &[u8]) -> bool {
    let has_others = |chunk: &[u8; 8]| other_characters(u64::from_le_bytes(*chunk)) != 0;
    match bytes.last_chunk() {
        // The last eight may have been looked at before.
        Some(last) => !bytes.as_chunks().0.iter().any(has_others) && !has_others(last),
        None => bytes.iter().all(|&byte| is_word(byte)),
    }
}

/// How many spaces come first.
#[inline]
pub(crate) fn spaces_length(bytes: &[u8]) -> usize {
    // Deeper than this, indentation is rare.
    match bytes.first_chunk() {
        Some(chunk) => {
            let others = u64::from_le_bytes(*chunk) ^ eight(b' ');
            others.trailing_zeros() as usize / 8
        }
        None => bytes.iter().take_while(|&&byte| byte == b' ').count(),
    }
}

/// Where one of some bytes occurs first, from an index on.
#[inline(always)]
pub(crate) fn find<const N: usize>(wanted: [u8; N], bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let chunk = u64::from_le_bytes(*chunk);
        let found = wanted.iter().fold(0, |found, &byte| found | zeros(chunk ^ eight(byte)));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|byte| wanted.contains(byte)).map(|found| at + found)
}

/// The highest bit of the first byte that is zero, and no bit of those before it.
#[inline]
fn zeros(bytes: u64) -> u64 {
    bytes.wrapping_sub(eight(1)) & !bytes & eight(0x80)
}

/// Eight bytes, of which the highest bit is set where the given ones are no word characters.
#[inline]
fn other_characters(bytes: u64) -> u64 {
    const HIGHEST: u64 = eight(0x80);
    let ascii = bytes & !HIGHEST;
    // Seven bits never carry into the next byte: adding what is missing to 128 sets the highest bit from there on.
    let lower = ascii | eight(0x20);
    let no_letters = !(lower + eight(0x80 - b'a')) | (lower + eight(0x7F - b'z'));
    let no_digits = (ascii ^ eight(b'0')) + eight(0x80 - 10);
    let no_underscores = (ascii ^ eight(b'_')) + eight(0x7F);
    ((no_letters & no_digits & no_underscores) | bytes) & HIGHEST
}

const fn eight(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test knows its indices")]
mod tests {
    use super::*;

    #[test]
    fn searches_find_the_first() {
        for at in 0..20 {
            let mut bytes = *b"                    ";
            assert_eq!(find([b'\n'], &bytes, 0), None);
            assert_eq!(find([b'\'', b'\\'], &bytes, 0), None);
            bytes[at..].fill(b'\'');
            assert_eq!(find([b'\''], &bytes, 0), Some(at));
            bytes[at] = b'\\';
            assert_eq!(find([b'\'', b'\\'], &bytes, 0), Some(at));
        }
    }

    #[test]
    fn eight_at_a_time_are_as_one_by_one() {
        for byte in 0..=u8::MAX {
            for at in 0..20 {
                let mut bytes = *b"abz_AZ059abcdefghijk";
                bytes[at] = byte;
                let expected = if is_word(byte) { bytes.len() } else { at };
                assert_eq!(word_end(&bytes, 0), expected, "{byte} at {at}");
                assert_eq!(are_word(&bytes), is_word(byte), "{byte} at {at}");
            }
        }
    }
}
