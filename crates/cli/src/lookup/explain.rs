//! Explanations with the line of each value.

use bunraku::hiera::line_of;
use bunraku::{FileId, Hash, Span, Value, World};

/// The place of a lookup that no code makes.
pub(super) const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The explanation in which every value that was found in a YAML file has its line.
pub(super) fn with_lines(explanation: &Value, world: &dyn World) -> Value {
    match explanation {
        Value::Array(branches) => Value::array(branches.iter().map(|branch| with_lines(branch, world))),
        Value::Hash(node) => {
            let branches = node.get_str("branches");
            let inner = |(key, value): (&Value, &Value)| match branches {
                Some(branches) if key.as_str() == Some("branches") => (key.clone(), with_lines(branches, world)),
                _ => (key.clone(), value.clone()),
            };
            let mut result: Hash = node.iter().map(inner).collect();
            if let Some(line) = line(node, world) {
                result.insert("line".into(), Value::Integer(line));
            }
            Value::from(result)
        }
        other => other.clone(),
    }
}

fn line(node: &Hash, world: &dyn World) -> Option<i64> {
    let text = |key| node.get_str(key).and_then(Value::as_str);
    let is_found = text("event") == Some("found");
    let path = text("path").filter(|_| is_found)?;
    i64::try_from(line_of(text("key")?, path, world)?).ok()
}
