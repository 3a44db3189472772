//! The format of objects: the call that makes them, in the alternate form with one attribute a line.

use bunraku_syntax::Issue;

use super::container::Indentation;
use super::illegal_format;
use super::specifier::Format;
use crate::hash::Hash;
use crate::inspect::inspect;
use crate::object::Object;
use crate::text::value_text;
use crate::value::Value;

/// Lines are no longer than this where that can be.
const LINE: usize = 100;

pub(super) fn write(object: &Object, format: &Format, indentation: Indentation) -> Result<String, Issue> {
    match format.letter {
        'p' if format.alternate || indentation.is_indenting() => {
            let mut text = String::new();
            append_object(object, indentation.level(), &mut text);
            Ok(text)
        }
        's' | 'p' | 'q' => Ok(object.to_string()),
        letter => Err(illegal_format("Object", letter, "spq")),
    }
}

fn append_object(object: &Object, level: usize, text: &mut String) {
    text.push_str(object.object_type().type_name().map_or("", |name| name.as_str()));
    text.push('(');
    append_hash(&object.initializer(), level, text);
    text.push(')');
}

fn append(value: &Value, level: usize, text: &mut String) {
    match value {
        Value::Object(object) => append_object(object, level, text),
        Value::Hash(hash) => append_hash(hash, level, text),
        Value::Array(elements) => append_array(elements, level, text),
        other => text.push_str(&value_text(other)),
    }
}

fn append_hash(hash: &Hash, level: usize, text: &mut String) {
    text.push('{');
    for (index, (key, value)) in hash.iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        new_line(level + 1, text);
        append(key, level + 1, text);
        text.push_str(" => ");
        append(value, level + 1, text);
    }
    new_line(level, text);
    text.push('}');
}

fn append_array(elements: &[Value], level: usize, text: &mut String) {
    let is_short = elements.is_empty() || elements.iter().map(width).sum::<usize>() + 2 * level < LINE;
    text.push('[');
    for (index, element) in elements.iter().enumerate() {
        match (index, is_short) {
            (0, true) => {}
            (_, true) => text.push_str(", "),
            (0, false) => new_line(level + 1, text),
            (_, false) => {
                text.push(',');
                new_line(level + 1, text);
            }
        }
        append(element, if is_short { level } else { level + 1 }, text);
    }
    if !is_short {
        new_line(level, text);
    }
    text.push(']');
}

/// How much of a line an element takes; too much if it cannot be on one.
fn width(value: &Value) -> usize {
    match value {
        Value::Boolean(_) | Value::Undef | Value::Integer(_) | Value::Float(_) | Value::Default => inspect(value).len(),
        Value::String(text) => text.chars().count() + 2,
        Value::Array(elements) if elements.is_empty() => 2,
        Value::Hash(hash) if hash.is_empty() => 2,
        _ => 10 * LINE,
    }
}

fn new_line(level: usize, text: &mut String) {
    text.push('\n');
    text.push_str(&"  ".repeat(level));
}
