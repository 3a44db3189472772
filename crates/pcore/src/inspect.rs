//! Values as Ruby's `to_s` and `inspect` show them; `sprintf` and some of the reference's messages do.

use std::borrow::Cow;
use std::fmt::Write;

use bunraku_syntax::deep;

use crate::data_type::Type;
use crate::float_text::float_text;
use crate::limits::TEXT_SIZE;
use crate::value::Value;

/// The value as Ruby's `to_s` shows it.
pub fn to_s(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(_) | Value::Hash(_) => Cow::Owned(inspect(value)),
        Value::Regexp(regexp) => Cow::Owned(regexp.to_s()),
        value => Cow::Owned(value.to_string()),
    }
}

/// The value as Ruby's `inspect` shows it.
///
/// What would be longer than a string may be is cut where that is certain.
pub fn inspect(value: &Value) -> String {
    let mut text = String::new();
    write_inspected(value, &mut text);
    text
}

fn write_inspected(value: &Value, text: &mut String) {
    if text.len() > TEXT_SIZE {
        return;
    }
    match value {
        Value::Array(elements) => deep(|| {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_inspected(element, text);
            }
            text.push(']');
        }),
        Value::Hash(hash) => deep(|| {
            text.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_inspected(key, text);
                text.push_str("=>");
                write_inspected(value, text);
            }
            text.push('}');
        }),
        scalar => text.push_str(&inspect_scalar(scalar)),
    }
}

fn inspect_scalar(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::Default => ":default".to_owned(),
        Value::Symbol(name) => inspect_symbol(name),
        Value::Float(number) => float_text(*number),
        Value::String(text) => inspect_text(text),
        Value::Sensitive(_) => "#<Sensitive [value redacted]>".to_owned(),
        // What the reference shows here has the address of an object in it, so this is the documented form.
        Value::Timespan(timespan) => format!("Timespan('{timespan}')"),
        Value::Timestamp(timestamp) => format!("Timestamp('{timestamp}')"),
        Value::SemVerRange(range) => range.canonical(),
        Value::Uri(uri) => format!("#<{} {uri}>", uri.host_class()),
        Value::Regexp(regexp) => regexp.to_literal(),
        Value::Type(Type::Resource(held)) if let (Some(namevar), Some(title)) = (&held.namevar, &held.title) => {
            format!("{value}{{:{namevar}=>{}}}", inspect_text(title))
        }
        value => value.to_string(),
    }
}

/// A symbol as Ruby shows it: plain where it could be written so.
fn inspect_symbol(name: &str) -> String {
    let letters = name.strip_suffix(['?', '!', '=']).unwrap_or(name);
    let is_plain = letters.starts_with(|first: char| first == '_' || first.is_alphabetic())
        && letters.chars().all(|letter| letter == '_' || letter.is_alphanumeric());
    if is_plain { format!(":{name}") } else { format!(":{}", inspect_text(name)) }
}

/// Bytes as Ruby shows text that is not text.
pub fn inspect_bytes(bytes: &[u8]) -> String {
    let mut quoted = String::with_capacity(bytes.len() + 2);
    quoted.push('"');
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(*byte)]),
            b'#' if matches!(bytes.get(index + 1), Some(b'{' | b'$' | b'@')) => quoted.push_str("\\#"),
            b' '..=b'~' => quoted.push(char::from(*byte)),
            _ => match escape_letter(char::from(*byte)) {
                Some(letter) => quoted.extend(['\\', letter]),
                // Writing to a string does not fail.
                None => {
                    let _ = write!(quoted, "\\x{byte:02X}");
                }
            },
        }
    }
    quoted.push('"');
    quoted
}

/// The letter of an escape that stands for a control character.
fn escape_letter(control: char) -> Option<char> {
    Some(match control {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{c}' => 'f',
        '\u{b}' => 'v',
        '\u{8}' => 'b',
        '\u{7}' => 'a',
        '\u{1b}' => 'e',
        _ => return None,
    })
}

/// The text in double quotes, with escapes for what cannot be printed.
pub fn inspect_text(text: &str) -> String {
    quote(text, is_printable)
}

/// Text as Ruby's `dump` shows it: only ASCII.
pub(crate) fn dump_text(text: &str) -> String {
    quote(text, |letter| letter.is_ascii() && is_printable(letter))
}

fn quote(text: &str, is_plain: fn(char) -> bool) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            '#' if matches!(letters.peek(), Some('{' | '$' | '@')) => quoted.push_str("\\#"),
            _ if let Some(escape) = escape_letter(letter) => quoted.extend(['\\', escape]),
            _ if is_plain(letter) => quoted.push(letter),
            // Writing to a string does not fail.
            _ if u32::from(letter) > 0xffff => {
                let _ = write!(quoted, "\\u{{{:X}}}", u32::from(letter));
            }
            _ => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Whether Ruby prints a character as it is; the unassigned ones are not known here.
fn is_printable(letter: char) -> bool {
    let is_no_character = u32::from(letter) & 0xfffe == 0xfffe;
    let is_separator = matches!(letter, '\u{2028}' | '\u{2029}');
    !letter.is_control() && !is_no_character && !is_separator
}

#[cfg(test)]
mod tests {
    use super::inspect_text;

    #[test]
    fn escapes_are_rubys() {
        for (text, expected) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("#{a} #$a #@a #a", r##""\#{a} \#$a \#@a #a""##),
            ("\n\t\r\u{c}\u{b}\u{8}\u{7}\u{1b}", r#""\n\t\r\f\v\b\a\e""#),
            ("\u{0}\u{7f}\u{80}é😀\u{10ffff}", r#""\u0000\u007F\u0080é😀\u{10FFFF}""#),
        ] {
            assert_eq!(inspect_text(text), expected);
        }
    }
}
