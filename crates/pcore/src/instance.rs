//! Whether a value is an instance of a type: the rules that concern every type, before the type itself is asked.

use bunraku_syntax::deep;
use std::sync::Arc;

use crate::convert::accepts_value;
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

/// The aliases and `Init` types that were opened for one value, by their addresses; one that leads to itself without going
/// into the value is no help.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'a> {
    address: usize,
    before: Option<&'a Opened<'a>>,
}

impl<'a> Opened<'a> {
    /// What is open with one more, unless that is open already.
    fn with<T>(opened: Option<&'a Opened<'a>>, one: &Arc<T>) -> Option<Opened<'a>> {
        let address = Arc::as_ptr(one).addr();
        let mut before = opened;
        while let Some(open) = before {
            if open.address == address {
                return None;
            }
            before = open.before;
        }
        Some(Opened { address, before: opened })
    }

    /// Whether the value for which this is open is an instance of a type.
    pub(crate) fn is_instance(&self, data_type: &Type, value: &Value) -> bool {
        is_instance(data_type, value, Some(self))
    }
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
        Type::Init(init) => {
            Opened::with(opened, init).is_some_and(|opened| deep(|| accepts_value(init, value, &opened)))
        }
        _ => deep(|| data_type.data_type().is_instance(value)),
    }
}

#[inline(never)] // It would make the common cases slower.
fn is_instance_of_circular(alias: &Arc<TypeAlias>, value: &Value, opened: Option<&Opened<'_>>) -> bool {
    Opened::with(opened, alias).is_some_and(|opened| opened.is_instance(alias.resolved(), value))
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
