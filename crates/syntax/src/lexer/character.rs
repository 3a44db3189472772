//! Word characters: letters, digits and the underscore. Most bytes of code are, so they are looked at eight at a time.

/// Whether a byte is a letter, a digit or an underscore.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How many word characters come first.
#[inline]
pub(crate) fn word_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        let others = other_characters(u64::from_le_bytes(*chunk));
        if others != 0 {
            return length + others.trailing_zeros() as usize / 8;
        }
        length += 8;
        rest = after;
    }
    length + rest.iter().take_while(|&&byte| is_word(byte)).count()
}

/// Eight bytes, of which the highest bit is set where the given ones are no word characters.
#[inline]
fn other_characters(bytes: u64) -> u64 {
    const HIGHEST: u64 = eight(0x80);
    let ascii = bytes & !HIGHEST;
    // Seven bits never carry into the next byte: adding what is missing to 128 sets the highest bit from there on.
    let between = |bytes: u64, first: u8, last: u8| (bytes + eight(0x80 - first)) & !(bytes + eight(0x7F - last));
    let letters = between(ascii | eight(0x20), b'a', b'z');
    let digits = between(ascii, b'0', b'9');
    let underscores = between(ascii, b'_', b'_');
    (!(letters | digits | underscores) | bytes) & HIGHEST
}

const fn eight(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test knows its indices")]
mod tests {
    use super::*;

    #[test]
    fn eight_at_a_time_are_as_one_by_one() {
        for byte in 0..=u8::MAX {
            for at in 0..20 {
                let mut bytes = *b"abz_AZ059abcdefghijk";
                bytes[at] = byte;
                let expected = if is_word(byte) { bytes.len() } else { at };
                assert_eq!(word_length(&bytes), expected, "{byte} at {at}");
            }
        }
    }
}
