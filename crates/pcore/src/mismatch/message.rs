//! The words of a mismatch.

use bunraku_syntax::deep;
use std::fmt;
use std::sync::Arc;

use super::{Kind, Mismatch, Step};
use crate::data_type::Type;
use crate::data_types::{
    CallableType, ClassType, EnumType, FloatType, InitType, IntegerType, NotUndefType, OptionalType, ResourceType,
    RuntimeType, TimeType, type_set,
};
use crate::label::a_an;

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Subject(name) => formatter.write_str(name),
            Step::Entry(name) => write!(formatter, "entry '{name}'"),
            Step::EntryKey(name) => write!(formatter, "key of entry '{name}'"),
            Step::Parameter(name) => write!(formatter, "parameter '{name}'"),
            Step::Return => formatter.write_str("return"),
            Step::Block => formatter.write_str("block"),
            Step::Index(index) => write!(formatter, "index {index}"),
            Step::Variant(index) => write!(formatter, "variant {index}"),
            Step::Signature(index) => write!(formatter, "{}.", index + 1),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.path {
            write!(formatter, " {step}")?;
        }
        match &self.kind {
            Kind::MissingKey(key) => write!(formatter, " expects a value for key '{key}'"),
            Kind::MissingParameter(name) => write!(formatter, " expects a value for parameter '{name}'"),
            Kind::ExtraneousKey(key) => write!(formatter, " unrecognized key '{key}'"),
            Kind::InvalidParameter(name) => write!(formatter, " has no parameter named '{name}'"),
            Kind::UnexpectedBlock => formatter.write_str(" does not expect a block"),
            Kind::MissingRequiredBlock => formatter.write_str(" expects a block"),
            Kind::UnresolvedTypeReference(name) => write!(formatter, " references an unresolved type '{name}'"),
            Kind::Type { expected, actual } => write!(formatter, " expects {}", type_message(expected, actual)),
            Kind::Pattern { expected, actual } => write!(formatter, " expects {}", pattern_message(expected, actual)),
            Kind::Size { expected, actual } => {
                let (expected, actual) = (size_text(expected, "0"), size_text(actual, "0"));
                write!(formatter, " expects size to be {expected}, got {actual}")
            }
            Kind::Count { expected, actual } => {
                let plural = match (expected.from.unwrap_or(0), expected.to) {
                    (1, Some(1) | None) | (0, Some(1)) => "",
                    _ => "s",
                };
                let (expected, actual) = (size_text(expected, "no"), size_text(actual, "none"));
                write!(formatter, " expects {expected} argument{plural}, got {actual}")
            }
        }
    }
}

fn size_text(range: &IntegerType, zero: &str) -> String {
    match (range.from.unwrap_or(0), range.to) {
        (0, Some(0)) => zero.to_owned(),
        (from, Some(to)) if from == to => from.to_string(),
        (0, None) => "unlimited".to_owned(),
        (0, Some(to)) => format!("at most {to}"),
        (from, None) => format!("at least {from}"),
        (from, Some(to)) => format!("between {from} and {to}"),
    }
}

fn pattern_message(expected: &Type, actual: &Type) -> String {
    let (prefix, expected) = match expected {
        Type::Optional(optional) => ("an undef value or ", optional.contained.as_ref().unwrap_or(expected)),
        _ => ("", expected),
    };
    let actual = match actual {
        Type::String(string) => string.value().map(|text| format!("'{text}'")),
        _ => None,
    }
    .unwrap_or_else(|| short_name(actual));
    format!("{prefix}a match for {}, got {actual}", expected.to_expanded_string())
}

fn type_message(expected: &Type, actual: &Type) -> String {
    let (optional, expected) = match expected {
        Type::Optional(optional) => (true, optional.contained.as_ref().unwrap_or(expected)),
        _ => (false, expected),
    };
    let single = [expected.clone()];
    let options = match expected {
        Type::Variant(variant) => variant.types.as_slice(),
        _ => &single,
    };
    let is_detailed = options.iter().any(|option| is_alike(option, actual) || default_of(option).is_assignable(actual));
    let actual_text = if is_detailed { detailed_actual(options, actual) } else { short_name(actual) };
    let mut names: Vec<String> = Vec::new();
    for option in options {
        let name = if is_detailed { option.to_expanded_string() } else { short_name(option) };
        if is_detailed || !names.contains(&name) {
            names.push(name);
        }
    }
    if optional {
        names.insert(0, "Undef".to_owned());
    }
    match names.as_slice() {
        [only] => format!("{} value, got {actual_text}", a_an(only)),
        [one, other] => format!("a value of type {one} or {other}, got {actual_text}"),
        [others @ .., last] => format!("a value of type {}, or {last}, got {actual_text}", others.join(", ")),
        [] => format!("a value of type , got {actual_text}"),
    }
}

/// The name, and that of the type inside where there is one.
fn short_name(data_type: &Type) -> String {
    let contained = match data_type {
        Type::Type(meta) => meta.contained.as_ref(),
        Type::Optional(optional) => optional.contained.as_ref(),
        Type::NotUndef(not_undef) => not_undef.contained.as_ref(),
        Type::Iterable(iterable) => iterable.element.as_ref(),
        Type::Iterator(iterator) => iterator.element.as_ref(),
        Type::Init(init) => init.contained.as_ref(),
        Type::Sensitive(sensitive) => Some(&sensitive.contained),
        _ => None,
    };
    match contained {
        // Compatibility: the type of all objects has no name of its own.
        Some(Type::Object(object_type)) if object_type.is_default() => format!("{}[]", data_type.name()),
        Some(contained) if *contained != Type::Any => format!("{}[{}]", data_type.name(), contained.name()),
        _ => data_type.name().to_owned(),
    }
}

/// Whether two types are so alike that only their parameters can tell them apart.
fn is_alike(expected: &Type, actual: &Type) -> bool {
    std::mem::discriminant(expected) == std::mem::discriminant(actual)
        || matches!(
            (expected, actual),
            (Type::Alias(_), _)
                | (_, Type::Alias(_))
                | (Type::Struct(_), Type::Hash(_))
                | (Type::Tuple(_), Type::Array(_))
        )
}

fn detailed_actual(options: &[Type], actual: &Type) -> String {
    let mut resolved = options.iter().map(Type::resolved);
    let general = actual.generalize();
    if resolved.any(|option| is_alike(option, actual) || option.is_assignable(&general)) {
        actual.to_expanded_string()
    } else {
        actual.name().to_owned()
    }
}

/// The type without its parameters.
fn default_of(data_type: &Type) -> Type {
    deep(|| {
        match data_type {
            Type::Alias(_) => default_of(data_type.resolved()),
            Type::Boolean(_) => Type::BOOLEAN,
            Type::Integer(_) => Type::integer(IntegerType::ANY),
            Type::Float(_) => Type::float(FloatType::ANY),
            Type::String(_) => Type::string(),
            Type::Pattern(_) => Type::pattern([]),
            Type::Regexp(_) => Type::regexp(None),
            Type::SemVer(_) => Type::semver(Vec::new()),
            Type::Timespan(_) => Type::timespan(TimeType::ANY),
            Type::Timestamp(_) => Type::timestamp(TimeType::ANY),
            Type::Uri(_) => Type::Uri(Arc::default()),
            Type::Enum(_) => Type::Enum(Arc::new(EnumType::new([], false))),
            Type::Collection(_) => Type::collection(None),
            Type::Array(_) => Type::array(Type::Any, None),
            Type::Hash(_) => Type::hash(Type::Any, Type::Any, None),
            Type::Tuple(_) => Type::tuple(Vec::new(), None),
            Type::Struct(_) => Type::Struct(Arc::default()),
            Type::Variant(_) => Type::Variant(Arc::default()),
            Type::Optional(_) => Type::Optional(Arc::new(OptionalType { contained: None })),
            Type::NotUndef(_) => Type::NotUndef(Arc::new(NotUndefType { contained: None })),
            Type::Iterable(_) => Type::iterable(None),
            Type::Iterator(_) => Type::iterator(None),
            Type::Callable(_) => Type::Callable(Arc::new(CallableType::default())),
            Type::Type(_) => Type::type_of(None),
            Type::Sensitive(_) => Type::sensitive(&Type::Any),
            Type::Init(_) => Type::Init(Arc::new(InitType::default())),
            // Compatibility: object types with parameters have no form without them.
            Type::ObjectExtension(_) => Type::Any,
            Type::TypeSet(_) => Type::TypeSet(type_set::DEFAULT.clone()),
            Type::Object(_) => Type::Object(Arc::default()),
            Type::Class(_) => Type::Class(Arc::new(ClassType { class_name: None })),
            Type::Resource(_) => Type::Resource(Arc::new(ResourceType::default())),
            Type::Runtime(_) => Type::Runtime(Arc::new(RuntimeType { runtime: None, type_name: None })),
            other => other.clone(),
        }
    })
}
