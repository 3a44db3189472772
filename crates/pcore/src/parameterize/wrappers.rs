//! Parameters of types around other types.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use super::{
    Arity, Parameterized, Rejection, bad_arity, bad_key, check_keys, labelled, not_a_type, split_size, type_of, types,
};
use crate::data_type::Type;
use crate::data_types::{
    CallableType, InitType, ObjectExtension, ObjectType, RuntimeType, TupleType, TypeSetType, Uri, UriType, uri_type,
};
use crate::issues::Issue;
use crate::label::host_class;
use crate::mismatch;
use crate::regexp::Regexp;
use crate::value::Value;

pub(super) fn variant(base: &Type, keys: &[Value]) -> Parameterized {
    check_keys(base, keys, Arity::OneOrMore, "Any-Type", |key| matches!(key, Value::Type(_)))?;
    Ok(Type::variant(types(keys)))
}

pub(super) fn optional(keys: &[Value]) -> Parameterized {
    match keys {
        [Value::Type(contained)] => Ok(Type::optional(contained.clone())),
        [Value::String(text)] => Ok(Type::optional(Type::string_value(text.clone()))),
        [other] => Err(not_a_type("Optional-Type", 0, other)),
        _ => Err(bad_arity("Optional-Type", Arity::Exactly(1), keys.len())),
    }
}

pub(super) fn not_undef(keys: &[Value]) -> Parameterized {
    match keys {
        [] => Ok(Type::not_undef(None)),
        [Value::Type(contained)] => Ok(Type::not_undef(Some(contained.clone()))),
        [Value::String(text)] => Ok(Type::not_undef(Some(Type::string_value(text.clone())))),
        [other] => {
            let message = eco_format!("NotUndef-Type[] argument must be a Type or a String. Got {}", host_class(other));
            Err(Rejection { issue: Issue::new("BAD_NOT_UNDEF_SLICE_TYPE", message), key: Some(0) })
        }
        _ => Err(bad_arity("NotUndef-Type", Arity::Between(0, 1), keys.len())),
    }
}

pub(super) fn init(keys: &[Value]) -> Parameterized {
    match keys {
        [Value::Type(contained), args @ ..] => {
            Ok(Type::Init(Arc::new(InitType { contained: Some(contained.clone()), args: args.to_vec() })))
        }
        [other, ..] => Err(not_a_type("Init-Type", 0, other)),
        [] => Err(not_a_type("Init-Type", 0, &Value::Undef)),
    }
}

pub(super) fn callable(base: &Type, keys: &[Value]) -> Parameterized {
    match keys {
        [Value::Array(parameters), Value::Type(returned)] => callable_type(parameters, Some(returned.clone())),
        [Value::Array(_), other] => Err(bad_key(base, 1, other, "Any-Type")),
        [Value::Array(_), ..] => Err(bad_arity(&labelled(base), Arity::Exactly(2), keys.len())),
        _ => callable_type(keys, None),
    }
}

fn callable_type(keys: &[Value], returned: Option<Type>) -> Parameterized {
    let (keys, block) = match keys {
        [keys @ .., Value::Type(block)] if block.is_kind_of_callable() => (keys, Some(block.clone())),
        _ => (keys, None),
    };
    let (keys, size) = split_size(keys)?;
    let mut types: Vec<Type> = keys.iter().map(type_of).collect::<Result<_, _>>()?;
    if types.is_empty() && size.is_some_and(|size| size.to.is_none_or(|to| to > 0)) {
        types.push(Type::Unit);
    }
    Ok(Type::Callable(Arc::new(CallableType {
        parameters: Some(TupleType::new(types, size)),
        block,
        returned: returned.filter(|returned| *returned != Type::Any),
    })))
}

pub(super) fn runtime(base: &Type, keys: &[Value]) -> Parameterized {
    check_keys(base, keys, Arity::Between(1, 2), "String or String", |key| key.as_str().is_some())?;
    if keys.get(1).and_then(Value::as_str) == Some("") {
        return Err(nameless());
    }
    let mut names = keys.iter().filter_map(Value::as_str).map(EcoString::from);
    Ok(Type::Runtime(Arc::new(RuntimeType { runtime: names.next(), type_name: names.next() })))
}

pub(super) fn uri(keys: &[Value]) -> Parameterized {
    let parameters = match keys {
        [Value::String(text)] if !text.is_empty() => {
            check_scheme(text)?;
            return Ok(Type::Uri(Arc::new(UriType::of(&Uri::parse(text)?))));
        }
        [Value::Hash(hash)] if uri_type::PARAMETERS.is_instance(&Value::Hash(hash.clone())) => hash,
        [other] => return Err(not_a_type("URI-Type", 0, other)),
        _ => return Err(bad_arity("URI-Type", Arity::Exactly(1), keys.len())),
    };
    let parameters = (!parameters.is_empty()).then(|| parameters.clone());
    Ok(Type::Uri(Arc::new(UriType { parameters })))
}

/// The text of a type must have a scheme somewhere, which a single URI need not. The reference shows a pattern of Ruby's
/// library here that takes apart the rest as well.
fn check_scheme(text: &str) -> Result<(), Rejection> {
    let scheme = Regexp::new(r"[a-zA-Z][\-+.a-zA-Z\d]*:")?;
    let pattern = Type::pattern([Arc::new(scheme)]);
    Ok(mismatch::assert_instance("URI-Type parameter", &pattern, &Value::from(text))?)
}

pub(super) fn object(base: &Arc<ObjectType>, keys: &[Value]) -> Parameterized {
    if base.type_name().is_some() {
        return Ok(Type::ObjectExtension(Arc::new(ObjectExtension::new(base, keys)?)));
    }
    match keys {
        [Value::Undef] => Ok(Type::Object(Arc::default())),
        [Value::Hash(hash)] if hash.is_empty() => Ok(Type::Object(Arc::default())),
        // A name alone is a type that has nothing else.
        [name @ (Value::String(_) | Value::Default)] => {
            mismatch::assert_instance("object name", &qualified_reference()?, name)?;
            let object_type = ObjectType::declared(name.as_str().unwrap_or_default());
            object_type.define(&Arc::default())?;
            Ok(Type::Object(object_type))
        }
        [Value::Hash(hash)] => Ok(Type::Object(ObjectType::from_hash(hash)?)),
        [other] => Err(not_a_type("Object-Type", 0, other)),
        _ => Err(bad_arity("Object-Type", Arity::Exactly(1), keys.len())),
    }
}

/// What names of types look like.
fn qualified_reference() -> Result<Type, Issue> {
    Ok(Type::pattern([Arc::new(Regexp::new(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")?)]))
}

pub(super) fn type_set(base: &Arc<TypeSetType>, keys: &[Value]) -> Parameterized {
    match keys {
        [Value::Undef] => Ok(Type::TypeSet(base.clone())),
        [Value::String(name)] if name.is_empty() => Ok(Type::TypeSet(base.clone())),
        [Value::Hash(hash)] if hash.is_empty() => Ok(Type::TypeSet(base.clone())),
        [Value::Hash(hash)] => Ok(Type::TypeSet(TypeSetType::from_hash(hash)?)),
        // A name alone is a set that is never defined.
        [name] => {
            mismatch::assert_instance("TypeSet name", &qualified_reference()?, name)?;
            Ok(Type::TypeSet(TypeSetType::named(name.as_str().unwrap_or_default())))
        }
        _ => Err(bad_arity("TypeSet-Type", Arity::Exactly(1), keys.len())),
    }
}

/// The type that the reference makes of text where a type is expected.
pub(super) fn ruby(name: &EcoString) -> Parameterized {
    if name.is_empty() {
        return Err(nameless());
    }
    Ok(Type::Runtime(Arc::new(RuntimeType { runtime: Some("ruby".into()), type_name: Some(name.clone()) })))
}

/// A class of another language without a name.
fn nameless() -> Rejection {
    let expected = "a value of type String[1] or Tuple[Regexp, String[1]]";
    let message = format!("Runtime 'name_or_pattern' has wrong type, expects {expected}, got String");
    Issue::new("RUNTIME_ERROR", message).into()
}
