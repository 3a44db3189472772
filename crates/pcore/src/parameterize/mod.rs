//! Parameters of types: what `Integer[1, 2]` makes of `Integer`, and what is wrong with `Integer['x']`.
//! Codes and texts are those of the reference's access operator.

mod catalog;
mod collections;
mod scalars;
mod times;
mod wrappers;

use bunraku_syntax::deep;
pub(crate) use catalog::is_class_reference;
use ecow::eco_format;

use crate::data_type::Type;
use crate::data_types::IntegerType;
use crate::issues::{self, Issue};
use crate::label::{a_an, a_an_capitalized, class_label, given, host_class, type_label};
use crate::value::Value;

/// Why parameters were not accepted, and which of them is to blame.
#[derive(Debug)]
pub struct Rejection {
    /// What is wrong.
    pub issue: Issue,
    /// The position of the parameter that is to blame; `None` for all of them.
    pub key: Option<usize>,
}

impl From<Issue> for Rejection {
    fn from(issue: Issue) -> Rejection {
        Rejection { issue, key: None }
    }
}

type Parameterized = Result<Type, Rejection>;

/// The seconds by which the time zone of the machine is ahead of UTC, for whoever can ask the machine.
pub type CurrentOffset<'o> = dyn Fn() -> Option<i32> + 'o;

/// The type with parameters. It is a value, for references to several resources are an array.
pub fn parameterize(base: &Type, keys: &[Value], current: &CurrentOffset<'_>) -> Result<Value, Rejection> {
    match base {
        Type::Resource(resource) => return catalog::resource(resource, keys),
        Type::Class(class) => return catalog::class(class, keys),
        Type::Reference(reference) => {
            let message = eco_format!("Resource type not found: {}", reference.text);
            return Err(Issue::new("UNKNOWN_RESOURCE_TYPE", message).into());
        }
        _ => {}
    }
    let flat = flatten(keys);
    let data_type = match base {
        Type::Boolean(_) => scalars::boolean(base, &flat),
        Type::Integer(_) => scalars::integer(&flat),
        Type::Float(_) => scalars::float(&flat),
        Type::String(_) => scalars::string(&flat),
        Type::Enum(_) => scalars::enumeration(base, &flat),
        Type::Pattern(_) => scalars::pattern(base, &flat),
        Type::Regexp(_) => scalars::regexp(base, &flat),
        Type::SemVer(_) => scalars::semver(base, &flat),
        Type::Timespan(_) => times::timespan(base, &flat),
        Type::Timestamp(_) => times::timestamp(base, &flat, current),
        Type::Uri(_) => wrappers::uri(&flat),
        Type::TypeSet(type_set) => wrappers::type_set(type_set, &flat),
        Type::Object(object_type) => wrappers::object(object_type, &flat),
        Type::Collection(_) => collections::collection(&flat),
        Type::Array(_) => collections::array(&flat),
        Type::Hash(_) => collections::hash(&flat),
        Type::Tuple(_) => collections::tuple(base, &flat),
        Type::Struct(_) => collections::structure(base, keys),
        Type::Variant(_) => wrappers::variant(base, &flat),
        Type::Optional(_) => wrappers::optional(&flat),
        Type::NotUndef(_) => wrappers::not_undef(&flat),
        Type::Sensitive(_) => single_type("Sensitive-Type", &flat).map(Type::sensitive),
        Type::Type(_) => single_type("Type-Type", &flat).map(|contained| Type::type_of(Some(contained.clone()))),
        Type::Iterable(_) => single_type("Iterable-Type", &flat).map(|element| Type::iterable(Some(element.clone()))),
        Type::Iterator(_) => single_type("Iterator-Type", &flat).map(|element| Type::iterator(Some(element.clone()))),
        Type::Init(_) => wrappers::init(keys),
        Type::Callable(_) => wrappers::callable(base, keys),
        Type::Runtime(_) => wrappers::runtime(base, &flat),
        _ => {
            let message = eco_format!("Operator '[]' is not applicable to {}.", a_an(&type_label(base)));
            Err(Issue::new("OPERATOR_NOT_APPLICABLE", message).into())
        }
    };
    data_type.map(Value::Type)
}

/// Whether a type has parameters at all.
pub(crate) fn is_parameterizable(base: &Type) -> bool {
    !matches!(
        base,
        Type::Any
            | Type::Unit
            | Type::Undef
            | Type::Default
            | Type::Scalar
            | Type::ScalarData
            | Type::Numeric
            | Type::CatalogEntry
            | Type::SemVerRange
            | Type::Binary
            | Type::Alias(_)
    )
}

/// The keys with all arrays in them unfolded.
fn flatten(keys: &[Value]) -> Vec<Value> {
    deep(|| {
        let mut flat = Vec::with_capacity(keys.len());
        for key in keys {
            match key {
                Value::Array(elements) => flat.extend(flatten(elements)),
                key => flat.push(key.clone()),
            }
        }
        flat
    })
}

/// How many parameters are expected.
#[derive(Clone, Copy)]
enum Arity {
    Exactly(usize),
    Between(usize, usize),
    OneOrMore,
}

/// A wrong number of parameters; `base` has an article where the reference shows one.
fn bad_arity(base: &str, arity: Arity, actual: usize) -> Rejection {
    let expected = match arity {
        Arity::Exactly(1) => "1 argument".to_owned(),
        Arity::Exactly(count) => format!("{count} arguments"),
        Arity::Between(least, most) => format!("{least} to {most} arguments"),
        Arity::OneOrMore => "1 or more arguments".to_owned(),
    };
    let message = eco_format!("{base}[] accepts {expected}. Got {actual}");
    Issue::new("BAD_TYPE_SLICE_ARITY", message).into()
}

fn labelled(base: &Type) -> String {
    a_an_capitalized(&type_label(base)).into()
}

/// A parameter that should be a type.
fn not_a_type(base: &str, index: usize, actual: &Value) -> Rejection {
    let message = eco_format!("{base}[] arguments must be types. Got {}", host_class(actual));
    Rejection { issue: Issue::new("BAD_TYPE_SLICE_TYPE", message), key: Some(index) }
}

/// A parameter of a wrong kind.
fn bad_key(base: &Type, index: usize, actual: &Value, expected: &str) -> Rejection {
    let message = eco_format!(
        "Error creating type specialization of {}, Cannot use {} where {expected} is expected",
        a_an(&type_label(base)),
        given(actual)
    );
    Rejection { issue: Issue::new("BAD_TYPE_SPECIALIZATION", message), key: Some(index) }
}

/// Checks that there are parameters and that all of them are as expected.
fn check_keys(
    base: &Type,
    keys: &[Value],
    arity: Arity,
    expected: &str,
    is_expected: impl Fn(&Value) -> bool,
) -> Result<(), Rejection> {
    let is_sized = match arity {
        Arity::Exactly(count) => keys.len() == count,
        Arity::Between(_, count) => keys.len() == count,
        Arity::OneOrMore => !keys.is_empty(),
    };
    if !is_sized {
        return Err(bad_arity(&labelled(base), arity, keys.len()));
    }
    match keys.iter().enumerate().find(|(_, key)| !is_expected(key)) {
        Some((index, key)) => Err(bad_key(base, index, key, expected)),
        None => Ok(()),
    }
}

/// The only parameter, which must be a type.
fn single_type<'k>(base: &str, keys: &'k [Value]) -> Result<&'k Type, Rejection> {
    match keys {
        [Value::Type(contained)] => Ok(contained),
        [other] => Err(not_a_type(base, 0, other)),
        _ => Err(bad_arity(base, Arity::Exactly(1), keys.len())),
    }
}

/// The types among values that are all types.
fn types(keys: &[Value]) -> impl Iterator<Item = Type> {
    keys.iter().filter_map(|key| match key {
        Value::Type(data_type) => Some(data_type.clone()),
        _ => None,
    })
}

/// A limit of a range: a number or `default`.
pub(crate) fn limit(key: &Value) -> Option<Option<i64>> {
    match key {
        Value::Integer(number) => Some(Some(*number)),
        Value::Default => Some(None),
        _ => None,
    }
}

/// Whether a parameter can be the limit of a size; text is allowed where the reference allows it.
fn is_range_parameter(key: &Value) -> bool {
    matches!(key, Value::Integer(_) | Value::Default) || key.as_str() == Some("default")
}

/// Takes the size from the end of parameters.
fn split_size(keys: &[Value]) -> Result<(&[Value], Option<IntegerType>), Rejection> {
    let range = |from: &Value, to: Option<&Value>| {
        IntegerType::new(limit(from).flatten(), to.and_then(limit).flatten()).map(Some).map_err(Rejection::from)
    };
    match keys {
        [rest @ .., from, to] if is_range_parameter(from) && is_range_parameter(to) => {
            Ok((rest, range(from, Some(to))?))
        }
        [rest @ .., from] if is_range_parameter(from) => Ok((rest, range(from, None)?)),
        _ => Ok((keys, None)),
    }
}

/// A size given as a range type, or by one or two limits; `start` is the position of the first of them.
fn size(start: usize, keys: &[Value]) -> Result<IntegerType, Rejection> {
    if let [Value::Type(Type::Integer(range))] = keys {
        return Ok(**range);
    }
    let mut limits = [None, None];
    for ((offset, key), place) in keys.iter().enumerate().zip(&mut limits) {
        *place = limit(key).ok_or_else(|| bad_size(start + offset, key))?;
    }
    let [from, to] = limits;
    Ok(IntegerType::new(from, to)?)
}

fn bad_size(index: usize, actual: &Value) -> Rejection {
    let message = eco_format!(
        "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {}",
        a_an(&class_label(actual))
    );
    Rejection { issue: Issue::new("BAD_COLLECTION_SLICE_TYPE", message), key: Some(index) }
}

/// The type that is meant by a parameter that need not be a type.
pub(crate) fn type_of(value: &Value) -> Parameterized {
    match value {
        Value::Type(data_type) => Ok(data_type.clone()),
        Value::String(name) => wrappers::ruby(name),
        value => Ok(Type::infer_generalized(value)),
    }
}

/// A failure inside of the reference that has no code of its own.
fn failure(message: impl Into<ecow::EcoString>) -> Rejection {
    issues::runtime_error(message).into()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn check(base: &str, keys: &[Value], expected: &str) {
        let base = Type::by_name(base).unwrap();
        let actual = match parameterize(&base, keys, &|| None) {
            Ok(value) => value.to_string(),
            Err(Rejection { issue, key }) => format!("{} {key:?} {issue}", issue.code()),
        };
        assert_eq!(actual, expected, "{base}");
    }

    #[test]
    fn makes_types_and_references() {
        check("Integer", &[1.into(), Value::Default], "Integer[1]");
        check("Array", &[Type::string().into(), 1.into(), 2.into()], "Array[String, 1, 2]");
        check("Enum", &[Value::array(["b".into(), "a".into()]), true.into()], "Enum['a', 'b', true]");
        check("Resource", &["file".into(), "a".into(), "b".into()], "[File['a'], File['b']]");
        check("Class", &["Foo::Bar".into()], "Class[foo::bar]");
    }

    #[test]
    fn blames_a_parameter() {
        let bad_limit = "Integer-Type [] requires all arguments to be integers (or default). Got String";
        check("Integer", &["x".into()], &format!("BAD_INTEGER_SLICE_TYPE Some(0) {bad_limit}"));
        check("Array", &[1.into()], "BAD_TYPE_SLICE_TYPE Some(0) Array-Type[] arguments must be types. Got Integer");
        check("Enum", &[], "BAD_TYPE_SLICE_ARITY None An Enum-Type[] accepts 1 or more arguments. Got 0");
        check("Any", &[1.into()], "OPERATOR_NOT_APPLICABLE None Operator '[]' is not applicable to an Any-Type.");
        check("Integer", &[2.into(), 1.into()], "RUNTIME_ERROR None 'from' must be less or equal to 'to'. Got (2, 1");
    }
}
