//! The text of values as Ruby shows it: what interpolation puts into strings, and what an explanation prints.

use std::fmt::Write;

use bunraku_pcore::Value;
use bunraku_pcore::float_text::float_text;

/// Ruby's `to_s`: text as it is, collections as [`inspect`] shows them, nothing for `undef`.
pub(crate) fn to_s(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        _ => inspect(value),
    }
}

/// Ruby's `inspect`.
pub(crate) fn inspect(value: &Value) -> String {
    let mut text = String::new();
    write_inspect(value, &mut text);
    text
}

fn write_inspect(value: &Value, out: &mut String) {
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Default => out.push_str("default"),
        Value::Boolean(boolean) => out.push_str(if *boolean { "true" } else { "false" }),
        Value::Integer(integer) => {
            let _ = write!(out, "{integer}");
        }
        Value::Float(float) => out.push_str(&float_text(*float)),
        Value::String(text) => quote(text, out),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_inspect(element, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, element)) in hash.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_inspect(key, out);
                out.push_str("=>");
                write_inspect(element, out);
            }
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str("Sensitive [value redacted]"),
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

/// Text in double quotes with Ruby's escapes.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            control if control.is_control() => {
                let _ = if control.is_ascii() {
                    write!(out, "\\x{:02X}", u32::from(control))
                } else {
                    write!(out, "\\u{:04X}", u32::from(control))
                };
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
