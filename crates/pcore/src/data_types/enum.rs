//! `Enum`: one of several texts, with or without regard to case.

use std::fmt;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `Enum[values]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    /// The texts, sorted and without duplicates.
    pub values: Vec<EcoString>,
    /// Whether `A` and `a` are the same.
    pub case_insensitive: bool,
}

impl EnumType {
    /// An enumeration of the given texts.
    pub fn new(values: impl IntoIterator<Item = EcoString>, case_insensitive: bool) -> EnumType {
        let mut values: Vec<EcoString> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        EnumType { values, case_insensitive }
    }

    /// The sizes the texts have.
    pub(crate) fn sizes(&self) -> IntegerType {
        let sizes = || self.values.iter().map(|value| value.chars().count());
        match (sizes().min(), sizes().max()) {
            (Some(least), Some(most)) => IntegerType::sizes(least, most),
            _ => IntegerType::SIZE,
        }
    }

    fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|value| value.eq_ignore_ascii_case(text))
        } else {
            self.values.binary_search_by(|value| value.as_str().cmp(text)).is_ok()
        }
    }
}

impl DataType for EnumType {
    fn name(&self) -> &str {
        "Enum"
    }

    fn is_instance(&self, value: &Value) -> bool {
        value.as_str().is_some_and(|text| self.contains(text))
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        match other {
            // Compatibility: without values it has no instances, yet all text is assignable to it.
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) if self.values.is_empty() => true,
            Type::String(other) => other.value().is_some_and(|text| self.contains(text)),
            Type::Enum(other) => {
                !other.values.is_empty()
                    && (self.case_insensitive || !other.case_insensitive)
                    && other.values.iter().all(|text| self.contains(text))
            }
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("Enum")?;
        for value in &self.values {
            list.quoted(value)?;
        }
        if self.case_insensitive && !self.values.is_empty() {
            list.item(true)?;
        }
        list.end()
    }
}
