//! Ruby's operations on text that several functions share.

use bunraku_pcore::Value;

use crate::iteration;

/// Changes a text, or each text of a sequence; numbers stay as they are.
pub(crate) fn map(value: &Value, change: fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::from(change(text)),
        Value::Integer(_) | Value::Float(_) | Value::Undef => value.clone(),
        sequence => Value::array(iteration::elements(sequence).map(|element| map(&element, change))),
    }
}

/// Changes every text in a value, keys of hashes included; numbers stay as they are.
pub(crate) fn map_deep(value: &Value, change: fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::from(change(text)),
        Value::Array(elements) => Value::array(elements.iter().map(|element| map_deep(element, change))),
        Value::Hash(hash) => {
            Value::hash(hash.iter().map(|(key, value)| (map_deep(key, change), map_deep(value, change))))
        }
        other => other.clone(),
    }
}

/// The text in lower case. Ruby looks at each letter alone, so a final sigma is an ordinary one.
pub(crate) fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The text in upper case.
pub(crate) fn upcase(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).collect()
}

/// The text with small letters as capitals and capitals small.
pub(crate) fn swapcase(text: &str) -> String {
    let swap = |letter: char| -> String {
        if letter.is_lowercase() { letter.to_uppercase().collect() } else { letter.to_lowercase().collect() }
    };
    text.chars().map(swap).collect()
}

/// The text with everything escaped that may not be in a URI.
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

/// The first letter in title case and all others in lower case.
pub(crate) fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(title_case);
    first.chain(characters.flat_map(char::to_lowercase)).collect()
}

/// A letter in title case: of a ligature only the first part is a capital.
fn title_case(letter: char) -> impl Iterator<Item = char> {
    let single = match letter {
        '\u{1c4}'..='\u{1c6}' => Some('\u{1c5}'),
        '\u{1c7}'..='\u{1c9}' => Some('\u{1c8}'),
        '\u{1ca}'..='\u{1cc}' => Some('\u{1cb}'),
        '\u{1f1}'..='\u{1f3}' => Some('\u{1f2}'),
        _ => None,
    };
    let mut upper = letter.to_uppercase();
    let first = single.or_else(|| upper.next());
    let rest = upper.take(if single.is_some() { 0 } else { usize::MAX });
    first.into_iter().chain(rest.flat_map(char::to_lowercase))
}

/// Whether Ruby's `strip` removes the character.
pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, '\0' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ')
}

/// The text without one line end at its end.
pub(crate) fn chomp(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

/// The text without its last character; a carriage return and line feed count as one.
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
    fn letters_change_case_as_in_ruby() {
        let check = |change: fn(&str) -> String, text: &str, expected: &str| assert_eq!(change(text), expected);
        check(capitalize, "HELLO wORLD", "Hello world");
        check(capitalize, "éa", "Éa");
        check(capitalize, "ßa", "Ssa");
        check(capitalize, "ǆa", "ǅa");
        check(capitalize, "", "");
        check(downcase, "ΑΣ", "ασ");
        check(upcase, "straße", "STRASSE");
    }

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
