//! Patterns that Ruby ties to UTF-8, which it counts as an option of the pattern, and shows.

/// Whether a pattern has a character that is not ASCII, written as it is or by its code, or a property `\p{…}`,
/// which Ruby sees even in a `\p` that it does not understand.
pub fn is_unicode(pattern: &str) -> bool {
    if !pattern.is_ascii() {
        return true;
    }
    let mut rest = pattern;
    while let Some((_, escape)) = rest.split_once('\\') {
        let mut characters = escape.chars();
        let is_unicode = match characters.next() {
            Some('p' | 'P') => true,
            Some('u') => match characters.as_str().strip_prefix('{') {
                Some(codes) => codes.split('}').next().is_some_and(|codes| codes.split(' ').any(|it| is_high(it, 16))),
                None => is_high(leading(characters.as_str(), 4, 16), 16),
            },
            Some('x') => is_high(leading(characters.as_str(), 2, 16), 16),
            Some('1'..='3') => is_high(leading(escape, 3, 8), 8),
            _ => false,
        };
        if is_unicode {
            return true;
        }
        let mut after = escape.chars();
        after.next();
        rest = after.as_str();
    }
    false
}

/// The digits that a text begins with, at most so many.
fn leading(text: &str, most: usize, radix: u32) -> &str {
    let digits = text.chars().take(most).take_while(|digit| digit.is_digit(radix)).count();
    text.get(..digits).unwrap_or_default()
}

/// Whether digits are the code of a character that is not ASCII.
fn is_high(digits: &str, radix: u32) -> bool {
    u32::from_str_radix(digits, radix).is_ok_and(|code| code > 0x7f)
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_ruby_ties_to_utf8() {
        let check = |pattern: &str, expected: bool| assert_eq!(super::is_unicode(pattern), expected, "{pattern}");
        for pattern in [
            "µ",
            "[é]",
            r"\u00b5",
            r"\u{41 b5}",
            r"\xc2\xb5",
            r"\302\265",
            r"[\p{Alpha}]",
            r"\P{Alpha}",
            r"\\\p{L}",
            r"\pL",
        ] {
            check(pattern, true);
        }
        for pattern in
            ["a", r"\u0041", r"\u{41}", r"\x7f", r"\177", r"\\p{Alpha}", r"\\u00b5", r"[[:alpha:]]\X\R\h", r"(a)\1"]
        {
            check(pattern, false);
        }
    }
}
