//! Parameters of numbers, text and booleans.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use super::{Arity, Parameterized, Rejection, bad_arity, bad_key, check_keys, labelled, limit, size};
use crate::data_type::Type;
use crate::data_types::{BooleanType, EnumType, FloatType, IntegerType, SemVerRange};
use crate::issues::Issue;
use crate::label::host_class;
use crate::regexp::Regexp;
use crate::value::Value;

pub(super) fn boolean(base: &Type, keys: &[Value]) -> Parameterized {
    let is_boolean = |key: &Value| matches!(key, Value::Boolean(_));
    check_keys(base, keys, Arity::Exactly(1), "TrueClass or FalseClass", is_boolean)?;
    Ok(Type::Boolean(BooleanType { value: Some(keys.first().is_some_and(Value::is_truthy)) }))
}

pub(super) fn integer(keys: &[Value]) -> Parameterized {
    check_limits("Integer", keys)?;
    let mut limits = [None, None];
    for ((index, key), place) in keys.iter().enumerate().zip(&mut limits) {
        *place = limit(key).ok_or_else(|| bad_limit("Integer", "integers", index, key))?;
    }
    let [from, to] = limits;
    Ok(Type::integer(IntegerType::new(from, to)?))
}

pub(super) fn float(keys: &[Value]) -> Parameterized {
    check_limits("Float", keys)?;
    let mut limits = [f64::NEG_INFINITY, f64::INFINITY];
    for ((index, key), place) in keys.iter().enumerate().zip(&mut limits) {
        match key {
            Value::Float(number) => *place = *number,
            #[expect(clippy::cast_precision_loss, reason = "the reference converts the same way")]
            Value::Integer(number) => *place = *number as f64,
            Value::Default => {}
            other => return Err(bad_limit("Float", "floats, or integers", index, other)),
        }
    }
    let [from, to] = limits;
    Ok(Type::float(FloatType::new(from, to)?))
}

fn check_limits(name: &str, keys: &[Value]) -> Result<(), Rejection> {
    if (1..=2).contains(&keys.len()) {
        return Ok(());
    }
    let message = eco_format!("{name}-Type supports [] with one or two arguments (from, to). Got {}", keys.len());
    Err(Issue::new("BAD_INTEGER_SLICE_ARITY", message).into())
}

fn bad_limit(name: &str, expected: &str, index: usize, actual: &Value) -> Rejection {
    let message =
        eco_format!("{name}-Type [] requires all arguments to be {expected} (or default). Got {}", host_class(actual));
    Rejection { issue: Issue::new("BAD_INTEGER_SLICE_TYPE", message), key: Some(index) }
}

pub(super) fn string(keys: &[Value]) -> Parameterized {
    if !(1..=2).contains(&keys.len()) {
        let message = eco_format!("String supports [] with one or two arguments. Got {}", keys.len());
        return Err(Issue::new("BAD_STRING_SLICE_ARITY", message).into());
    }
    Ok(Type::string_of_size(size(0, keys)?))
}

pub(super) fn enumeration(base: &Type, keys: &[Value]) -> Parameterized {
    let (values, case_insensitive) = match keys {
        [values @ .., Value::Boolean(flag)] => (values, *flag),
        values => (values, false),
    };
    if values.is_empty() {
        return Err(bad_arity(&labelled(base), Arity::OneOrMore, 0));
    }
    check_keys(base, values, Arity::OneOrMore, "String", |key| key.as_str().is_some())?;
    let values = values.iter().filter_map(Value::as_str).map(EcoString::from);
    Ok(Type::Enum(Arc::new(EnumType::new(values, case_insensitive))))
}

pub(super) fn regexp(base: &Type, keys: &[Value]) -> Parameterized {
    let [key] = keys else {
        let mut rejection = bad_arity(&labelled(base), Arity::Exactly(1), keys.len());
        rejection.key = (!keys.is_empty()).then_some(1);
        return Err(rejection);
    };
    match key {
        Value::String(source) => Ok(Type::regexp(Some(Arc::new(Regexp::new(source)?)))),
        Value::Regexp(regexp) => Ok(Type::regexp(Some(regexp.clone()))),
        other => Err(bad_key(base, 0, other, "String or Regexp")),
    }
}

pub(super) fn pattern(base: &Type, keys: &[Value]) -> Parameterized {
    let is_pattern = |key: &Value| {
        matches!(key, Value::String(_) | Value::Regexp(_) | Value::Type(Type::Pattern(_) | Type::Regexp(_)))
    };
    check_keys(base, keys, Arity::OneOrMore, "String or Regexp or Pattern-Type or Regexp-Type", is_pattern)?;
    let mut patterns = Vec::new();
    for key in keys {
        match key {
            Value::String(source) => patterns.push(Arc::new(Regexp::new(source)?)),
            Value::Regexp(regexp) => patterns.push(regexp.clone()),
            Value::Type(Type::Regexp(regexp)) => match &regexp.pattern {
                Some(pattern) => patterns.push(pattern.clone()),
                None => patterns.push(Arc::new(Regexp::new("")?)),
            },
            Value::Type(Type::Pattern(inner)) => patterns.extend(inner.patterns.iter().cloned()),
            _ => {}
        }
    }
    Ok(Type::pattern(patterns))
}

pub(super) fn semver(base: &Type, keys: &[Value]) -> Parameterized {
    let is_range = |key: &Value| matches!(key, Value::String(_) | Value::SemVerRange(_));
    check_keys(base, keys, Arity::OneOrMore, "String or SemanticPuppet::VersionRange", is_range)?;
    let mut ranges = Vec::new();
    for key in keys {
        match key {
            Value::String(text) => ranges.push(SemVerRange::parse(text)?),
            Value::SemVerRange(range) => ranges.push((**range).clone()),
            _ => {}
        }
    }
    Ok(Type::semver(ranges))
}
