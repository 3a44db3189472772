//! The types of the hashes that define object types, their attributes and their functions, and type sets.

use std::sync::{Arc, LazyLock};

use super::ANNOTATION;
use crate::data_type::Type;
use crate::data_types::{IntegerType, Member, StructType};
use crate::regexp::Regexp;

fn structure(members: impl IntoIterator<Item = (&'static str, bool, Type)>) -> Type {
    let member = |(name, optional, value): (&str, bool, Type)| Member { name: name.into(), optional, value };
    Type::Struct(Arc::new(StructType { members: members.into_iter().map(member).collect() }))
}

fn pattern(source: &str) -> Type {
    Type::pattern(Regexp::new(source).ok().map(Arc::new))
}

fn any_hash() -> Type {
    Type::optional(Type::hash(Type::type_of(None), Type::hash(member_name(), Type::Any, None), None))
}

fn member_name() -> Type {
    pattern(r"\A[a-z_]\w*\z")
}

/// The name of an object type.
fn type_name() -> Type {
    pattern(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")
}

/// The annotations of a type: for the type of each, what its instance is made of.
fn annotations() -> Type {
    let annotation = Type::type_of(Some(Type::Object(ANNOTATION.clone())));
    Type::optional(Type::hash(annotation, Type::hash(member_name(), Type::Any, None), None))
}

/// A hash that defines an object type.
pub(super) static INITIALIZER: LazyLock<Type> = LazyLock::new(|| {
    let members = || Type::hash(member_name(), Type::not_undef(None), None);
    let function_name = Type::variant([member_name(), Type::string_value("[]")]);
    structure([
        ("name", true, type_name()),
        ("parent", true, Type::type_of(None)),
        ("type_parameters", true, members()),
        ("attributes", true, members()),
        ("constants", true, Type::hash(member_name(), Type::Any, None)),
        ("functions", true, Type::hash(function_name, Type::not_undef(None), None)),
        ("equality", true, Type::variant([member_name(), Type::array(member_name(), None)])),
        ("equality_include_type", true, Type::BOOLEAN),
        ("checks", true, Type::Any),
        ("annotations", true, annotations()),
    ])
});

/// A hash that defines a type set.
pub(crate) static TYPE_SET: LazyLock<Type> = LazyLock::new(|| {
    let simple_name = || pattern(r"\A[A-Z]\w*\z");
    let text_or = |other: Type| Type::variant([Type::string_of_size(IntegerType { from: Some(1), to: None }), other]);
    let version = || text_or(Type::semver(Vec::new()));
    let not_empty = Some(IntegerType { from: Some(1), to: None });
    let reference = structure([
        ("name", false, type_name()),
        ("version_range", false, text_or(Type::SemVerRange)),
        ("name_authority", true, Type::string()),
        ("annotations", true, any_hash()),
    ]);
    structure([
        ("pcore_uri", true, Type::string()),
        ("pcore_version", false, version()),
        ("name_authority", true, Type::string()),
        ("name", true, type_name()),
        ("version", true, version()),
        ("types", true, Type::hash(simple_name(), Type::type_of(None), not_empty)),
        ("references", true, Type::hash(simple_name(), reference, not_empty)),
        ("annotations", true, any_hash()),
    ])
});

/// A hash that defines an attribute.
pub(super) static ATTRIBUTE: LazyLock<Type> = LazyLock::new(|| {
    let kinds = ["constant", "derived", "given_or_derived", "reference"];
    structure([
        ("type", false, Type::type_of(None)),
        ("final", true, Type::BOOLEAN),
        ("override", true, Type::BOOLEAN),
        ("kind", true, Type::enumeration(kinds.map(Into::into))),
        ("value", true, Type::Any),
        ("annotations", true, any_hash()),
    ])
});

/// A hash that defines a function.
pub(super) static FUNCTION: LazyLock<Type> = LazyLock::new(|| {
    structure([
        ("type", false, Type::type_of(Type::by_name("Callable"))),
        ("final", true, Type::BOOLEAN),
        ("override", true, Type::BOOLEAN),
        ("annotations", true, any_hash()),
    ])
});
