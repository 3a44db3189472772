//! Values as what JSON can hold, without a notation for rich data: what does not fit becomes text, with a warning.

use std::sync::Arc;

use bunraku_syntax::deep;
use ecow::{EcoString, eco_format};

use crate::hash::Hash;
use crate::issues::Issue;
use crate::label::{a_an, class_label};
use crate::quote::quote;
use crate::value::Value;

/// Values that are nested deeper become text.
const DEPTH_LIMIT: usize = 1_000;

/// The value as plain data. `subject` is what warnings call it; sensitive values stay so.
pub fn to_plain_data(value: &Value, subject: &str, warn: &mut dyn FnMut(Issue)) -> Value {
    Plain { path: subject.to_owned(), warn }.convert(value, DEPTH_LIMIT)
}

struct Plain<'p> {
    path: String,
    warn: &'p mut dyn FnMut(Issue),
}

impl Plain<'_> {
    fn convert(&mut self, value: &Value, depth: usize) -> Value {
        deep(|| match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.clone(),
            Value::Symbol(name) => Value::String(name.clone()),
            Value::Array(elements) if depth > 0 => Value::array(
                elements
                    .iter()
                    .enumerate()
                    .map(|(index, element)| self.at(&index.to_string(), element, depth))
                    .collect::<Vec<_>>(),
            ),
            Value::Hash(hash) if depth > 0 => {
                let entries = hash.iter().map(|(key, value)| {
                    let key = self.key(key);
                    let value = self.at(&quote(&key), value, depth);
                    (Value::String(key), value)
                });
                Value::from(entries.collect::<Hash>())
            }
            Value::Sensitive(secret) if depth > 0 => Value::Sensitive(Arc::new(self.convert(secret, depth - 1))),
            Value::Default => {
                let path = &self.path;
                self.warn(
                    "SERIALIZATION_DEFAULT_CONVERTED_TO_STRING",
                    eco_format!(
                        "{path} contains the special value default. It will be converted to the String 'default'"
                    ),
                );
                "default".into()
            }
            other => {
                let (path, class) = (&self.path, a_an(&class_label(other)));
                let message =
                    eco_format!("{path} contains {class} value. It will be converted to the String '{other}'");
                self.warn("SERIALIZATION_UNKNOWN_CONVERTED_TO_STRING", message);
                Value::from(other.to_string())
            }
        })
    }

    /// Converts a part of a value; warnings show the way to it.
    fn at(&mut self, step: &str, part: &Value, depth: usize) -> Value {
        let length = self.path.len();
        self.path.push_str(&format!("[{step}]"));
        let converted = self.convert(part, depth - 1);
        self.path.truncate(length);
        converted
    }

    fn key(&mut self, key: &Value) -> EcoString {
        match key {
            Value::String(text) | Value::Symbol(text) => return text.clone(),
            Value::Default => return "default".into(),
            _ => {}
        }
        let (path, class) = (&self.path, a_an(&class_label(key)));
        let message =
            eco_format!("{path} contains a hash with {class} key. It will be converted to the String '{key}'");
        self.warn("SERIALIZATION_UNKNOWN_KEY_CONVERTED_TO_STRING", message);
        eco_format!("{key}")
    }

    fn warn(&mut self, code: &'static str, message: EcoString) {
        (self.warn)(Issue::new(code, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &Value, expected: &Value, warnings: &[&str]) {
        let mut given = Vec::new();
        let actual = to_plain_data(value, "Notify[x]['message']", &mut |issue| given.push(issue.message().to_owned()));
        assert_eq!(actual, *expected);
        assert_eq!(given, warnings);
    }

    #[test]
    fn what_does_not_fit_becomes_text() {
        check(&Value::array([1.into()]), &Value::array([1.into()]), &[]);
        check(
            &Value::hash([("a".into(), Value::array([Value::Default]))]),
            &Value::hash([("a".into(), Value::array(["default".into()]))]),
            &[
                "Notify[x]['message']['a'][0] contains the special value default. It will be converted to the String 'default'",
            ],
        );
        check(
            &Value::hash([(1.into(), crate::Type::Any.into())]),
            &Value::hash([("1".into(), "Any".into())]),
            &[
                "Notify[x]['message'] contains a hash with an Integer key. It will be converted to the String '1'",
                "Notify[x]['message']['1'] contains an Any-Type value. It will be converted to the String 'Any'",
            ],
        );
    }
}
