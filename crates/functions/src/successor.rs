//! Ruby's `succ` of strings: the string that comes after another, as in `a`, `b` … `z`, `aa`.

/// All strings from one to another; there are none if the first comes after the last.
pub(crate) fn range(first: &str, last: &str, is_open: bool) -> impl Iterator<Item = String> + use<> {
    let mut next = (first <= last).then(|| first.to_owned());
    let last = last.to_owned();
    std::iter::from_fn(move || {
        let text = next.take()?;
        if text == last {
            return (!is_open).then_some(text);
        }
        let after = successor(&text);
        next = (after.len() <= last.len()).then_some(after);
        Some(text)
    })
}

/// The string after another: the last letter or digit goes up by one, with a carry to the left.
fn successor(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let Some(last) = letters.iter().rposition(char::is_ascii_alphanumeric) else { return after_symbols(letters) };
    let mut at = last;
    while let Some(letter) = letters.get_mut(at) {
        let (next, carry) = match *letter {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            other => (char::from_u32(u32::from(other) + 1).unwrap_or(other), None),
        };
        *letter = next;
        let Some(carry) = carry else { break };
        match carried_to(&letters, at) {
            Some(before) => at = before,
            None => {
                letters.insert(at, carry);
                break;
            }
        }
    }
    letters.into_iter().collect()
}

/// The next letter or digit to the left, if it takes a carry. Over a gap it must be of the same kind.
fn carried_to(letters: &[char], at: usize) -> Option<usize> {
    let before = letters.get(..at)?.iter().rposition(char::is_ascii_alphanumeric)?;
    let (this, other) = (letters.get(at)?, letters.get(before)?);
    (before + 1 == at || this.is_ascii_digit() == other.is_ascii_digit()).then_some(before)
}

/// Without letters and digits the last character goes up.
fn after_symbols(mut letters: Vec<char>) -> String {
    if let Some(last) = letters.last_mut() {
        *last = char::from_u32(u32::from(*last) + 1).unwrap_or(*last);
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_follow_each_other() {
        let check = |first: &str, last: &str, expected: &str| {
            assert_eq!(range(first, last, false).collect::<Vec<_>>().join(" "), expected);
        };
        check("a", "e", "a b c d e");
        check("a", "ac", "a b c d e f g h i j k l m n o p q r s t u v w x y z aa ab ac");
        check("1.8", "2.1", "1.8 1.9 2.0 2.1");
        check("a8", "b1", "a8 a9 b0 b1");
        check("host08", "host11", "host08 host09 host10 host11");
        check("b", "a", "");
        check("Zz", "ab", "Zz");
    }
}
