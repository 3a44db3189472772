//! Kinds of plain values: a type that holds all values of a kind needs no closer look at one of them.

use std::sync::Arc;

use crate::data_type::Type;
use crate::data_types::{StringType, TypeAlias};
use crate::value::Value;

/// A set of kinds of plain values.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    /// No kind.
    pub(crate) const NONE: Kinds = Kinds(0);
    const UNDEF: Kinds = Kinds(1);
    const BOOLEAN: Kinds = Kinds(2);
    const INTEGER: Kinds = Kinds(4);
    const STRING: Kinds = Kinds(8);

    /// The kinds of which types hold every value, as far as that is seen without opening aliases.
    pub(crate) fn held_by(types: &[Type]) -> Kinds {
        types.iter().map(Kinds::held_by_one).fold(Kinds::NONE, Kinds::and)
    }

    fn held_by_one(data_type: &Type) -> Kinds {
        match data_type {
            Type::Undef => Kinds::UNDEF,
            Type::Boolean(boolean) if boolean.value.is_none() => Kinds::BOOLEAN,
            Type::Integer(integer) if integer.is_unbounded() => Kinds::INTEGER,
            Type::String(string) if matches!(**string, StringType::Any) => Kinds::STRING,
            Type::Scalar | Type::ScalarData => Kinds::BOOLEAN.and(Kinds::INTEGER).and(Kinds::STRING),
            _ => Kinds::NONE,
        }
    }

    /// The kinds of which a type holds every value, aliases opened; `None` as long as one of them is unresolved.
    pub(crate) fn held_through_aliases(data_type: &Type, seen: &mut Vec<*const TypeAlias>) -> Option<Kinds> {
        match data_type {
            Type::Alias(alias) if seen.contains(&Arc::as_ptr(alias)) => Some(Kinds::NONE),
            Type::Alias(alias) => {
                seen.push(Arc::as_ptr(alias));
                Kinds::held_through_aliases(alias.definition()?, seen)
            }
            Type::Variant(variant) => variant
                .types
                .iter()
                .try_fold(Kinds::NONE, |kinds, option| Some(kinds.and(Kinds::held_through_aliases(option, seen)?))),
            other => Some(Kinds::held_by_one(other)),
        }
    }

    fn and(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
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
