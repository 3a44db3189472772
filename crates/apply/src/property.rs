//! Properties: what of a resource has a state on the machine, how states are compared and shown.

use bunraku_pcore::Value;
use bunraku_pcore::format::{convert, programmatic};

use crate::fault::Outcome;

/// The state of what is not there.
pub(crate) const ABSENT: &str = "absent";

/// A property of a resource.
#[derive(Debug, Clone, Default)]
pub(crate) struct Property {
    /// Its name.
    pub(crate) name: &'static str,
    /// The states that are wanted; nothing if it is only watched.
    pub(crate) should: Option<Vec<Value>>,
    /// Whether all of them are wanted together, or any will do.
    pub(crate) is_list: bool,
    /// Whether nobody may see its states.
    pub(crate) is_sensitive: bool,
}

impl Property {
    /// A property of which a state is wanted; a list means any of its elements.
    pub(crate) fn new(name: &'static str, value: Value) -> Self {
        let should = match value {
            Value::Array(elements) => elements.iter().cloned().collect(),
            other => vec![other],
        };
        Property { name, should: Some(should), ..Property::default() }
    }

    /// A property whose elements are wanted together.
    pub(crate) fn list(name: &'static str, value: Value) -> Self {
        Property { is_list: true, ..Property::new(name, value) }
    }

    /// A property that is only watched.
    pub(crate) fn watched(name: &'static str) -> Self {
        Property { name, ..Property::default() }
    }

    /// The state that is wanted, as it is shown and reported.
    pub(crate) fn desired(&self) -> Value {
        match &self.should {
            None => Value::Undef,
            Some(values) if self.is_list => Value::array(values.iter().cloned()),
            Some(values) => values.first().cloned().unwrap_or_default(),
        }
    }

    /// Whether a state is one of those that are wanted.
    pub(crate) fn matches(&self, current: &Value) -> bool {
        let Some(should) = &self.should else { return true };
        if should.is_empty() {
            return true;
        }
        if self.is_list {
            return matches!(current, Value::Array(elements)
                if elements.len() == should.len() && elements.iter().zip(should).all(|(a, b)| same(a, b)));
        }
        should.iter().any(|wanted| same(current, wanted))
    }
}

/// Whether two states are equal; that one is a number and the other its digits makes no difference.
pub(crate) fn same(current: &Value, wanted: &Value) -> bool {
    identical(current, wanted) || matches!(current, Value::String(text) if *text == text_of(wanted))
}

/// Whether two states are the same to the letter.
pub(crate) fn identical(first: &Value, second: &Value) -> bool {
    match (first, second) {
        (Value::String(first), Value::String(second)) => first == second,
        (Value::Array(first), Value::Array(second)) => {
            first.len() == second.len() && first.iter().zip(second.iter()).all(|(a, b)| identical(a, b))
        }
        _ => first == second,
    }
}

/// A value as plain words.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Undef => String::new(),
        Value::Hash(_) => inspected(value),
        other => other.to_string(),
    }
}

/// Whether a state is that of what is not there.
pub(crate) fn is_absent(value: &Value) -> bool {
    value.as_str() == Some(ABSENT)
}

/// A state as it is shown: strings in quotes, lists in brackets.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        // Compatibility: the reference shows nothing where it found nothing.
        Value::Undef => String::new(),
        Value::String(text) if !text.contains(|it: char| it.is_control()) => {
            format!("'{}'", text.replace("'", "\\'"))
        }
        Value::Float(_) => convert(value, &"%f".into()).unwrap_or_else(|_| programmatic(value)),
        Value::Hash(_) => convert(value, &"%#p".into()).unwrap_or_else(|_| programmatic(value)),
        other => programmatic(other),
    }
}

/// What is said about a change of a property.
pub(crate) fn change(name: &str, from: &Value, to: &Value, mut show: impl FnMut(&Value) -> String) -> String {
    let is_removal = is_absent(to) || matches!(to, Value::Array(list) if list.len() == 1 && list.iter().all(is_absent));
    if is_absent(from) {
        format!("defined '{name}' as {}", show(to))
    } else if is_removal {
        format!("undefined '{name}' from {}", show(from))
    } else {
        format!("{name} changed {} to {}", show(from), show(to))
    }
}

/// What is said about a change of `ensure`.
pub(crate) fn ensure_change(from: &Value, to: &Value) -> String {
    if is_absent(from) || from.is_undef() {
        "created".to_owned()
    } else if is_absent(to) {
        "removed".to_owned()
    } else {
        format!("ensure changed {} to {}", shown(from), shown(to))
    }
}

/// The name of the event that a change of a property is.
pub(crate) fn event_name(type_name: &str, property: &str, desired: &Value) -> String {
    match (property, desired.as_str()) {
        ("ensure", Some("present")) => format!("{type_name}_created"),
        ("ensure", Some(ABSENT)) => format!("{type_name}_removed"),
        ("ensure", _) => format!("{type_name}_changed"),
        _ => format!("{property}_changed"),
    }
}

/// The states of the properties of a resource, as they were found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values(Vec<(&'static str, Value)>);

impl Values {
    /// Nothing is known yet.
    pub(crate) fn new() -> Self {
        Values::default()
    }

    /// The states of all properties: `ensure` first, and all others absent if it is.
    pub(crate) fn of(
        properties: &[Property],
        ensure: Option<Value>,
        mut read: impl FnMut(&Property) -> Outcome<Value>,
    ) -> Outcome<Values> {
        let is_gone = ensure.as_ref().is_some_and(is_absent);
        let mut values = Values::new();
        if let Some(ensure) = ensure {
            values.set("ensure", ensure);
        }
        for property in properties.iter().filter(|property| property.name != "ensure") {
            let value = if is_gone { ABSENT.into() } else { read(property)? };
            values.set(property.name, value);
        }
        Ok(values)
    }

    /// The state of a property; `undef` if it is not known.
    pub(crate) fn get(&self, name: &str) -> Value {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()).unwrap_or_default()
    }

    /// Notes the state of a property.
    pub(crate) fn set(&mut self, name: &'static str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    /// Whether what they describe is there.
    pub(crate) fn is_present(&self) -> bool {
        !is_absent(&self.get("ensure"))
    }
}

/// A value as Ruby shows it to programmers.
pub(crate) fn inspected(value: &Value) -> String {
    bunraku_pcore::inspect::inspect(value).to_string()
}
