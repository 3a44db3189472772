//! JSON as Ruby reads and writes it.

use bunraku_pcore::Value;
use bunraku_pcore::inspect::to_s;
use bunraku_pcore::limits;
pub(crate) use bunraku_pcore::serialize::parse_json as parse;
use bunraku_syntax::{Issue, deep};

use crate::number::fail;

/// How deep Ruby goes when it writes, unless it is told otherwise.
pub(crate) const DEEPEST: usize = 100;

/// What stands between the parts of a string.
pub(crate) struct Layout<'l> {
    pub(crate) indent: &'l str,
    pub(crate) space: &'l str,
    pub(crate) space_before: &'l str,
    pub(crate) object_line_end: &'l str,
    pub(crate) array_line_end: &'l str,
    /// How deep collections may be inside of each other.
    pub(crate) deepest: Option<usize>,
}

/// The text of a value, as short as can be.
pub(crate) fn generate(value: &Value) -> Result<String, Issue> {
    let layout = Layout {
        indent: "",
        space: "",
        space_before: "",
        object_line_end: "",
        array_line_end: "",
        deepest: Some(DEEPEST),
    };
    generate_with(value, &layout)
}

/// The text of a value.
pub(crate) fn generate_with(value: &Value, layout: &Layout<'_>) -> Result<String, Issue> {
    let mut text = String::new();
    limits::check_indented(value, layout.indent.len())?;
    write(value, layout, 0, &mut text)?;
    Ok(text)
}

fn write(value: &Value, layout: &Layout<'_>, depth: usize, text: &mut String) -> Result<(), Issue> {
    deep(|| {
        limits::check_text(text.len())?;
        let is_collection = matches!(value, Value::Array(_) | Value::Hash(_));
        if is_collection && layout.deepest.is_some_and(|deepest| depth >= deepest) {
            return fail(format!("nesting of {} is too deep", depth + 1));
        }
        match value {
            Value::Undef => text.push_str("null"),
            Value::Array(elements) => {
                text.push('[');
                text.push_str(layout.array_line_end);
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                        text.push_str(layout.array_line_end);
                    }
                    text.push_str(&layout.indent.repeat(depth + 1));
                    write(element, layout, depth + 1, text)?;
                }
                text.push_str(layout.array_line_end);
                text.push_str(&layout.indent.repeat(depth));
                text.push(']');
            }
            Value::Hash(hash) => {
                text.push('{');
                for (index, (key, value)) in hash.iter().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(layout.object_line_end);
                    text.push_str(&layout.indent.repeat(depth + 1));
                    write_text(&to_s(key), text);
                    text.push_str(layout.space_before);
                    text.push(':');
                    text.push_str(layout.space);
                    write(value, layout, depth + 1, text)?;
                }
                text.push_str(layout.object_line_end);
                text.push_str(
                    if layout.object_line_end.is_empty() { "" } else { layout.indent }.repeat(depth).as_str(),
                );
                text.push('}');
            }
            Value::Boolean(_) | Value::Integer(_) => text.push_str(&to_s(value)),
            Value::Float(number) if number.is_finite() => text.push_str(&to_s(value)),
            Value::Float(_) => return fail(format!("920: {} not allowed in JSON", to_s(value))),
            other => write_text(&to_s(other), text),
        }
        Ok(())
    })
}

fn write_text(string: &str, text: &mut String) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            control if u32::from(control) < 0x20 => text.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => text.push(other),
        }
    }
    text.push('"');
}
