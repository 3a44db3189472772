//! Writes values as Psych writes them: `lookup` and other commands show data this way.

use bunraku_pcore::deep;
use bunraku_pcore::float_text::float_text;
use bunraku_pcore::{Value, inspect};

use super::scalar::{self, Scalar};
use super::writer::{Part, Scalar as Written, Style, Writer};

/// How far inner collections are moved to the right.
const INDENTATION: usize = 2;

/// The tag with which the reference writes a value that must not be shown.
const SENSITIVE: &str = "!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

/// The YAML document of a value.
pub fn emit(value: &Value) -> String {
    emit_indented(value, INDENTATION)
}

/// The YAML document of a value with inner collections moved to the right by so many blanks, from 2 to 9.
pub fn emit_indented(value: &Value, indentation: usize) -> String {
    let mut writer = Writer::new(indentation);
    write(value, None, &mut writer);
    writer.finish()
}

/// The same with double quotes around those scalars that ask for them, except for keys.
pub fn emit_with(value: &Value, needs_quotes: fn(&str) -> bool) -> String {
    let mut writer = Writer::new(INDENTATION);
    writer.needs_quotes = Some(needs_quotes);
    write(value, None, &mut writer);
    writer.finish()
}

/// Writes a value that stands in a mapping, or elsewhere.
fn write(value: &Value, part: Option<Part>, writer: &mut Writer) {
    deep(|| match value {
        Value::Array(elements) if elements.is_empty() => writer.empty_collection("[]"),
        Value::Array(elements) => {
            writer.sequence(elements.iter(), part.is_some(), |writer, element| write(element, None, writer));
        }
        Value::Hash(hash) if hash.is_empty() => writer.empty_collection("{}"),
        Value::Hash(hash) => {
            writer.mapping(
                hash.iter(),
                |(key, _)| is_simple(key),
                |writer, (key, value), part| {
                    write(if part == Part::Value { value } else { key }, Some(part), writer);
                },
            );
        }
        Value::Sensitive(secret) => {
            writer.tag(SENSITIVE);
            writer.mapping(
                [&**secret],
                |_| true,
                |writer, secret, part| match part {
                    Part::Value => write(secret, Some(part), writer),
                    Part::SimpleKey | Part::Key => writer.scalar(plain("value"), true),
                },
            );
        }
        other => with_scalar(other, |scalar| {
            let is_key = part == Some(Part::SimpleKey);
            match writer.needs_quotes {
                Some(_) if is_key => {
                    writer.scalar(Written { style: Style::Plain, may_be_quoted: true, ..scalar }, is_key)
                }
                Some(needs_quotes) if needs_quotes(scalar.text) => {
                    writer.scalar(Written { style: Style::DoubleQuoted, may_be_quoted: true, ..scalar }, is_key);
                }
                _ => writer.scalar(scalar, is_key),
            }
        }),
    })
}

/// Whether a key can stand before its value on the same line.
fn is_simple(key: &Value) -> bool {
    match key {
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(hash) => hash.is_empty(),
        Value::Sensitive(_) => false,
        other => with_scalar(other, |scalar| scalar.is_simple_key()),
    }
}

/// Hands the scalar of a value that is no collection on.
fn with_scalar<R>(value: &Value, then: impl FnOnce(Written<'_>) -> R) -> R {
    match value {
        Value::Undef => then(plain("")),
        Value::Default => then(plain(":default")),
        Value::Boolean(boolean) => then(plain(if *boolean { "true" } else { "false" })),
        Value::Integer(integer) => then(plain(&integer.to_string())),
        Value::Float(float) => then(plain(&float_scalar(*float))),
        Value::String(text) => then(string(text)),
        Value::Regexp(regexp) => then(Written { tag: Some("!ruby/regexp"), ..plain(&regexp.to_literal()) }),
        other => then(plain(&inspect::to_s(other))),
    }
}

pub(super) fn plain(text: &str) -> Written<'_> {
    Written { text, tag: None, style: Style::Plain, may_be_quoted: false }
}

fn float_scalar(float: f64) -> String {
    if float.is_nan() {
        ".nan".to_owned()
    } else if float.is_infinite() {
        if float > 0.0 { ".inf".to_owned() } else { "-.inf".to_owned() }
    } else {
        float_text(float)
    }
}

/// A string in the first style that reads back as one, by Psych's order of preference.
pub(super) fn string(text: &str) -> Written<'_> {
    if text == "<<" {
        return Written { text, tag: Some("!!str"), style: Style::SingleQuoted, may_be_quoted: false };
    }
    let style = if has_inner_break(text) {
        Style::Literal
    } else if matches!(text, "y" | "n") || begins_with_sign(text) {
        Style::DoubleQuoted
    } else if !matches!(scalar::resolve(text), Ok(Scalar::String(_))) || looks_like_octal(text) {
        Style::SingleQuoted
    } else {
        Style::Plain
    };
    Written { text, tag: None, style, may_be_quoted: true }
}

/// A line break that is neither the last character nor the one before a last line break.
fn has_inner_break(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let body = if body.len() < text.len() { body.strip_suffix('\n').unwrap_or(body) } else { body };
    body.contains('\n')
}

/// A line that begins with something other than a letter, digit or underscore, and then has no double quote.
fn begins_with_sign(text: &str) -> bool {
    text.split_inclusive('\n').any(|line| {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let mut characters = line.chars();
        characters.next().is_some_and(|first| !is_word(first)) && !characters.as_str().contains('"')
    })
}

/// `08` and the like: no octal number, but other readers may take it for one.
fn looks_like_octal(text: &str) -> bool {
    let digits = text.strip_prefix('0').map(|rest| rest.trim_start_matches(|digit| matches!(digit, '0'..='7')));
    digits.is_some_and(|rest| rest.starts_with(['8', '9']))
}
