//! Ruby's operations on strings that several functions share.

use bunraku_pcore::Value;
pub(crate) use bunraku_pcore::letter_case::{capitalize, downcase, swapcase, upcase};
use bunraku_syntax::{Issue, deep};

use crate::iteration;

/// Changes a string, or each string of a sequence; numbers stay as they are.
pub(crate) fn map(value: &Value, change: fn(&str) -> String) -> Result<Value, Issue> {
    Ok(match value {
        Value::String(text) => Value::from(change(text)),
        Value::Integer(_) | Value::Float(_) | Value::Undef => value.clone(),
        sequence => {
            let changed = iteration::all_elements(sequence)?.map(|element| deep(|| map(&element, change)));
            Value::from(changed.collect::<Result<Vec<_>, _>>()?)
        }
    })
}

/// Changes every string in a value, keys of hashes included; numbers stay as they are.
pub(crate) fn map_deep(value: &Value, change: fn(&str) -> String) -> Value {
    deep(|| match value {
        Value::String(text) => Value::from(change(text)),
        Value::Array(elements) => Value::array(elements.iter().map(|element| map_deep(element, change))),
        Value::Hash(hash) => {
            Value::hash(hash.iter().map(|(key, value)| (map_deep(key, change), map_deep(value, change))))
        }
        other => other.clone(),
    })
}

/// The string with everything escaped that may not be in a URI.
pub(crate) fn uri_escape(text: &str) -> String {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,[]".contains(&byte);
    text.bytes().fold(String::with_capacity(text.len()), |mut escaped, byte| {
        if is_allowed(byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
        escaped
    })
}

/// Whether Ruby's `strip` removes the character.
pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, '\0' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

/// The string without one line end at its end.
pub(crate) fn chomp(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

/// The string without its last character; a carriage return and line feed count as one.
pub(crate) fn chop(text: &str) -> &str {
    text.strip_suffix("\r\n").unwrap_or_else(|| {
        let mut characters = text.chars();
        characters.next_back();
        characters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_cut_as_in_ruby() {
        let check = |change: fn(&str) -> &str, text: &str, expected: &str| assert_eq!(change(text), expected);
        check(chomp, "a\r\n", "a");
        check(chomp, "a\n\n", "a\n");
        check(chomp, "a\r", "a");
        check(chomp, "a", "a");
        check(chop, "a\r\n", "a");
        check(chop, "aé", "a");
        check(chop, "", "");
    }
}
