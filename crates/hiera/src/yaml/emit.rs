//! Writes values as Psych writes them: `lookup` and other commands show data this way.

use bunraku_pcore::float_text::float_text;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::deep;
use libyaml_safer::{Emitter, Encoding, Event, MappingStyle, ScalarStyle, SequenceStyle};

use super::scalar::{self, Scalar};

/// How far inner collections are moved to the right.
const INDENTATION: i32 = 2;

/// The tag with which the reference writes a value that must not be shown.
const SENSITIVE: &str = "!ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive";

/// The YAML document of a value.
pub fn emit(value: &Value) -> String {
    emit_indented(value, INDENTATION)
}

/// The YAML document of a value with inner collections moved to the right by so many blanks, from 2 to 9.
pub fn emit_indented(value: &Value, indentation: i32) -> String {
    let mut bytes = Vec::new();
    let mut emitter = Emitter::new();
    emitter.set_unicode(true);
    emitter.set_indent(indentation);
    emitter.set_output_string(&mut bytes);
    let mut events = vec![Event::stream_start(Encoding::Utf8), Event::document_start(None, &[], false)];
    collect(value, &mut events);
    events.extend([Event::document_end(true), Event::stream_end()]);
    let written = events.into_iter().try_for_each(|event| emitter.emit(event));
    drop(emitter);
    // A value gives events in an order that is always right.
    debug_assert!(written.is_ok(), "{written:?}");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn collect(value: &Value, events: &mut Vec<Event>) {
    deep(|| match value {
        Value::Undef => events.push(plain("")),
        Value::Default => events.push(plain(":default")),
        Value::Boolean(boolean) => events.push(plain(if *boolean { "true" } else { "false" })),
        Value::Integer(integer) => events.push(plain(&integer.to_string())),
        Value::Float(float) => events.push(plain(&float_scalar(*float))),
        Value::String(text) => events.push(string(text)),
        Value::Array(elements) => {
            events.push(Event::sequence_start(None, None, true, style_of_sequence(elements.is_empty())));
            elements.iter().for_each(|element| collect(element, events));
            events.push(Event::sequence_end());
        }
        Value::Hash(hash) => {
            events.push(Event::mapping_start(None, None, true, style_of_mapping(hash.is_empty())));
            for (key, value) in hash.iter() {
                collect(key, events);
                collect(value, events);
            }
            events.push(Event::mapping_end());
        }
        Value::Regexp(regexp) => {
            let text = regexp.to_literal();
            events.push(Event::scalar(None, Some("!ruby/regexp"), &text, false, false, ScalarStyle::Any));
        }
        Value::Sensitive(secret) => {
            events.push(Event::mapping_start(None, Some(SENSITIVE), false, MappingStyle::Block));
            events.push(plain("value"));
            collect(secret, events);
            events.push(Event::mapping_end());
        }
        other => events.push(plain(&inspect::to_s(other))),
    })
}

fn style_of_sequence(is_empty: bool) -> SequenceStyle {
    if is_empty { SequenceStyle::Flow } else { SequenceStyle::Block }
}

fn style_of_mapping(is_empty: bool) -> MappingStyle {
    if is_empty { MappingStyle::Flow } else { MappingStyle::Block }
}

fn plain(text: &str) -> Event {
    Event::scalar(None, None, text, true, false, ScalarStyle::Plain)
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

/// Text in the first style that reads back as text, by Psych's order of preference.
fn string(text: &str) -> Event {
    if text == "<<" {
        return Event::scalar(None, Some("tag:yaml.org,2002:str"), text, false, false, ScalarStyle::SingleQuoted);
    }
    let style = if has_inner_break(text) {
        ScalarStyle::Literal
    } else if matches!(text, "y" | "n") || begins_with_sign(text) {
        ScalarStyle::DoubleQuoted
    } else if !matches!(scalar::resolve(text), Ok(Scalar::String(_))) || looks_like_octal(text) {
        ScalarStyle::SingleQuoted
    } else {
        ScalarStyle::Plain
    };
    Event::scalar(None, None, text, true, true, style)
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
