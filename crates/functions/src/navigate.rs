//! The way into nested data: by keys and indexes, or by a string of them with dots between.

use bunraku_pcore::issues::{Issue, runtime_error};
use bunraku_pcore::{Type, Value};

use crate::number::fail;
use bunraku_pcore::inspect;

/// Why a way into data is wrong.
pub(crate) struct WrongWay {
    /// What is wrong.
    pub(crate) message: String,
    /// `EXPECTED_COLLECTION` or `EXPECTED_INTEGER_INDEX`.
    pub(crate) issue_code: &'static str,
    /// The keys up to there.
    pub(crate) walked_path: Value,
    /// The name of the detail that has the type of what was found, and that type.
    pub(crate) found: (&'static str, Type),
}

impl From<WrongWay> for Issue {
    fn from(wrong: WrongWay) -> Issue {
        runtime_error(wrong.message)
    }
}

/// The value behind a list of keys; `undef` where there is none.
pub(crate) fn dig(data: &Value, keys: &[Value]) -> Result<Value, WrongWay> {
    let mut found = data.clone();
    for (depth, key) in keys.iter().enumerate() {
        if found.is_undef() || key.is_undef() {
            return Ok(Value::Undef);
        }
        found = match (&found, key) {
            (Value::Hash(hash), _) => hash.get(key).cloned().unwrap_or_default(),
            (Value::Array(elements), Value::Integer(index)) => element(elements, *index),
            (Value::Array(_), _) => return Err(not_an_index(keys, depth, key)),
            (other, _) => return Err(not_a_collection(keys, depth, other)),
        };
    }
    Ok(found)
}

/// The element at an index, which counts from the end if it is negative.
pub(crate) fn element(elements: &[Value], index: i64) -> Value {
    let index = if index < 0 { index.checked_add_unsigned(elements.len() as u64).unwrap_or(-1) } else { index };
    usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
}

fn walked(keys: &[Value], count: usize) -> Value {
    Value::array(keys.iter().take(count).cloned())
}

fn not_a_collection(keys: &[Value], depth: usize, found: &Value) -> WrongWay {
    let (walked_path, data_type) = (walked(keys, depth), Type::infer(found));
    let shown = inspect::inspect(&walked_path);
    WrongWay {
        message: format!("The given data does not contain a Collection at {shown}, got '{data_type}'"),
        issue_code: "EXPECTED_COLLECTION",
        walked_path,
        found: ("value_type", data_type),
    }
}

fn not_an_index(keys: &[Value], depth: usize, key: &Value) -> WrongWay {
    let (walked_path, data_type) = (walked(keys, depth + 1), Type::infer(key));
    let shown = inspect::inspect(&walked_path);
    WrongWay {
        message: format!("The given data requires an Integer index at {shown}, got '{data_type}'"),
        issue_code: "EXPECTED_INTEGER_INDEX",
        walked_path,
        found: ("index_type", data_type),
    }
}

/// Splits `a."b.c".0` into its keys.
pub(crate) fn split(navigation: &str) -> Result<Vec<Value>, Issue> {
    let mut keys = Vec::new();
    let mut rest = navigation;
    loop {
        let (key, after) = segment(rest)?;
        keys.push(key);
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(keys),
            None => return syntax_error(),
        }
    }
}

/// The key at the beginning: in quotes, or up to the next dot.
fn segment(text: &str) -> Result<(Value, &str), Issue> {
    let trimmed = text.trim_start();
    if let Some(quote) = trimmed.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let inner = trimmed.strip_prefix(quote).unwrap_or_default();
        return match inner.split_once(quote) {
            Some((key, after)) if !key.is_empty() => Ok((Value::from(key), after.trim_start())),
            _ => syntax_error(),
        };
    }
    let end = text.find(['.', '"', '\'']).unwrap_or(text.len());
    let (key, after) = text.split_at_checked(end).unwrap_or((text, ""));
    if key.is_empty() {
        return syntax_error();
    }
    let key = key.trim();
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_integer { key.parse().ok() } else { None };
    Ok((number.map_or_else(|| Value::from(key), Value::Integer), after))
}

fn syntax_error<T>() -> Result<T, Issue> {
    fail("Syntax error in dotted-navigation string")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn navigation_is_split() {
        let check = |text: &str, expected: Option<&str>| {
            let keys = split(text).ok().map(|keys| inspect::inspect(&keys.into()));
            assert_eq!(keys.as_deref(), expected, "{text}");
        };
        check("a.b", Some(r#"["a", "b"]"#));
        check("a.0.-1", Some(r#"["a", 0, -1]"#));
        check(r#"a."b.c".'d'"#, Some(r#"["a", "b.c", "d"]"#));
        check("a..b", None);
        check("a.", None);
        check("a\"b\"", None);
        check("", None);
    }

    #[test]
    fn data_is_dug() {
        let data = Value::array([Value::from(1), Value::array([Value::from(2)])]);
        assert_eq!(dig(&data, &[Value::from(-1), Value::from(0)]).ok(), Some(Value::from(2)));
        assert_eq!(dig(&data, &[Value::from(9)]).ok(), Some(Value::Undef));
        let wrong = dig(&data, &[Value::from(0), Value::from(0)]).err().unwrap();
        assert_eq!(wrong.message, "The given data does not contain a Collection at [0], got 'Integer[1, 1]'");
    }
}
