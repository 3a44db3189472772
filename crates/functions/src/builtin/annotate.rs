//! `annotate`: attaches an object to a value.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::data_types::ObjectType;
use bunraku_pcore::label::host_class;
use bunraku_pcore::object::Object;
use bunraku_pcore::{Hash, Type, Value, inspect, mismatch};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the annotation of a type that a value has. If it has none, the lambda may give what to make one of. With a
    /// hash, a new annotation is made of that; with `clear`, the one that is there is taken away. With the type `Pcore`,
    /// a hash from types to hashes makes several, and the value is returned.
    ///
    /// ```puppet
    /// annotate(My::Annotation, $value, { 'id' => 1 })
    /// ```
    "annotate" where "Pcore::MemberName = Pattern[/\\A[a-z_]\\w*\\z/]" {
        "(Type[Annotation] $type, Any $value, Callable[0, 0] &$block = undef)" as ">> Any" => annotate(call, r#type, value),
        "(Type[Annotation] $type, Any $value, Variant[Enum['clear'], Hash[Pcore::MemberName, Any]] $annotation_hash)" as ">> Any" => annotate_new(call, r#type, value, annotation_hash),
        "(Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] $annotations)" as ">> Any" => annotate_multi(call, r#type, value, annotations),
    }
}

fn annotate(call: &mut Call<'_, '_>, annotation: &Type, value: &Value) -> Outcome {
    let Type::Object(annotation) = annotation else { return Ok(Value::Undef) };
    if let Some(existing) = position(call, annotation, value).and_then(|at| call.frame.compilation.annotations.get(at))
    {
        return Ok(Value::Object(Arc::clone(&existing.1)));
    }
    let initializer = match declared(annotation, value) {
        Some(declared) => declared.clone(),
        None if call.block.is_some() => call.yield_to_block(Vec::new())?,
        None => Value::Undef,
    };
    if initializer.is_undef() { Ok(Value::Undef) } else { Ok(attach(call, annotation, value, &initializer)?) }
}

fn annotate_new(
    call: &mut Call<'_, '_>,
    annotation: &Type,
    value: &Value,
    initializer: &Value,
) -> Result<Value, Issue> {
    let Type::Object(annotation) = annotation else { return Ok(Value::Undef) };
    let is_cleared = initializer.as_str().is_some();
    if declared(annotation, value).is_some() {
        let action = if is_cleared { "clear" } else { "redefine" };
        let name = Type::Object(Arc::clone(annotation));
        return fail(format!("attempt to {action} {} annotation declared on {}", name.name(), type_name(value)));
    }
    if !is_cleared {
        return attach(call, annotation, value, initializer);
    }
    let at = position(call, annotation, value);
    let removed = at.map(|at| call.frame.compilation.annotations.remove(at));
    Ok(removed.map_or(Value::Undef, |(_, object)| Value::Object(object)))
}

fn annotate_multi(call: &mut Call<'_, '_>, _: &Type, value: &Value, annotations: &Hash) -> Result<Value, Issue> {
    for (annotation, initializer) in annotations.iter() {
        if let Value::Type(Type::Object(annotation)) = annotation
            && position(call, annotation, value).is_none()
        {
            attach(call, annotation, value, declared(annotation, value).unwrap_or(initializer))?;
        }
    }
    Ok(value.clone())
}

/// What an object type says the annotation on it is made of.
fn declared<'v>(annotation: &Arc<ObjectType>, value: &'v Value) -> Option<&'v Value> {
    let Value::Type(Type::Object(object_type)) = value else { return None };
    let Some(Value::Hash(annotations)) = &object_type.definition().annotations else { return None };
    annotations.get(&Value::Type(Type::Object(Arc::clone(annotation))))
}

/// Makes an annotation and attaches it in the place of the one that is there.
fn attach(
    call: &mut Call<'_, '_>,
    annotation: &Arc<ObjectType>,
    value: &Value,
    initializer: &Value,
) -> Result<Value, Issue> {
    let expected = Type::Struct(Arc::new(annotation.initializer_type()));
    let name = Type::Object(Arc::clone(annotation));
    mismatch::assert_instance(&format!("{} initializer", name.name()), &expected, initializer)?;
    let made = annotation.new_instance(std::slice::from_ref(initializer))?;
    if let Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) =
        value
    {
        return fail(format!("can't modify frozen {}: {}", host_class(value), inspect::inspect(value)));
    }
    let at = position(call, annotation, value);
    let annotations = &mut call.frame.compilation.annotations;
    if let Some(at) = at {
        annotations.remove(at);
    }
    if let Value::Object(object) = &made {
        annotations.push((value.clone(), Arc::clone(object)));
    }
    Ok(made)
}

/// Where the annotation of a type on a value stands.
fn position(call: &Call<'_, '_>, annotation: &Arc<ObjectType>, value: &Value) -> Option<usize> {
    let is_wanted = |(subject, object): &(Value, Arc<Object>)| {
        is_same(subject, value) && object.object_type().type_name() == annotation.type_name()
    };
    call.frame.compilation.annotations.iter().position(is_wanted)
}

/// Whether two values are one and the same. Types with parameters are made anew each time.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => Arc::ptr_eq(one, other),
        (Value::Array(one), Value::Array(other)) => Arc::ptr_eq(one, other),
        (Value::Hash(one), Value::Hash(other)) => Arc::ptr_eq(one, other),
        (Value::Type(Type::Object(one)), Value::Type(Type::Object(other))) => Arc::ptr_eq(one, other),
        (Value::Type(one), Value::Type(other)) => one == other && Type::by_name(one.name()).as_ref() == Some(one),
        _ => false,
    }
}

fn type_name(value: &Value) -> String {
    match value {
        Value::Type(data_type) => data_type.name().to_owned(),
        other => other.to_string(),
    }
}
