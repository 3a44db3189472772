//! The simplest form of a type: options that can be one are merged, `undef` is said once.

use bunraku_syntax::deep;
use std::sync::Arc;

use crate::data_type::Type;
use crate::data_types::{
    CallableType, EnumType, FloatType, IntegerType, Member, OptionalType, StructType, Time, TimeType, Timespan,
    Timestamp, TupleType,
};
use crate::lowercase;

impl Type {
    /// The simplest form of the type. Aliases stay as they are.
    pub fn normalize(&self) -> Type {
        deep(|| {
            match self {
                Type::Variant(variant) if !variant.types.is_empty() => normalize_variant(&variant.types),
                Type::Optional(_) => normalize_optional(self.map_contained(&Type::normalize)),
                Type::NotUndef(_) => normalize_not_undef(self.map_contained(&Type::normalize)),
                // Compatibility: the size is lost here, and for arrays of `Any`.
                Type::Collection(_) => Type::collection(None),
                Type::Array(array) if array.element == Type::Any => Type::array(Type::Any, None),
                Type::Array(array) => Type::array(array.element.normalize(), array.size),
                Type::Hash(hash) if hash.is_default() || hash.is_empty() => self.clone(),
                Type::Hash(hash) => Type::hash(hash.key.normalize(), hash.value.normalize(), hash.size),
                Type::Tuple(tuple) => Type::Tuple(Arc::new(normalize_tuple(tuple))),
                Type::Struct(members) => {
                    let normalize = |member: &Member| Member { value: member.value.normalize(), ..member.clone() };
                    Type::Struct(Arc::new(StructType { members: members.members.iter().map(normalize).collect() }))
                }
                Type::Callable(callable) => Type::Callable(Arc::new(CallableType {
                    parameters: callable.parameters.as_ref().map(normalize_tuple),
                    block: callable.block.as_ref().map(Type::normalize),
                    returned: callable.returned.as_ref().map(Type::normalize),
                })),
                _ => self.map_contained(&Type::normalize),
            }
        })
    }
}

fn normalize_tuple(tuple: &TupleType) -> TupleType {
    TupleType { types: tuple.types.iter().map(Type::normalize).collect(), size: tuple.size }
}

/// `optional` is an `Optional` whose contained type is in its simplest form.
fn normalize_optional(optional: Type) -> Type {
    deep(|| {
        let Type::Optional(inner) = &optional else { return optional };
        match &inner.contained {
            Some(Type::NotUndef(not_undef)) => match &not_undef.contained {
                Some(contained) => normalize_optional(Type::optional(contained.clone())),
                None => Type::Optional(Arc::new(OptionalType { contained: None })),
            },
            Some(contained) if contained.accepts_undef() => contained.clone(),
            _ => optional,
        }
    })
}

/// `not_undef` is a `NotUndef` whose contained type is in its simplest form.
fn normalize_not_undef(not_undef: Type) -> Type {
    deep(|| {
        let Type::NotUndef(inner) = &not_undef else { return not_undef };
        match &inner.contained {
            Some(Type::Optional(optional)) => normalize_not_undef(Type::not_undef(optional.contained.clone())),
            Some(contained) if !contained.accepts_undef() => contained.clone(),
            _ => not_undef,
        }
    })
}

fn normalize_variant(types: &[Type]) -> Type {
    let original = types;
    let types: Vec<Type> = original.iter().map(Type::normalize).collect();
    if let [only] = types.as_slice() {
        return only.clone();
    }
    if types.iter().any(|option| matches!(option, Type::Undef | Type::Optional(_))) {
        let without_undef = types.into_iter().filter_map(|option| match option {
            Type::Undef => None,
            Type::Optional(optional) => optional.contained.clone(),
            option => Some(option),
        });
        return Type::optional(Type::variant(without_undef)).normalize();
    }
    let mut flat = Vec::with_capacity(types.len());
    for option in types {
        match option {
            Type::Variant(inner) => flat.extend(inner.types.iter().cloned()),
            option => flat.push(option),
        }
    }
    let is_changed = flat != original;
    let mut types = flat;
    merge_not_undefs(&mut types);
    merge_texts(&mut types);
    merge_case_insensitive(&mut types);
    merge_patterns(&mut types);
    merge_versions(&mut types);
    merge_ranges(&mut types, as_integer, IntegerType::merge, Type::integer);
    merge_ranges(&mut types, as_float, FloatType::merge, Type::float);
    merge_ranges(&mut types, |option| Timespan::of_type(option).copied(), TimeType::merge, Type::timespan);
    merge_ranges(&mut types, |option| Timestamp::of_type(option).copied(), TimeType::merge, Type::timestamp);
    // Merging may have changed the order; if there was nothing to merge, the order stays.
    let is_merged = is_changed || types.len() != original.len();
    Type::variant(if is_merged { types } else { original.to_vec() })
}

fn as_integer(option: &Type) -> Option<IntegerType> {
    match option {
        Type::Integer(range) => Some(**range),
        _ => None,
    }
}

fn as_float(option: &Type) -> Option<FloatType> {
    match option {
        Type::Float(range) => Some(**range),
        _ => None,
    }
}

/// Takes out the types that something can be made of, if there are at least two of them.
fn take_out<T>(types: &mut Vec<Type>, part: impl Fn(&Type) -> Option<T>) -> Option<Vec<T>> {
    let parts: Vec<T> = types.iter().filter_map(&part).collect();
    if parts.len() < 2 {
        return None;
    }
    types.retain(|option| part(option).is_none());
    Some(parts)
}

fn merge_not_undefs(types: &mut Vec<Type>) {
    let part = |option: &Type| match option {
        Type::NotUndef(not_undef) => Some(not_undef.contained.clone()),
        _ => None,
    };
    if let Some(parts) = take_out(types, part) {
        // One without parameter accepts what all others do.
        let contained: Option<Vec<Type>> = parts.into_iter().collect();
        types.push(Type::not_undef(contained.map(|contained| Type::variant(contained).normalize())));
    }
}

fn merge_texts(types: &mut Vec<Type>) {
    let part = |option: &Type| match option {
        Type::Enum(values) if !values.values.is_empty() && !values.case_insensitive => Some(values.values.clone()),
        Type::String(string) => string.value().map(|text| vec![text.clone()]),
        _ => None,
    };
    if let Some(parts) = take_out(types, part) {
        types.push(Type::enumeration(parts.into_iter().flatten()));
    }
}

fn merge_case_insensitive(types: &mut Vec<Type>) {
    let part = |option: &Type| match option {
        Type::Enum(values) if !values.values.is_empty() && values.case_insensitive => Some(values.values.clone()),
        _ => None,
    };
    if let Some(parts) = take_out(types, part) {
        let values = parts.into_iter().flatten().map(|text| lowercase(&text));
        types.push(Type::Enum(Arc::new(EnumType::new(values, true))));
    }
}

fn merge_patterns(types: &mut Vec<Type>) {
    let part = |option: &Type| match option {
        Type::Pattern(patterns) => Some(patterns.patterns.clone()),
        _ => None,
    };
    if let Some(parts) = take_out(types, part) {
        types.push(Type::pattern(parts.into_iter().flatten()));
    }
}

fn merge_versions(types: &mut Vec<Type>) {
    let part = |option: &Type| match option {
        Type::SemVer(versions) => Some(versions.ranges.clone()),
        _ => None,
    };
    if let Some(parts) = take_out(types, part) {
        types.insert(0, Type::semver(parts.into_iter().flatten().collect()));
    }
}

/// Merges ranges that overlap or touch. As in the reference the last range comes first.
fn merge_ranges<R: Copy>(
    types: &mut Vec<Type>,
    part: impl Fn(&Type) -> Option<R>,
    merge: impl Fn(&R, &R) -> Option<R>,
    make: impl Fn(R) -> Type,
) {
    let Some(mut ranges) = take_out(types, part) else { return };
    let mut merged = Vec::new();
    while let Some(last) = ranges.pop() {
        let mut range = last;
        ranges.retain(|other| match merge(&range, other) {
            Some(wider) => {
                range = wider;
                false
            }
            None => true,
        });
        merged.push(make(range));
    }
    types.splice(0..0, merged);
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use crate::parse::data_type;

    fn check(text: &str, expected: &str) {
        assert_eq!(data_type(text).unwrap().normalize().to_string(), expected, "{text}");
    }

    #[test]
    fn merges_what_can_be_one() {
        check("Variant[Integer[1, 5], Integer[4, 9]]", "Integer[1, 9]");
        // Compatibility: the last range is merged with the others only once.
        check("Variant[Integer[1, 5], Integer[4, 9], Integer[10, 12]]", "Variant[Integer[4, 12], Integer[1, 5]]");
        check("Variant[Integer[1, 2], Integer[5, 6]]", "Variant[Integer[1, 2], Integer[5, 6]]");
        check("Variant[Enum[b], String, Enum[a]]", "Variant[String, Enum['a', 'b']]");
        check("Variant[Undef, Integer, String]", "Optional[Variant[Integer, String]]");
        check("Variant[Pattern[/a/], Pattern[/b/]]", "Pattern[/a/, /b/]");
        check("Optional[Optional[Integer]]", "Optional[Integer]");
        check("Optional[NotUndef[Integer]]", "Optional[Integer]");
        check("NotUndef[Optional[Integer]]", "Integer");
        check("Array[Variant[Integer[1, 2], Integer[2, 3]], 1]", "Array[Integer[1, 3], 1]");
    }
}
