//! Patterns so plain that nothing in them can be refused. Most are, and need not be read into a tree to know that.

/// How deep groups may nest here: far from any limit.
const MAXIMUM_DEPTH: usize = 20;

/// Whether a pattern has only parts that Ruby accepts wherever they stand. One that has others may be valid all the same.
pub(crate) fn is_plain(pattern: &str) -> bool {
    let mut rest = pattern.as_bytes();
    let mut depth = 0;
    // Whether a quantifier may follow.
    let mut is_atom = false;
    loop {
        (rest, is_atom) = match rest {
            [] => return depth == 0,
            [b'(', b'?', ..] => return false,
            [b'(', after @ ..] if depth < MAXIMUM_DEPTH => {
                depth += 1;
                (after, false)
            }
            [b')', after @ ..] if depth > 0 => {
                depth -= 1;
                (after, true)
            }
            [b'|' | b'^' | b'$', after @ ..] => (after, false),
            [b'\\', b'A' | b'z' | b'Z', after @ ..] => (after, false),
            [b'\\', b'd' | b'D' | b's' | b'S' | b'w' | b'W' | b'.' | b'-', after @ ..] => (after, true),
            [b'*' | b'+' | b'?', after @ ..] if is_atom => (after, false),
            [b'{', after @ ..] if is_atom => match interval_end(after) {
                Some(after) => (after, false),
                None => return false,
            },
            [b'[', after @ ..] => match class_end(after) {
                Some(after) => (after, true),
                None => return false,
            },
            [byte, after @ ..] if is_literal(*byte) || *byte == b'.' => (after, true),
            _ => return false,
        };
    }
}

/// What follows `{n}` or `{n,m}` with bounds of one digit, of which the opening brace has been read.
fn interval_end(interval: &[u8]) -> Option<&[u8]> {
    match interval {
        [b'0'..=b'9', b'}', after @ ..] => Some(after),
        [low @ b'0'..=b'9', b',', high @ b'0'..=b'9', b'}', after @ ..] if low <= high => Some(after),
        _ => None,
    }
}

/// What follows a class of single characters and ranges in order, of which the opening bracket has been read.
fn class_end(class: &[u8]) -> Option<&[u8]> {
    let mut rest = class.strip_prefix(b"^").unwrap_or(class);
    let mut is_empty = true;
    loop {
        rest = match rest {
            [b']', after @ ..] if !is_empty => return Some(after),
            [b'-', b']', after @ ..] => return Some(after),
            [low, b'-', high, after @ ..] if low.is_ascii_alphanumeric() && high.is_ascii_alphanumeric() => {
                if low > high {
                    return None;
                }
                after
            }
            // A hyphen that does not end the class makes a range of whatever is around it.
            [_, b'-', other, ..] if *other != b']' => return None,
            [b'\\', _, b'-', other, ..] if *other != b']' => return None,
            [b'\\', b'd' | b's' | b'w' | b'.' | b'-' | b'\\', after @ ..] => after,
            [single, after @ ..] if (is_literal(*single) && *single != b'-') || *single == b'.' => after,
            _ => return None,
        };
        is_empty = false;
    }
}

/// Whether a character stands for itself within a class and without.
fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ' | b'/' | b':' | b',' | b'=' | b'@' | b'%')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::regexp::parse;

    #[test]
    fn real_patterns() {
        for pattern in
            ["^[a-z0-9_-]+$", r"(?i:x)", r"^(\d+)\.(\d+)", "^(present|absent)$", "[b-a]", "a**", "(", "x{2,1}"]
        {
            let expected = !matches!(pattern, "(?i:x)" | "[b-a]" | "a**" | "(" | "x{2,1}");
            assert_eq!(is_plain(pattern), expected, "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn plain_patterns_are_valid(pattern in r"[a-c0-9_()|^$.*+?\[\]\\dAzs:&{},12 -]{0,16}") {
            prop_assert!(!is_plain(&pattern) || parse(&pattern).is_ok_and(|pattern| !pattern.is_uncertain));
        }
    }
}
