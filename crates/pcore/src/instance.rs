//! Whether a value is an instance of a type: the rules that concern every type, before the type itself is asked.

use bunraku_syntax::deep;
use std::sync::Arc;

use crate::data_type::{DataType, Type};
use crate::data_types::TypeAlias;
use crate::value::Value;

impl Type {
    /// Whether a value is an instance of this type. Nothing is allocated on the way.
    #[inline]
    pub fn is_instance(&self, value: &Value) -> bool {
        is_instance(self, value, None)
    }
}

/// The aliases that were opened for one value; an alias that leads to itself without going into the value is no help.
struct Opened<'a> {
    alias: &'a Arc<TypeAlias>,
    before: Option<&'a Opened<'a>>,
}

/// The most frequent types are asked at once.
#[inline]
fn is_instance(data_type: &Type, value: &Value, opened: Option<&Opened<'_>>) -> bool {
    match data_type {
        Type::Integer(integer) => integer.is_instance(value),
        Type::String(string) => string.is_instance(value),
        Type::Variant(variant) if variant.whole.include(value) => true,
        _ => is_instance_of_other(data_type, value, opened),
    }
}

#[inline(never)] // It would make the common cases slower.
fn is_instance_of_other(data_type: &Type, value: &Value, opened: Option<&Opened<'_>>) -> bool {
    match data_type {
        Type::Array(array) => deep(|| array.is_instance(value)),
        Type::Hash(hash) => deep(|| hash.is_instance(value)),
        Type::Variant(variant) => deep(|| variant.has(|option| is_instance(option, value, opened))),
        Type::Optional(optional) => {
            value.is_undef()
                || optional.contained.as_ref().is_some_and(|contained| is_instance(contained, value, opened))
        }
        Type::NotUndef(not_undef) => {
            !value.is_undef()
                && not_undef.contained.as_ref().is_none_or(|contained| is_instance(contained, value, opened))
        }
        Type::Alias(alias) if alias.whole().include(value) => true,
        Type::Alias(alias) if !alias.is_circular() => match alias.is_data() {
            true => is_data(value),
            false => is_instance(alias.resolved(), value, opened),
        },
        Type::Alias(alias) => is_instance_of_circular(alias, value, opened),
        _ => deep(|| data_type.data_type().is_instance(value)),
    }
}

#[inline(never)] // It would make the common cases slower.
fn is_instance_of_circular(alias: &Arc<TypeAlias>, value: &Value, opened: Option<&Opened<'_>>) -> bool {
    let mut before = opened;
    while let Some(open) = before {
        if Arc::ptr_eq(open.alias, alias) {
            return false;
        }
        before = open.before;
    }
    is_instance(alias.resolved(), value, Some(&Opened { alias, before: opened }))
}

/// What `Data` holds, said once more: it is the type of most data, and of much data.
fn is_data(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
        Value::Array(elements) => deep(|| elements.iter().all(is_data)),
        Value::Hash(hash) => deep(|| hash.iter().all(|(key, value)| matches!(key, Value::String(_)) && is_data(value))),
        _ => false,
    }
}
