//! `value[keys]`: cutting text and arrays, looking into hashes, giving a type its parameters, asking a resource.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use bunraku_pcore::number::Number;
use bunraku_pcore::parameterize::parameterize;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::ast::{Access, Expr, ExprKind};
use bunraku_syntax::{Issue, deep};

use crate::cause::literal_key;
use crate::eval::{eval, fail, type_name};
use crate::frame::{Frame, error_at};
use crate::issues;
use crate::label;
use crate::number;
use crate::unwind::Outcome;

/// Evaluates `left[keys]`.
pub(super) fn access(expr: &Expr, access: &Access, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&access.left, frame)?;
    let keys = match &left {
        Value::Type(Type::Class(_)) => class_keys(&access.keys, frame)?,
        // Compatibility: a splat among the keys is not spread, it is an array among them.
        _ => access.keys.iter().map(|key| eval(key, frame)).collect::<Outcome<Vec<_>>>()?,
    };
    match &left {
        Value::Hash(hash) => Ok(match keys.as_slice() {
            [key] => hash.get(key).cloned().unwrap_or_default(),
            keys => {
                Value::array(keys.iter().filter_map(|key| hash.get(key)).filter(|value| !value.is_undef()).cloned())
            }
        }),
        Value::Array(elements) => array(elements, flattened(keys), access, frame),
        Value::String(text) => string(text, &flattened(keys), access),
        Value::Binary(binary) => binary_part(binary, &flattened(keys), access),
        Value::Type(Type::Resource(resource)) if resource.title.is_some() => {
            crate::build::parameters_of(&left, keys, expr, access, frame)
        }
        Value::Type(Type::Class(class)) if class.class_name.is_some() => {
            crate::build::parameters_of(&left, keys, expr, access, frame)
        }
        Value::Type(data_type @ Type::Resource(resource)) if resource.type_name.is_none() => match keys.as_slice() {
            [key @ Value::Type(Type::Resource(_))] => Ok(key.clone()),
            _ => references(expr, access, data_type, &keys, frame),
        },
        Value::Type(data_type @ (Type::Resource(_) | Type::Class(_))) => {
            references(expr, access, data_type, &keys, frame)
        }
        Value::Type(data_type @ Type::Pattern(_)) => {
            let keys = pattern_keys(keys, frame);
            type_parameters(access, data_type, &keys, frame)
        }
        Value::Type(data_type) => type_parameters(access, data_type, &keys, frame),
        other => {
            let issue = issues::operator_not_applicable("[]", other);
            let issue = if other.is_undef() { missing_key(issue, &access.left, frame) } else { issue };
            fail(issue, access.left.reported())
        }
    }
}

/// The issue about an `undef` that came of a key which a hash does not have, such as that of a fact: at the key, with the
/// one that was probably meant.
#[cold]
fn missing_key(issue: Issue, left: &Expr, frame: &mut Frame<'_, '_>) -> Issue {
    let ExprKind::Access(access) = &left.kind else { return issue };
    let [key] = &*access.keys else { return issue };
    let (Some(name), Some(Value::Hash(hash))) = (literal_key(key), plain_value(&access.left, frame)) else {
        return issue;
    };
    issue
        .with_headline(eco_format!("there is no value of '{name}' that `[]` could look into"))
        .with_nearest(name, hash.keys().filter_map(Value::as_str), std::convert::identity)
        .with_primary("", key.span)
}

/// The value of a variable, or of what it has under written keys: nothing is called to know it.
fn plain_value(expr: &Expr, frame: &mut Frame<'_, '_>) -> Option<Value> {
    deep(|| match &expr.kind {
        ExprKind::Variable(name) => frame.variable(name).ok().flatten(),
        ExprKind::Access(access) => match (plain_value(&access.left, frame)?, &*access.keys) {
            (Value::Hash(hash), [key]) => hash.get_str(literal_key(key)?).cloned(),
            _ => None,
        },
        _ => None,
    })
}

/// In `Class[Foo]` a name that stands for no type is kept as it is, so that the message can quote it.
fn class_keys(keys: &[Expr], frame: &mut Frame<'_, '_>) -> Outcome<Vec<Value>> {
    keys.iter()
        .map(|key| match &key.kind {
            ExprKind::TypeName(name) => type_name::resolve_or_reference(name, frame),
            _ => eval(key, frame),
        })
        .collect()
}

/// Keys with arrays among them spread, at any depth.
fn flattened(keys: Vec<Value>) -> Vec<Value> {
    deep(|| {
        if !keys.iter().any(|key| matches!(key, Value::Array(_))) {
            return keys;
        }
        keys.into_iter()
            .flat_map(|key| match key {
                Value::Array(inner) => flattened(Arc::unwrap_or_clone(inner).into_vec()),
                other => vec![other],
            })
            .collect()
    })
}

/// The keys of a `Pattern`, with regular expressions in place of their text: those are not compiled again.
fn pattern_keys(keys: Vec<Value>, frame: &mut Frame<'_, '_>) -> Vec<Value> {
    let mut compiled = |key: Value| match &key {
        Value::String(source) => frame.compilation.regexp(source).map_or(key, Value::Regexp),
        _ => key,
    };
    keys.into_iter().map(&mut compiled).collect()
}

/// Parameters for a data type; an error may be about one of the keys.
fn type_parameters(access: &Access, data_type: &Type, keys: &[Value], frame: &Frame<'_, '_>) -> Outcome {
    let current = || Some(frame.compilation.environment.world().utc_offset());
    parameterize(data_type, keys, &current).map_err(|rejection| match (rejection.issue.code(), rejection.key) {
        (issues::RUNTIME_ERROR, _) | (_, None) => rejection.issue.into(),
        ("OPERATOR_NOT_APPLICABLE", _) => error_at(rejection.issue, access.left.reported()),
        // A parameter from inside of an array has no place of its own.
        (_, Some(index)) => match access.keys.get(index) {
            Some(key) => error_at(rejection.issue, key.reported()),
            None => {
                let message = format!("Evaluation Error: {}", rejection.issue.message());
                Issue::new(rejection.issue.code(), message).nowhere().into()
            }
        },
    })
}

/// References to resources or classes; there is a warning if there are none.
fn references(expr: &Expr, access: &Access, data_type: &Type, keys: &[Value], frame: &mut Frame<'_, '_>) -> Outcome {
    let references = type_parameters(access, data_type, keys, frame)?;
    let is_empty = match &references {
        Value::Undef => true,
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    };
    if is_empty {
        let span = access.keys.first().map_or(expr.reported(), |key| key.reported());
        frame.warn(issues::empty_resource_specialization(), span);
    }
    Ok(references)
}

/// A position and a length, counted from the end where they are negative.
fn range(from: i64, length: i64, size: usize) -> Option<(usize, usize)> {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let start = if from < 0 { size.saturating_add(from) } else { from };
    let count = if length < 0 { size.saturating_sub(start).saturating_add(length).saturating_add(1) } else { length };
    let (start, count) = if start < 0 { (0, count.saturating_add(start)) } else { (start, count) };
    Some((usize::try_from(start).ok()?, usize::try_from(count).ok()?))
}

fn array(elements: &[Value], keys: Vec<Value>, access: &Access, frame: &mut Frame<'_, '_>) -> Outcome {
    if !matches!(keys.len(), 1 | 2) {
        return fail(issues::bad_array_slice_arity(keys.len()), access.left.reported());
    }
    // All keys must be numbers before one is looked at.
    let expr_of = |position| access.keys.get(position).or(access.keys.last()).unwrap_or(&access.left);
    let keys = keys.into_iter().enumerate().map(|(position, key)| number::coerce(key, expr_of(position), frame));
    let keys = keys.collect::<Outcome<Vec<_>>>()?;
    let mut indices = Vec::with_capacity(keys.len());
    for (position, key) in keys.iter().enumerate() {
        let Value::Integer(index) = key else {
            let issue = issues::bad_slice_key_type("An Array", Type::infer_generalized(key), "Integer");
            return fail(issue, expr_of(position).reported());
        };
        indices.push(*index);
    }
    Ok(match indices.as_slice() {
        [index] => {
            let index =
                if *index < 0 { index.saturating_add(i64::try_from(elements.len()).unwrap_or(0)) } else { *index };
            usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
        }
        [from, length] => {
            let part = range(*from, *length, elements.len())
                .map(|(start, count)| elements.iter().skip(start).take(count).cloned().collect::<Vec<_>>());
            Value::from(part.unwrap_or_default())
        }
        _ => Value::Undef,
    })
}

fn string(text: &str, keys: &[Value], access: &Access) -> Outcome {
    let (from, length) = text_range(keys, access)?;
    let size = text.chars().count();
    let from = if length.is_none() && from < 0 && from.unsigned_abs() > size as u64 { i64::MAX } else { from };
    let part = range(from, length.unwrap_or(1), size)
        .map(|(start, count)| text.chars().skip(start).take(count).collect::<EcoString>());
    Ok(Value::String(part.unwrap_or_default()))
}

fn binary_part(binary: &bunraku_pcore::data_types::Binary, keys: &[Value], access: &Access) -> Outcome {
    let (from, length) = text_range(keys, access)?;
    let bytes = binary.bytes();
    let part = range(from, length.unwrap_or(1), bytes.len())
        .map(|(start, count)| bytes.iter().skip(start).take(count).copied().collect::<Vec<u8>>());
    Ok(Value::Binary(Arc::new(bunraku_pcore::data_types::Binary::new(part.unwrap_or_default()))))
}

/// The one or two integers that cut a text.
fn text_range(keys: &[Value], access: &Access) -> Outcome<(i64, Option<i64>)> {
    let integer = |position: usize, key: &Value| {
        let number = Number::of(key).or_else(|| key.as_str().and_then(Number::parse));
        match number {
            Some(Number::Integer(index)) => Ok(index),
            other => {
                let culprit = other.map_or_else(|| key.clone(), Value::from);
                let issue =
                    issues::bad_string_slice_key_type(label::a_an(&Type::infer_generalized(&culprit).to_string()));
                let span = access.keys.get(position).or(access.keys.last()).unwrap_or(&access.left).reported();
                fail(issue, span)
            }
        }
    };
    match keys {
        [from] => Ok((integer(0, from)?, None)),
        [from, length] => Ok((integer(0, from)?, Some(integer(1, length)?))),
        _ => fail(issues::bad_string_slice_arity(keys.len()), access.left.reported()),
    }
}
