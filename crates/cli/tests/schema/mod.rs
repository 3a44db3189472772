//! JSON Schemas, as far as `bunraku schema` uses them: a keyword that is not known here is an error.
#![expect(clippy::panic, reason = "a test states its expectation")]

use bunraku::pcore::Regexp;
use serde_json::{Map, Value};

/// What is wrong with a document, with the way to it; nothing if it fits.
pub(crate) fn check(document: &Value, schema: &Value) -> Result<(), String> {
    Schema { root: schema }.check(document, schema, "$")
}

struct Schema<'s> {
    root: &'s Value,
}

impl Schema<'_> {
    fn check(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(keywords) => keywords,
            other => return Err(format!("{at}: {other} refuses {value}")),
        };
        keywords.iter().try_for_each(|(keyword, rule)| self.keyword(keyword, rule, keywords, value, at))
    }

    fn keyword(
        &self,
        name: &str,
        rule: &Value,
        all: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let holds = |is_so: bool| if is_so { Ok(()) } else { Err(format!("{at}: {value} is not {name} {rule}")) };
        match name {
            "$schema" | "$defs" | "title" | "description" => Ok(()),
            "$ref" => {
                let target = rule.as_str().and_then(|to| to.strip_prefix('#')).and_then(|to| self.root.pointer(to));
                self.check(value, target.unwrap_or_else(|| panic!("{rule} leads nowhere")), at)
            }
            "type" => holds(match rule {
                Value::Array(names) => names.iter().any(|name| is_of(value, name)),
                name => is_of(value, name),
            }),
            "const" => holds(value == rule),
            "enum" => holds(rule.as_array().is_some_and(|all| all.contains(value))),
            "pattern" => {
                let pattern = Regexp::new(rule.as_str().unwrap_or_default()).unwrap_or_else(|issue| panic!("{issue}"));
                holds(value.as_str().is_none_or(|text| pattern.is_match(text).is_ok_and(|fits| fits)))
            }
            "minimum" => holds(value.as_f64().zip(rule.as_f64()).is_none_or(|(value, least)| value >= least)),
            "maximum" => holds(value.as_f64().zip(rule.as_f64()).is_none_or(|(value, most)| value <= most)),
            "minItems" => holds(value.as_array().is_none_or(|items| items.len() as u64 >= number(rule))),
            "minProperties" => holds(value.as_object().is_none_or(|keys| keys.len() as u64 >= number(rule))),
            "maxProperties" => holds(value.as_object().is_none_or(|keys| keys.len() as u64 <= number(rule))),
            "required" => {
                let keys = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
                holds(value.as_object().is_none_or(|object| keys.into_iter().all(|key| object.contains_key(key))))
            }
            "properties" => {
                let known = rule.as_object().into_iter().flatten();
                let mut there = known.filter_map(|(key, schema)| Some((key, value.get(key)?, schema)));
                there.try_for_each(|(key, value, schema)| self.check(value, schema, &format!("{at}.{key}")))
            }
            "additionalProperties" => {
                let known = all.get("properties");
                let entries = value.as_object().into_iter().flatten();
                let mut others = entries.filter(|(key, _)| known.is_none_or(|known| known.get(key.as_str()).is_none()));
                others.try_for_each(|(key, value)| self.check(value, rule, &format!("{at}.{key}")))
            }
            "prefixItems" => {
                let pairs = value.as_array().into_iter().flatten().zip(rule.as_array().into_iter().flatten());
                pairs.into_iter().try_for_each(|(value, schema)| self.check(value, schema, at))
            }
            "items" => {
                let before = all.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                let mut items = value.as_array().into_iter().flatten().enumerate().skip(before);
                items.try_for_each(|(index, value)| self.check(value, rule, &format!("{at}[{index}]")))
            }
            "anyOf" | "oneOf" => {
                let tried: Vec<_> =
                    rule.as_array().into_iter().flatten().map(|schema| self.check(value, schema, at)).collect();
                match tried.iter().filter(|it| it.is_ok()).count() {
                    1 => Ok(()),
                    2.. if name == "anyOf" => Ok(()),
                    _ => Err(format!("{at}: not {name}: {tried:?}")),
                }
            }
            other => panic!("the keyword {other} is not known"),
        }
    }
}

fn number(rule: &Value) -> u64 {
    rule.as_u64().unwrap_or_else(|| panic!("{rule} is no number"))
}

fn is_of(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => panic!("the type {name} is not known"),
    }
}
