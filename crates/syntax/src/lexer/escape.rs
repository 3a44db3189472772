//! Escape sequences in strings, heredocs and regular expressions.

use ecow::EcoString;

use super::find;
use crate::issues;
use bunraku_diagnostic::Issue;

/// Which escape sequences a text knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Escapes {
    /// Whether `$` interpolates at all.
    pub(crate) interpolates: bool,
    /// `\\`
    pub(crate) backslash: bool,
    /// `\"` and `\'`
    pub(crate) quotes: bool,
    /// `\$`
    pub(crate) dollar: bool,
    /// `\t`
    pub(crate) tab: bool,
    /// `\r`
    pub(crate) carriage_return: bool,
    /// `\n`
    pub(crate) newline: bool,
    /// `\s`
    pub(crate) space: bool,
    /// `\u`
    pub(crate) unicode: bool,
    /// A backslash at the end of a line joins it with the next.
    pub(crate) line_join: bool,
}

/// A text with its escape sequences replaced.
#[derive(Default)]
pub(crate) struct Decoded {
    pub(crate) text: EcoString,
    pub(crate) warnings: Vec<Issue>,
    /// `\u{110000}` and the like, which the reference refuses.
    pub(crate) illegal_character: bool,
}

impl Escapes {
    pub(crate) const DOUBLE_QUOTED: Self = Self {
        interpolates: true,
        backslash: true,
        quotes: true,
        dollar: true,
        tab: true,
        carriage_return: true,
        newline: true,
        space: true,
        unicode: true,
        line_join: true,
    };

    /// Replaces the escape sequences of a text.
    pub(crate) fn decode(self, text: &str) -> Decoded {
        let mut decoded = Decoded::default();
        if find([b'\\'], text.as_bytes(), 0).is_none() {
            decoded.text = text.into();
        } else if self.unicode && text.contains("\\u") {
            // Compatibility: characters made by `\u` take part in the other escapes, so `\u005cn` is a line break.
            let replaced = replace_unicode(text, &mut decoded.illegal_character);
            self.replace(&replaced, &mut decoded);
        } else {
            self.replace(text, &mut decoded);
        }
        decoded
    }

    fn replace(self, text: &str, decoded: &mut Decoded) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\\') {
            decoded.text.push_str(before);
            let mut characters = after.chars();
            let Some(character) = characters.next() else {
                decoded.text.push('\\');
                return;
            };
            rest = characters.as_str();
            match character {
                '\r' if rest.starts_with('\n') => {
                    rest = rest.strip_prefix('\n').unwrap_or(rest);
                    decoded.text.push_str(if self.line_join { "" } else { "\\\r\n" });
                }
                // Only a whole line break can be escaped.
                '\r' => decoded.text.push_str("\\\r"),
                '\n' => decoded.text.push_str(if self.line_join { "" } else { "\\\n" }),
                _ => self.replace_one(character, decoded),
            }
        }
        decoded.text.push_str(rest);
    }

    fn replace_one(self, character: char, decoded: &mut Decoded) {
        let replacement = match character {
            'r' if self.carriage_return => '\r',
            'n' if self.newline => '\n',
            't' if self.tab => '\t',
            's' if self.space => ' ',
            '\\' if self.backslash => '\\',
            '$' if self.dollar => '$',
            '"' | '\'' if self.quotes => character,
            _ => {
                if character == 'u' && self.unicode {
                    decoded.warnings.push(issues::illegal_unicode_escape());
                } else if self.quotes {
                    decoded.warnings.push(issues::unrecognized_escape(character));
                }
                decoded.text.push('\\');
                character
            }
        };
        decoded.text.push(replacement);
    }
}

/// Replaces `\uXXXX` and `\u{X…}` where the backslash is not itself escaped.
fn replace_unicode(text: &str, illegal_character: &mut bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        result.push_str(before);
        rest = after;
        // The result of an escape may be a backslash that begins the next one.
        let mut character = '\\';
        while character == '\\'
            && let Some((code, tail)) = unicode_escape(rest)
        {
            rest = tail;
            character = char::from_u32(code).unwrap_or_else(|| {
                *illegal_character = true;
                char::REPLACEMENT_CHARACTER
            });
        }
        result.push(character);
        if character == '\\'
            && let Some(tail) = rest.strip_prefix('\\')
        {
            result.push('\\');
            rest = tail;
        }
    }
    result.push_str(rest);
    result
}

/// The code point of `uXXXX` or `u{X…}` at the start of a text, and what follows it.
fn unicode_escape(text: &str) -> Option<(u32, &str)> {
    let digits = text.strip_prefix('u')?;
    let (hex, tail) = match digits.strip_prefix('{') {
        Some(braced) => braced.split_once('}').filter(|(hex, _)| (1..=6).contains(&hex.len()))?,
        None => digits.split_at_checked(4)?,
    };
    let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u32::from_str_radix(hex, 16).ok()?;
    is_hex.then_some((code, tail))
}

/// The value of a single-quoted string: only `\\` and `\'` are escapes.
pub(crate) fn decode_single_quoted(text: &str) -> EcoString {
    if find([b'\\'], text.as_bytes(), 0).is_none() {
        return text.into();
    }
    let mut result = EcoString::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        result.push_str(before);
        rest = match after.strip_prefix(['\\', '\'']) {
            Some(tail) => {
                result.push_str(after.strip_suffix(tail).unwrap_or_default());
                tail
            }
            None => {
                result.push('\\');
                after
            }
        };
    }
    result.push_str(rest);
    result
}

/// The pattern of a regular expression: only `\/` is an escape of ours.
pub(crate) fn decode_regexp(text: &str) -> EcoString {
    if text.contains("\\/") { text.replace("\\/", "/").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Escapes::DOUBLE_QUOTED.decode(text).text, expected, "{text:?}");
    }

    #[test]
    fn double_quoted_escapes() {
        check(r"a\tb\n\r\s\\\$\'\x", "a\tb\n\r \\$'\\x");
        check("a\\\nb\\\r\nc", "abc");
        check(r"\u0041\u{1F600}", "A😀");
        check(r"\\u0041", r"\u0041");
        check(r"\u005cn", "\n");
        check(r"\u00", r"\u00");
    }

    #[test]
    fn single_quoted_escapes() {
        assert_eq!(decode_single_quoted(r"a\\b\'c\n"), r"a\b'c\n");
    }

    #[test]
    fn characters_that_do_not_exist() {
        assert!(Escapes::DOUBLE_QUOTED.decode(r"\u{110000}").illegal_character);
        assert!(Escapes::DOUBLE_QUOTED.decode(r"\ud800").illegal_character);
    }
}
