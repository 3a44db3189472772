//! `Pattern`: text that matches one of several regular expressions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::data_type::{DataType, Type};
use crate::guard::Guard;
use crate::regexp::Regexp;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Pattern[patterns]`; without patterns all text matches.
#[derive(Clone, Debug, Default)]
pub struct PatternType {
    /// The regular expressions, without duplicates.
    pub patterns: Vec<Arc<Regexp>>,
}

impl PatternType {
    /// A choice of the given patterns.
    pub fn new(patterns: impl IntoIterator<Item = Arc<Regexp>>) -> PatternType {
        let mut unique: Vec<Arc<Regexp>> = Vec::new();
        for pattern in patterns {
            if !unique.contains(&pattern) {
                unique.push(pattern);
            }
        }
        PatternType { patterns: unique }
    }

    /// A pattern that gives up on a text does not match it.
    fn matches(&self, text: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.is_match(text).unwrap_or(false))
    }
}

impl PartialEq for PatternType {
    // The order of the patterns does not matter.
    fn eq(&self, other: &PatternType) -> bool {
        self.patterns.len() == other.patterns.len()
            && self.patterns.iter().all(|pattern| other.patterns.contains(pattern))
    }
}

impl Eq for PatternType {}

impl Hash for PatternType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.patterns.len().hash(state);
    }
}

impl DataType for PatternType {
    fn name(&self) -> &str {
        "Pattern"
    }

    fn is_instance(&self, value: &Value) -> bool {
        value.as_str().is_some_and(|text| self.matches(text))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        match other {
            Type::String(other) => match other.value() {
                Some(text) => self.matches(text),
                None => self.patterns.is_empty(),
            },
            Type::Enum(other) if other.values.is_empty() => self.patterns.is_empty(),
            Type::Enum(other) => other.values.iter().all(|text| self.matches(text)),
            // Which text matches a pattern cannot be known from the pattern.
            Type::Pattern(other) => self.patterns.is_empty() || self == &**other,
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Pattern")?;
        for pattern in &self.patterns {
            list.item(pattern.to_text())?;
        }
        list.end()
    }
}
