//! Kinds of plain values: a type that holds all values of a kind needs no closer look at one of them.

use crate::data_type::Type;
use crate::data_types::StringType;
use crate::value::Value;

/// A set of kinds of plain values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    const NONE: Kinds = Kinds(0);
    const UNDEF: Kinds = Kinds(1);
    const BOOLEAN: Kinds = Kinds(2);
    const INTEGER: Kinds = Kinds(4);
    const STRING: Kinds = Kinds(8);

    /// The kinds of which the types hold every value.
    pub(crate) fn held_by(types: &[Type]) -> Kinds {
        Kinds(types.iter().fold(0, |kinds, option| kinds | Kinds::held_by_one(option).0))
    }

    fn held_by_one(data_type: &Type) -> Kinds {
        match data_type {
            Type::Undef => Kinds::UNDEF,
            Type::Boolean(boolean) if boolean.value.is_none() => Kinds::BOOLEAN,
            Type::Integer(integer) if integer.is_unbounded() => Kinds::INTEGER,
            Type::String(string) if matches!(**string, StringType::Any) => Kinds::STRING,
            _ => Kinds::NONE,
        }
    }

    /// Whether the kind of a value is among these.
    #[inline]
    pub(crate) fn include(self, value: &Value) -> bool {
        let kind = match value {
            Value::Undef => Kinds::UNDEF,
            Value::Boolean(_) => Kinds::BOOLEAN,
            Value::Integer(_) => Kinds::INTEGER,
            Value::String(_) => Kinds::STRING,
            _ => Kinds::NONE,
        };
        self.0 & kind.0 != 0
    }

    /// Whether all instances of a type are of one kind that is among these.
    #[inline]
    pub(crate) fn include_all_of(self, data_type: &Type) -> bool {
        let kind = match data_type {
            Type::Undef => Kinds::UNDEF,
            Type::Boolean(_) => Kinds::BOOLEAN,
            Type::Integer(_) => Kinds::INTEGER,
            Type::String(_) => Kinds::STRING,
            _ => Kinds::NONE,
        };
        self.0 & kind.0 != 0
    }
}
