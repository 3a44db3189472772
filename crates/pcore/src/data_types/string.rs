//! `String`: text of any length, of a length in a range, or one given text.

use std::fmt;

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::TypeWriter;
use crate::value::Value;

/// `String` or `String[from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StringType {
    /// All text.
    Any,
    /// Text with a number of characters in a range.
    Size(IntegerType),
    /// One text. The language has no name for it; it is the type inferred from a value.
    Value(EcoString),
}

impl StringType {
    /// The text, if there is only one.
    pub fn value(&self) -> Option<&EcoString> {
        match self {
            StringType::Value(text) => Some(text),
            _ => None,
        }
    }

    /// The sizes the texts can have.
    fn derived_size(&self) -> IntegerType {
        match self {
            StringType::Any => IntegerType::SIZE,
            StringType::Size(size) => *size,
            StringType::Value(text) => IntegerType::size(text.chars().count()),
        }
    }
}

/// Whether the number of characters is in a range. Characters are only counted if the number of bytes does not tell.
fn has_size(text: &str, size: &IntegerType) -> bool {
    let most = text.len();
    let least = most.div_ceil(4);
    let covered = size.from.is_none_or(|from| usize::try_from(from).is_ok_and(|from| from <= least))
        && size.to.is_none_or(|to| usize::try_from(to).is_ok_and(|to| most <= to));
    covered || size.contains_size(text.chars().count())
}

impl DataType for StringType {
    fn name(&self) -> &str {
        "String"
    }

    fn is_instance(&self, value: &Value) -> bool {
        match (self, value) {
            (StringType::Any, Value::String(_)) => true,
            (StringType::Size(size), Value::String(text)) => has_size(text, size),
            (StringType::Value(only), Value::String(text)) => only == text,
            _ => false,
        }
    }

    fn is_assignable(&self, other: &Type, _guard: &mut Guard) -> bool {
        match (self, other) {
            (StringType::Any, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) => true,
            (StringType::Size(size), Type::String(other)) => size.covers(&other.derived_size()),
            (StringType::Size(size), Type::Enum(other)) => size.covers(&other.sizes()),
            (StringType::Size(size), Type::Pattern(_)) => size.covers(&IntegerType::SIZE),
            (StringType::Value(_), Type::String(other)) => *self == **other,
            // Compatibility: the reference does not look at the one text of the enumeration.
            (StringType::Value(_), Type::Enum(other)) => other.values.len() == 1 && !other.case_insensitive,
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        let mut list = writer.list("String")?;
        if let StringType::Size(size) = self {
            list.range(Some(size))?;
        }
        list.end()
    }
}
