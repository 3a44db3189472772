//! The forms in which `lookup` answers.

use bunraku::notation::yaml;
use bunraku::pcore::inspect;
use bunraku::pcore::label::host_class;
use bunraku::{Hash, Value, json};

use crate::output::print;

/// A form of the answer, by the names the reference has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RenderAs {
    /// Bare text.
    S,
    Json,
    Yaml,
    /// A table.
    Console,
    /// A line for each value, with its path.
    Flat,
    /// A form that the reference has and no value can be given in: its name and its media type.
    Impossible(&'static str, &'static str),
}

impl RenderAs {
    /// The form of this name.
    pub(super) fn parse(name: &str) -> Result<RenderAs, String> {
        Ok(match name.to_lowercase().as_str() {
            "s" => RenderAs::S,
            "json" | "pson" | "rich_data_json" => RenderAs::Json,
            "yaml" => RenderAs::Yaml,
            "console" => RenderAs::Console,
            "flat" => RenderAs::Flat,
            "msgpack" => RenderAs::Impossible("msgpack", "application/x-msgpack"),
            "binary" => RenderAs::Impossible("binary", "application/octet-stream"),
            "dot" => RenderAs::Impossible("dot", "text/dot"),
            other => return Err(format!("Unknown rendering format '{other}'")),
        })
    }

    /// Prints a value.
    pub(super) fn print(self, value: &Value) -> Result<(), String> {
        let text = self.render(value)?;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        print(format_args!("{text}{end}"))
    }

    fn render(self, value: &Value) -> Result<String, String> {
        match (self, value) {
            (RenderAs::Impossible(name, media_type), _) => {
                let class = host_class(value);
                Err(format!("{class} does not respond to to_{name}; can not render instances to {media_type}"))
            }
            (RenderAs::Yaml, _) => Ok(yaml::emit(value)),
            (RenderAs::S, _) => Ok(inspect::to_s(value).into_owned()),
            (RenderAs::Console | RenderAs::Flat, Value::String(_) | Value::Integer(_) | Value::Float(_)) => {
                Ok(value.to_string())
            }
            (RenderAs::Console, Value::Hash(hash)) if hash.keys().all(is_plain) => table(hash),
            (RenderAs::Console, Value::Array(elements)) => {
                Ok(elements.iter().map(|element| format!("{}\n", inspect::to_s(element))).collect())
            }
            (RenderAs::Flat, Value::Hash(_) | Value::Array(_)) => {
                let mut lines = String::new();
                flatten(None, value, &mut lines);
                Ok(lines)
            }
            (RenderAs::Console | RenderAs::Flat, _) => as_pretty_json(value),
            (RenderAs::Json, _) => as_json(value),
        }
    }
}

/// A value as JSON on one line, in which secrets are not shown.
fn as_json(value: &Value) -> Result<String, String> {
    json::redacted(value).and_then(|data| json::write(&data)).map_err(|issue| issue.to_string())
}

/// The same on several lines.
pub(super) fn as_pretty_json(value: &Value) -> Result<String, String> {
    json::redacted(value).and_then(|data| json::write_pretty(&data)).map_err(|issue| issue.to_string())
}

fn is_plain(key: &Value) -> bool {
    matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_))
}

fn table(hash: &Hash) -> Result<String, String> {
    let mut rows: Vec<(String, &Value)> = hash.iter().map(|(key, value)| (key.to_string(), value)).collect();
    rows.sort_by(|left, right| left.0.cmp(&right.0));
    let width = rows.iter().map(|(key, _)| key.chars().count()).max().map_or(2, |width| width + 2);
    rows.into_iter().map(|(key, value)| Ok(format!("{key:width$}{}\n", as_json(value)?))).collect()
}

/// Compatibility: an array in an array is not taken apart.
fn flatten(path: Option<&str>, value: &Value, lines: &mut String) {
    let inner = |name: &str| path.map_or_else(|| name.to_owned(), |path| format!("{path}.{name}"));
    match value {
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| flatten(Some(&inner(&key.to_string())), value, lines)),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let name = inner(&index.to_string());
                match element {
                    Value::Hash(_) => flatten(Some(&name), element, lines),
                    other => lines.push_str(&format!("{name}={}\n", inspect::to_s(other))),
                }
            }
        }
        other => lines.push_str(&format!("{}={}\n", path.unwrap_or_default(), inspect::to_s(other))),
    }
}
