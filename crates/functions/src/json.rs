//! JSON as Ruby reads and writes it.

use bunraku_pcore::Value;
use bunraku_pcore::inspect::to_s;
use bunraku_pcore::limits;
pub(crate) use bunraku_pcore::serialize::parse_json as parse;
use bunraku_pcore::serialize::{JsonLayout, JsonWriter};
use bunraku_syntax::{Issue, deep};

use crate::number::fail;

/// How deep Ruby goes when it writes, unless it is told otherwise.
pub(crate) const DEEPEST: usize = 100;

/// The text of a value, as short as can be.
pub(crate) fn generate(value: &Value) -> Result<String, Issue> {
    generate_with(value, JsonLayout::SHORT, Some(DEEPEST))
}

/// The text of a value whose collections may be so deep inside of each other.
pub(crate) fn generate_with(value: &Value, layout: JsonLayout<'_>, deepest: Option<usize>) -> Result<String, Issue> {
    limits::check_indented(value, layout.indent.len())?;
    let mut writer = JsonWriter::new(layout, 0);
    write(value, deepest, 0, &mut writer)?;
    Ok(writer.text)
}

fn write(value: &Value, deepest: Option<usize>, depth: usize, writer: &mut JsonWriter<'_>) -> Result<(), Issue> {
    deep(|| {
        limits::check_text(writer.text.len())?;
        let is_collection = matches!(value, Value::Array(_) | Value::Hash(_));
        if is_collection && deepest.is_some_and(|deepest| depth >= deepest) {
            return fail(format!("nesting of {} is too deep", depth + 1));
        }
        match value {
            Value::Undef => writer.literal("null"),
            Value::Array(elements) => {
                writer.begin_array();
                for element in elements.iter() {
                    write(element, deepest, depth + 1, writer)?;
                }
                writer.end_array();
            }
            Value::Hash(hash) => {
                writer.begin_object();
                for (key, value) in hash.iter() {
                    writer.key(&to_s(key));
                    write(value, deepest, depth + 1, writer)?;
                }
                writer.end_object();
            }
            Value::Boolean(_) | Value::Integer(_) => writer.literal(&to_s(value)),
            Value::Float(number) if number.is_finite() => writer.literal(&to_s(value)),
            Value::Float(_) => return fail(format!("920: {} not allowed in JSON", to_s(value))),
            other => writer.string(&to_s(other)),
        }
        Ok(())
    })
}
