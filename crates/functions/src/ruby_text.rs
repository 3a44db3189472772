//! The text of values as Ruby shows them, which functions of the older kind and some messages do.

use std::fmt::Write;

use bunraku_pcore::Value;
use bunraku_pcore::inspect::inspect as inspect_text;

/// Ruby's `to_s`: text as it is, nothing for `undef`, collections as `inspect` shows them.
pub(crate) fn to_s(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::Array(_) | Value::Hash(_) => inspect(value),
        Value::Regexp(regexp) => format!("(?-mix:{})", regexp.source()),
        other => other.to_string(),
    }
}

/// Ruby's `inspect`.
pub(crate) fn inspect(value: &Value) -> String {
    let mut text = String::new();
    write_inspected(value, &mut text);
    text
}

fn write_inspected(value: &Value, text: &mut String) {
    match value {
        Value::Undef => text.push_str("nil"),
        Value::Default => text.push_str(":default"),
        Value::String(string) => text.push_str(&inspect_text(string)),
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_inspected(element, text);
            }
            text.push(']');
        }
        Value::Hash(hash) => {
            text.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_inspected(key, text);
                text.push_str("=>");
                write_inspected(value, text);
            }
            text.push('}');
        }
        Value::Regexp(regexp) => text.push_str(&regexp.to_literal()),
        Value::Sensitive(_) => text.push_str("#<Sensitive [value redacted]>"),
        // Writing to a string does not fail.
        other => _ = write!(text, "{other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_like_in_ruby() {
        let check = |value: Value, shown: &str, inspected: &str| {
            assert_eq!(to_s(&value), shown);
            assert_eq!(inspect(&value), inspected);
        };
        check(Value::Undef, "", "nil");
        check(Value::from("a\"\n#{é\u{1}"), "a\"\n#{é\u{1}", "\"a\\\"\\n\\#{é\\u0001\"");
        check(Value::array([Value::from("a"), Value::Undef]), "[\"a\", nil]", "[\"a\", nil]");
        check(Value::hash([(Value::from("k"), Value::Integer(1))]), "{\"k\"=>1}", "{\"k\"=>1}");
    }
}
