//! Parameters of arrays and hashes.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use super::{
    Arity, Parameterized, Rejection, bad_arity, check_keys, failure, limit, not_a_type, size, split_size, type_of,
    types,
};
use crate::data_type::Type;
use crate::data_types::{IntegerType, Member, StructType};
use crate::label::host_class;
use crate::value::Value;

pub(super) fn collection(keys: &[Value]) -> Parameterized {
    if !(1..=2).contains(&keys.len()) {
        return Err(bad_arity("Collection-Type", Arity::Between(1, 2), keys.len()));
    }
    Ok(Type::collection(Some(size(0, keys)?)))
}

pub(super) fn array(keys: &[Value]) -> Parameterized {
    match keys {
        [Value::Type(element)] => Ok(Type::array(element.clone(), None)),
        [Value::Type(element), sizes @ ..] if sizes.len() <= 2 => {
            Ok(Type::array(element.clone(), Some(size(1, sizes)?)))
        }
        [_, _] => Ok(Type::array(Type::Any, Some(size(0, keys)?))),
        [other] | [other, _, _] => Err(not_a_type("Array-Type", 0, other)),
        _ => Err(bad_arity("Array-Type", Arity::Between(1, 3), keys.len())),
    }
}

pub(super) fn hash(keys: &[Value]) -> Parameterized {
    if let [Value::Integer(from), Value::Integer(to)] = keys {
        let size = IntegerType::new(Some(*from), Some(*to))?;
        return Ok(Type::hash(Type::Any, Type::Any, Some(size)));
    }
    if let Some((index, other)) = keys.iter().take(2).enumerate().find(|(_, key)| !matches!(key, Value::Type(_))) {
        return Err(not_a_type("Hash-Type", index, other));
    }
    let [Value::Type(key), Value::Type(value), sizes @ ..] = keys else {
        return Err(bad_arity("Hash-Type", Arity::Between(2, 4), keys.len()));
    };
    let size = match sizes {
        [] => None,
        [Value::Type(Type::Integer(range))] => Some(**range),
        [from] => Some(lower_limit(from)?),
        [_, _] => Some(size(2, sizes)?),
        _ => return Err(bad_arity("Hash-Type", Arity::Between(2, 4), keys.len())),
    };
    Ok(Type::hash(key.clone(), value.clone(), size))
}

/// The reference does not check a single limit of a hash, and fails when it compares it.
fn lower_limit(from: &Value) -> Result<IntegerType, Rejection> {
    let from =
        limit(from).ok_or_else(|| failure(eco_format!("comparison of {} with Infinity failed", host_class(from))))?;
    Ok(IntegerType::new(from, None)?)
}

pub(super) fn tuple(base: &Type, keys: &[Value]) -> Parameterized {
    let (elements, size) = split_size(keys)?;
    check_keys(base, elements, Arity::OneOrMore, "Any-Type", |key| matches!(key, Value::Type(_)))?;
    Ok(Type::tuple(types(elements).collect(), size))
}

pub(super) fn structure(base: &Type, keys: &[Value]) -> Parameterized {
    check_keys(base, keys, Arity::Exactly(1), "Hash", |key| matches!(key, Value::Hash(_)))?;
    let Some(Value::Hash(hash)) = keys.first() else { return Ok(Type::Struct(Arc::default())) };
    let members = hash.iter().map(|(key, value)| member(key, type_of(value)?)).collect::<Result<_, _>>()?;
    Ok(Type::Struct(Arc::new(StructType { members })))
}

/// A member of a struct. A name alone may be missing if its value may be `undef`.
fn member(key: &Value, value: Type) -> Result<Member, Rejection> {
    match key {
        Value::String(name) if name.is_empty() => Err(failure("Struct element key cannot be an empty String")),
        Value::String(name) => Ok(Member { name: name.clone(), optional: value.accepts_undef(), value }),
        Value::Type(key) => {
            let (contained, optional) = match key {
                Type::NotUndef(not_undef) => (not_undef.contained.as_ref(), false),
                Type::Optional(optional) => (optional.contained.as_ref(), true),
                Type::String(_) | Type::Enum(_) => (Some(key), false),
                _ => return Err(illegal_key(&Value::Type(key.clone()))),
            };
            let name = contained.and_then(single_text).ok_or_else(|| {
                failure(eco_format!("Unable to extract a non-empty literal string from Struct member key type {key}"))
            })?;
            Ok(Member { name, optional, value })
        }
        other => Err(illegal_key(other)),
    }
}

fn single_text(data_type: &Type) -> Option<EcoString> {
    match data_type {
        Type::String(string) => string.value().cloned(),
        Type::Enum(values) => match values.values.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn illegal_key(key: &Value) -> Rejection {
    failure(eco_format!(
        "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {}",
        host_class(key)
    ))
}
