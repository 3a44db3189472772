//! What a run of the agent leaves for the next: the states that were wanted. A property that differs from them by then was
//! changed by somebody else, and putting it right is a corrective change.

use std::path::Path;

use bunraku_catalog::resource_types::builtin;
use bunraku_notation::yaml;
use bunraku_pcore::Value;
use indexmap::IndexMap;

use crate::log::{Level, Log};
use crate::state::key;
use crate::write;

/// The states of the properties of a resource; `None` where none was wanted.
type Properties = IndexMap<String, Option<Vec<Value>>>;

/// The content of the transaction store.
#[derive(Debug, Default)]
pub(crate) struct Store {
    before: IndexMap<String, Properties>,
    now: IndexMap<String, Properties>,
}

impl Store {
    /// Reads what the last run left. A file that cannot be read is put aside, so that it does not come in the way again.
    pub(crate) fn load(path: &Path, log: &mut Log) -> Store {
        let shown = path.display();
        if path.exists() && !path.is_file() {
            log.say(Level::Warning, format!("Transaction store file {shown} is not a file, ignoring"));
            return Store::default();
        }
        let Ok(text) = std::fs::read(path) else { return Store::default() };
        match yaml::load(&text, &shown.to_string()) {
            Ok(document) => match document.value {
                Some(Value::Hash(all)) => Store { before: properties(&Value::Hash(all)), now: IndexMap::new() },
                _ => {
                    let advice = "Check the file for corruption, or remove it before continuing.";
                    let message =
                        format!("Transaction store file {shown} is valid YAML but not returning a hash. {advice}");
                    log.say(Level::Err, message);
                    Store::default()
                }
            },
            Err(error) => {
                let message = format!("Transaction store file {shown} is corrupt ({error}); replacing");
                log.say(Level::Err, format!("{message}\nWrapped exception:\n{error}"));
                let mut aside = path.as_os_str().to_owned();
                aside.push(".bad");
                if let Err(error) = std::fs::rename(path, aside) {
                    log.say(Level::Err, format!("Unable to rename corrupt transaction store file: {error}"));
                }
                Store::default()
            }
        }
    }

    /// What was wanted of a property before.
    pub(crate) fn before(&self, reference: &str, property: &str) -> Option<Vec<Value>> {
        self.before.get(reference)?.get(property)?.clone()
    }

    /// Notes what is wanted of a property now.
    pub(crate) fn keep(&mut self, reference: &str, property: &str, values: Option<Vec<Value>>) {
        self.now.entry(reference.to_owned()).or_default().insert(property.to_owned(), values);
    }

    /// What is known about a resource that is left out stays.
    pub(crate) fn keep_skipped(&mut self, reference: &str) {
        if let Some(known) = self.before.get(reference) {
            self.now.insert(reference.to_owned(), known.clone());
        }
    }

    /// Writes what the next run will read.
    pub(crate) fn save(&self, path: &Path, log: &mut Log) {
        if let Err(error) = write::replace(path, &self.to_yaml(), 0o640) {
            log.say(Level::Err, format!("Could not write {}: {error}", path.display()));
        }
    }

    fn to_yaml(&self) -> String {
        if self.now.is_empty() {
            return "---\nresources: {}\n".to_owned();
        }
        let mut text = "---\nresources:\n".to_owned();
        for (reference, properties) in &self.now {
            let own = key(reference).replace('\n', "\n  ");
            text.push_str(&format!("  {own}\n    parameters:\n"));
            for (name, values) in properties {
                text.push_str(&format!("      {}\n        system_value:", key(name)));
                match values {
                    None => text.push('\n'),
                    Some(values) if values.is_empty() => text.push_str(" []\n"),
                    Some(values) => {
                        text.push('\n');
                        values.iter().for_each(|value| text.push_str(&element(reference, name, value)));
                    }
                }
            }
        }
        text
    }
}

/// A value as an element of a list. Compatibility: the words that a property knows are symbols, which an agent in Ruby
/// compares with what it finds.
fn element(reference: &str, property: &str, value: &Value) -> String {
    let type_name = reference.split_once('[').map_or("", |(name, _)| name).to_lowercase();
    let is_word = |word: &str| {
        let attribute = builtin(&type_name).and_then(|known| known.attribute(property));
        word == "absent" || attribute.is_some_and(|it| it.values.iter().any(|known| **known == *word))
    };
    match value {
        Value::String(word) if is_word(word) => format!("        - :{word}\n"),
        value => {
            let list = yaml::emit(&Value::array([value.clone()]));
            list.lines().skip(1).map(|line| format!("        {line}\n")).collect()
        }
    }
}

/// The properties of all resources in a document.
fn properties(document: &Value) -> IndexMap<String, Properties> {
    let entries = |value: Option<&Value>| match value {
        Some(Value::Hash(entries)) => {
            let named = entries.iter().filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value.clone())));
            named.collect()
        }
        _ => Vec::new(),
    };
    let field = |value: &Value, name: &str| match value {
        Value::Hash(entries) => entries.get_str(name).cloned(),
        _ => None,
    };
    let values = |value: Value| match field(&value, "system_value") {
        Some(Value::Array(values)) => Some(values.iter().cloned().collect()),
        Some(Value::Undef) | None => None,
        Some(value) => Some(vec![value]),
    };
    let of_resource = |value: Value| {
        let parameters = field(&value, "parameters");
        entries(parameters.as_ref()).into_iter().map(|(name, value)| (name, values(value))).collect()
    };
    let resources = field(document, "resources");
    entries(resources.as_ref()).into_iter().map(|(reference, value)| (reference, of_resource(value))).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn check(values: Option<Vec<Value>>) {
        let path = std::env::temp_dir().join(format!("bunraku-transactions-{}", std::process::id()));
        let mut log = Log::new(Level::Err, Vec::new());
        let mut store = Store::default();
        store.keep("File[/a: 'b'\nc]", "ensure", values.clone());
        store.save(&path, &mut log);
        let read = Store::load(&path, &mut log);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read.before("File[/a: 'b'\nc]", "ensure"), values, "{}", store.to_yaml());
    }

    #[test]
    fn what_is_left_is_read_again() {
        check(None);
        check(Some(vec!["file".into()]));
        check(Some(vec!["0644".into(), Value::Integer(3), "a: b\nc\n".into()]));
        check(Some(vec![Value::hash([("a".into(), Value::array(["b".into()]))])]));
        check(Some(Vec::new()));
    }
}
