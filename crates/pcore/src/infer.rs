//! The type of a value: in detail, with a type for each element; or reduced, with one type for all of them.

use std::sync::Arc;

use bunraku_syntax::deep;
use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::data_type::Type;
use crate::data_types::{
    BooleanType, FloatType, IntegerType, Member, ObjectExtension, ResourceType, RuntimeType, SemVerRange, StructType,
    TimeType, UriType,
};
use crate::hash::Hash;
use crate::value::Value;

impl Type {
    /// The narrowest type of a value, with one type for all elements of an array or hash.
    pub fn infer(value: &Value) -> Type {
        deep(|| match value {
            Value::Array(elements) => {
                let size = IntegerType::size(elements.len());
                Type::array(reduce(elements.iter()), Some(size))
            }
            Value::Hash(hash) => {
                let size = IntegerType::size(hash.len());
                Type::hash(reduce(hash.keys()), reduce(hash.values()), Some(size))
            }
            _ => infer_single(value),
        })
    }

    /// The narrowest type of a value, with a type for each element of an array or hash.
    pub fn infer_detailed(value: &Value) -> Type {
        deep(|| match value {
            Value::Array(elements) if elements.is_empty() => Type::infer(value),
            Value::Array(elements) => Type::tuple(elements.iter().map(Type::infer_detailed).collect(), None),
            Value::Hash(hash) if hash.is_empty() => Type::infer(value),
            Value::SemVer(version) => Type::semver(vec![SemVerRange::between(version, version, false)]),
            Value::Hash(hash) => infer_hash(hash),
            _ => infer_single(value),
        })
    }

    /// The type of a value without regard to its size or content.
    pub fn infer_generalized(value: &Value) -> Type {
        Type::infer(value).generalize()
    }
}

fn infer_single(value: &Value) -> Type {
    match value {
        Value::Undef => Type::Undef,
        Value::Default => Type::Default,
        Value::Boolean(value) => Type::Boolean(BooleanType { value: Some(*value) }),
        Value::Integer(number) => Type::integer(IntegerType::exactly(*number)),
        Value::Float(number) => Type::float(FloatType { from: *number, to: *number }),
        Value::String(text) => Type::string_value(text.clone()),
        Value::Type(Type::Resource(resource)) if resource.is_held() => {
            let plain = ResourceType { namevar: None, ..ResourceType::clone(resource) };
            Type::type_of(Some(plain.into()))
        }
        Value::Type(data_type) => Type::type_of(Some(data_type.clone())),
        Value::Sensitive(hidden) => Type::sensitive(&Type::infer(hidden)),
        Value::Regexp(regexp) => Type::regexp(Some(regexp.clone())),
        Value::SemVer(_) => Type::semver(Vec::new()),
        Value::SemVerRange(_) => Type::SemVerRange,
        Value::Timespan(timespan) => Type::timespan(TimeType { from: Some(**timespan), to: Some(**timespan) }),
        Value::Timestamp(timestamp) => Type::timestamp(TimeType { from: Some(**timestamp), to: Some(**timestamp) }),
        Value::Binary(_) => Type::Binary,
        Value::Uri(uri) => Type::Uri(Arc::new(UriType::of(uri))),
        Value::Iterator(iterator) => Type::iterator(Some(iterator.element_type.clone())),
        Value::Symbol(_) => RuntimeType::symbol(),
        Value::Object(object) if object.object_type().type_parameters().is_empty() => {
            Type::Object(object.object_type().clone())
        }
        Value::Object(object) => Type::ObjectExtension(Arc::new(ObjectExtension::of(object))),
        Value::Array(_) | Value::Hash(_) => Type::infer(value),
    }
}

fn infer_hash(hash: &Hash) -> Type {
    if hash.keys().all(|key| key.as_str().is_some_and(|key| !key.is_empty())) {
        let member = |(key, value): (&Value, &Value)| Member {
            name: key.as_str().unwrap_or_default().into(),
            optional: false,
            value: Type::infer_detailed(value),
        };
        return Type::Struct(Arc::new(StructType { members: hash.iter().map(member).collect() }));
    }
    Type::hash(
        Type::variant(hash.keys().map(Type::infer_detailed)),
        Type::variant(hash.values().map(Type::infer_detailed)),
        Some(IntegerType::size(hash.len())),
    )
}

/// The common type of all values.
fn reduce<'v>(values: impl IntoIterator<Item = &'v Value>) -> Type {
    let mut common = None;
    // Texts are collected, for an enumeration that grows one by one would be sorted each time.
    let mut texts: IndexSet<EcoString, FxBuildHasher> = IndexSet::default();
    for value in values {
        match (value, &common) {
            (Value::String(text), None | Some(Type::Undef)) => {
                texts.insert(text.clone());
                common = None;
            }
            // Compatibility: `undef` does not count, unless there is nothing else.
            (Value::Undef, None) if texts.is_empty() => common = Some(Type::Undef),
            (Value::Undef, _) => {}
            // An instance of a type that was inferred has a type that adds nothing to it.
            (_, Some(known)) if known.is_instance(value) && says_all(known, value) => {}
            _ => {
                let known = common.take().or_else(|| text_type(&mut texts));
                let inferred = Type::infer(value);
                common = Some(match known {
                    Some(known) => Type::common(&known, &inferred),
                    None => inferred,
                });
            }
        }
    }
    common.or_else(|| text_type(&mut texts)).unwrap_or(Type::Unit)
}

/// Whether the inferred type of an instance is part of the type. That of a hash with numbers and texts as keys is too wide
/// for `RichData`; that of collections in a collection may have lost their size.
fn says_all(known: &Type, instance: &Value) -> bool {
    let is_container = matches!(instance, Value::Array(_) | Value::Hash(_));
    !is_container || !(holds_rich_data(known) || holds_sizes(known))
}

fn holds_rich_data(data_type: &Type) -> bool {
    deep(|| match data_type {
        Type::Alias(_) => *data_type == Type::rich_data(),
        Type::Array(array) => holds_rich_data(&array.element),
        Type::Hash(hash) => holds_rich_data(&hash.value),
        _ => false,
    })
}

/// Whether collections within a collection have sizes.
fn holds_sizes(data_type: &Type) -> bool {
    deep(|| {
        let has_size = |data_type: &Type| match data_type {
            Type::Array(array) => array.size.is_some() || holds_sizes(data_type),
            Type::Hash(hash) => hash.size.is_some() || holds_sizes(data_type),
            _ => false,
        };
        match data_type {
            Type::Array(array) => has_size(&array.element),
            Type::Hash(hash) => has_size(&hash.key) || has_size(&hash.value),
            _ => false,
        }
    })
}

/// The type of the texts that were collected.
fn text_type(texts: &mut IndexSet<EcoString, FxBuildHasher>) -> Option<Type> {
    let texts = std::mem::take(texts);
    match texts.len() {
        0 => None,
        1 => texts.into_iter().next().map(Type::string_value),
        _ => Some(Type::enumeration(texts)),
    }
}
