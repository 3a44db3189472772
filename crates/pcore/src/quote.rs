//! Text as the language writes it: in single quotes if it can be, else in double quotes.

use std::fmt::Write;

/// The text in quotes.
pub fn quote(text: &str) -> String {
    if text.chars().any(|letter| letter < ' ') {
        return double_quote(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => quoted.push_str("\\'"),
            // Compatibility: what follows a backslash is taken as it is, and a backslash at the end is not doubled.
            '\\' => {
                quoted.push('\\');
                quoted.extend(letters.next());
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push('\'');
    quoted
}

/// The text in double quotes.
pub fn double_quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '"' => quoted.push_str("\\\""),
            '$' => quoted.push_str("\\$"),
            '\\' => quoted.push_str("\\\\"),
            letter if letter < ' ' => {
                // Writing to a string does not fail.
                let _ = write!(quoted, "\\u{{{:X}}}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quote;

    fn check(text: &str, expected: &str) {
        assert_eq!(quote(text), expected, "{text:?}");
    }

    #[test]
    fn quotes_text() {
        check("abc", "'abc'");
        check("it's", r"'it\'s'");
        check("a\nb", r#""a\nb""#);
        check("a\u{1}$\"", r#""a\u{1}\$\"""#);
        check(r"a\b", r"'a\b'");
        check(r"a\\b", r"'a\\b'");
    }
}
