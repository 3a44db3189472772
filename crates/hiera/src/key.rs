//! The key of a lookup: `root.segment.0."with.dots"`. The root is searched for; the segments dig into what was found.

use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use crate::error::Error;

/// The key under which data keeps options about other keys; it is never found itself.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// A key taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The key as it was written.
    pub text: EcoString,
    /// The part that is searched for.
    pub root: EcoString,
    /// What digs into the value: text, or integers for arrays.
    pub segments: Vec<Value>,
}

impl Key {
    /// Takes a key apart.
    pub fn parse(text: &str) -> Result<Key, Error> {
        let mut segments =
            split(text).ok_or_else(|| Error::lookup(format!("Syntax error in key: '{text}'")))?.into_iter();
        let root = segments.next().as_ref().map(segment_text).unwrap_or_default();
        Ok(Key { text: text.into(), root, segments: segments.collect() })
    }

    /// The module whose data may hold the key: what stands before the first `::`.
    ///
    /// Compatibility: of a key that begins with `::` the whole is taken for the name.
    pub fn module_name(&self) -> Option<&str> {
        self.root.split_once("::").map(|(name, _)| if name.is_empty() { self.root.as_str() } else { name })
    }

    /// All parts, the root first, as a `data_dig` function gets them.
    pub fn parts(&self) -> Vec<Value> {
        std::iter::once(Value::String(self.root.clone())).chain(self.segments.iter().cloned()).collect()
    }

    /// A structure into which the segments dig to find the value.
    pub fn nest(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |value, segment| match segment {
            Value::Integer(index) => {
                let mut elements = vec![Value::Undef; usize::try_from(*index).unwrap_or(0).min(MAXIMUM_INDEX)];
                elements.push(value);
                Value::from(elements)
            }
            _ => Value::from(Hash::from_iter([(segment.clone(), value)])),
        })
    }
}

/// No array of data is longer; an index beyond it finds nothing.
const MAXIMUM_INDEX: usize = 1_000_000;

/// The text of a segment as messages show it.
pub(crate) fn segment_text(segment: &Value) -> EcoString {
    match segment {
        Value::Integer(index) => ecow::eco_format!("{index}"),
        Value::String(text) => text.clone(),
        _ => EcoString::new(),
    }
}

/// Splits a key at its dots; nothing if the quotes or dots are misplaced. Blanks around segments do not count, and
/// text of digits only is an integer.
pub(crate) fn split(key: &str) -> Option<Vec<Value>> {
    if !key.contains(['\'', '"', '.']) {
        return Some(vec![Value::string(key)]);
    }
    let mut segments = Vec::new();
    let mut rest = key;
    loop {
        let (segment, after) = next_segment(rest)?;
        segments.push(segment);
        match after.strip_prefix('.') {
            Some(more) => rest = more,
            None if after.is_empty() => return Some(segments),
            None => return None,
        }
    }
}

fn next_segment(text: &str) -> Option<(Value, &str)> {
    let trimmed = text.trim_start();
    if let Some(quote) = trimmed.chars().next().filter(|c| matches!(c, '\'' | '"')) {
        let (quoted, after) = trimmed.strip_prefix(quote)?.split_once(quote)?;
        return (!quoted.is_empty()).then(|| (Value::string(quoted), after.trim_start()));
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    let (segment, after) = text.split_at_checked(end)?;
    if segment.is_empty() {
        return None;
    }
    let segment = segment.trim();
    let digits = segment.strip_prefix(':').unwrap_or(segment);
    let digits = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Compatibility: a colon before the digits is let through by the pattern, and Ruby then reads the number as zero.
    let value = if is_integer && segment.starts_with(':') {
        Value::Integer(0)
    } else if is_integer {
        segment.parse().map_or_else(|_| Value::string(segment), Value::Integer)
    } else {
        Value::string(segment)
    };
    Some((value, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split_at_dots() {
        let check = |key: &str, expected: Option<Vec<Value>>| assert_eq!(split(key), expected, "{key}");
        check("a", Some(vec!["a".into()]));
        check("a b", Some(vec!["a b".into()]));
        check("a.b.0.-1", Some(vec!["a".into(), "b".into(), Value::Integer(0), Value::Integer(-1)]));
        check("a.'b.c'.d", Some(vec!["a".into(), "b.c".into(), "d".into()]));
        check("'a.b'", Some(vec!["a.b".into()]));
        check("\"a.b\" . c ", Some(vec!["a.b".into(), "c".into()]));
        check("a.", None);
        check(".a", None);
        check("a..b", None);
        check("a.'b", None);
        check("a'b", None);
        check("a.''", None);
    }
}
