//! Ruby's `succ` of texts: the text that comes after another, as in `a`, `b` … `z`, `aa`.

/// All texts from one to another; there are none if the last is shorter than the first.
pub(crate) fn range(first: &str, last: &str, is_open: bool) -> impl Iterator<Item = String> + use<> {
    let is_wrong_way = first.len() > last.len() || (first.len() == last.len() && first > last);
    let mut next = (!is_wrong_way).then(|| first.to_owned());
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

/// The text after another: the last letter or digit goes up by one, with a carry to the left.
fn successor(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let Some(last) = letters.iter().rposition(char::is_ascii_alphanumeric) else { return after_symbols(letters) };
    let mut at = last;
    loop {
        let Some(letter) = letters.get_mut(at) else { break };
        let (next, carry) = match *letter {
            'z' => ('a', Some('a')),
            'Z' => ('A', Some('A')),
            '9' => ('0', Some('1')),
            other => (char::from_u32(u32::from(other) + 1).unwrap_or(other), None),
        };
        *letter = next;
        let Some(carry) = carry else { break };
        match at.checked_sub(1) {
            Some(before) if letters.get(before).is_some_and(char::is_ascii_alphanumeric) => at = before,
            _ => {
                letters.insert(at, carry);
                break;
            }
        }
    }
    letters.into_iter().collect()
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
        check("y", "ab", "y z aa ab");
        check("a8", "b1", "a8 a9 b0 b1");
        check("host08", "host11", "host08 host09 host10 host11");
        check("b", "a", "");
        check("Zz", "AAb", "Zz AAa AAb");
    }
}
