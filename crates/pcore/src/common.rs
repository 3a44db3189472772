//! The common type of two: the narrowest of the types considered that accepts both.

use bunraku_syntax::deep;
use std::sync::Arc;

use crate::data_type::Type;
use crate::data_types::{CallableType, ClassType, EnumType, ResourceType, StringType};

impl Type {
    /// The common type of two types.
    pub fn common(one: &Type, other: &Type) -> Type {
        deep(|| {
            match (one, other) {
                // Compatibility: `Undef` does not count.
                (Type::Undef, _) => return other.clone(),
                (_, Type::Undef) => return one.clone(),
                (Type::Unit, _) => return other.clone(),
                (_, Type::Unit) => return one.clone(),
                _ => {}
            }
            if one.is_assignable(other) {
                return one.clone();
            }
            if other.is_assignable(one) {
                return other.clone();
            }
            common_of_kind(one, other).unwrap_or_else(|| common_ancestor(one, other))
        })
    }
}

/// What two types of the same kind have in common.
fn common_of_kind(one: &Type, other: &Type) -> Option<Type> {
    Some(match (one, other) {
        (Type::Array(one), Type::Array(other)) => Type::array(Type::common(&one.element, &other.element), None),
        (Type::Hash(one), Type::Hash(other)) => {
            Type::hash(Type::common(&one.key, &other.key), Type::common(&one.value, &other.value), None)
        }
        (Type::Class(_), Type::Class(_)) => Type::Class(Arc::new(ClassType { class_name: None })),
        (Type::Resource(one), Type::Resource(other)) => {
            let type_name = one.type_name.clone().filter(|name| Some(name) == other.type_name.as_ref());
            Type::Resource(Arc::new(ResourceType::new(type_name, None)))
        }
        (Type::Integer(one), Type::Integer(other)) => Type::integer(one.span(other)),
        (Type::Float(one), Type::Float(other)) => Type::float(one.span(other)),
        (Type::String(one), Type::String(other)) => common_string(one, other),
        (Type::String(string), Type::Enum(values)) | (Type::Enum(values), Type::String(string)) => {
            match string.value() {
                Some(text) => Type::enumeration(values.values.iter().chain([text]).cloned()),
                None => Type::Enum(Arc::new(EnumType::new([], false))),
            }
        }
        (Type::Enum(one), Type::Enum(other)) => Type::enumeration(one.values.iter().chain(&other.values).cloned()),
        (Type::Pattern(one), Type::Pattern(other)) => {
            Type::pattern(one.patterns.iter().chain(&other.patterns).cloned())
        }
        (Type::Regexp(_), Type::Regexp(_)) => Type::regexp(None),
        (Type::Variant(one), Type::Variant(other)) => Type::variant(one.types.iter().chain(&other.types).cloned()),
        (Type::Callable(_), Type::Callable(_)) => Type::Callable(Arc::new(CallableType::default())),
        _ => return None,
    })
}

fn common_string(one: &StringType, other: &StringType) -> Type {
    match (one, other) {
        (StringType::Size(one), StringType::Size(other)) => Type::string_of_size(one.span(other)),
        (StringType::Value(one), StringType::Value(other)) => Type::enumeration([one.clone(), other.clone()]),
        _ => Type::string(),
    }
}

/// The first of the wide types that accepts both.
fn common_ancestor(one: &Type, other: &Type) -> Type {
    let narrow = [Type::Numeric, Type::ScalarData, Type::Scalar, Type::data()];
    let accepts_both = |wide: &Type| wide.is_assignable(one) && wide.is_assignable(other);
    if let Some(wide) = narrow.into_iter().find(accepts_both) {
        return wide;
    }
    if let (Type::Type(one), Type::Type(other)) = (one, other) {
        return match (&one.contained, &other.contained) {
            (Some(one), Some(other)) => Type::type_of(Some(Type::common(one, other))),
            _ => Type::type_of(None),
        };
    }
    let rich_data = Type::rich_data();
    if accepts_both(&rich_data) { rich_data } else { Type::Any }
}
