//! Text made under the control of a format: `sprintf`, and `String.new` with its formats for each data type.

mod container;
mod object;
mod scalar;
mod specifier;
pub mod sprintf;

use bunraku_syntax::deep;
use std::sync::{Arc, LazyLock};

use bunraku_syntax::Issue;

use crate::data_type::Type;
use crate::data_types::FloatType;
use crate::issues;
use crate::label::host_class;
use crate::limits;
use crate::value::Value;
use container::Indentation;
use specifier::{Format, Formats};

/// The widest field; no text of a catalog comes near it.
const MAXIMUM_WIDTH: usize = 1 << 20;
/// How deep containers may nest.
const MAXIMUM_DEPTH: usize = 200;

/// Converts a value to text. The formats are `default`, one format as text, or a hash of types to formats.
pub fn convert(value: &Value, formats: &Value) -> Result<String, Issue> {
    let given = match formats {
        Value::Default => return write(value, &DEFAULTS, Indentation::default()),
        Value::String(text) => Formats::new([(given_type(value), Format::new(text)?)]),
        Value::Hash(_) => read_formats(formats)?,
        other => {
            return Err(issues::runtime_error(format!(
                "string conversion expects a Default value or a Hash of type to format mappings, got a '{}'",
                host_class(other)
            )));
        }
    };
    write(value, &given.over(&DEFAULTS), Indentation::default())
}

/// The text of a value as a program would write it: the format `%p`, and a call of the type where the reference shows
/// an object of its own.
pub fn programmatic(value: &Value) -> String {
    programmatic_within(value, MAXIMUM_DEPTH)
}

fn programmatic_within(value: &Value, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else { return "...".to_owned() };
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| programmatic_within(element, depth)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Hash(hash) => {
            let entry = |(key, value): (&Value, &Value)| {
                format!("{} => {}", programmatic_within(key, depth), programmatic_within(value, depth))
            };
            format!("{{{}}}", hash.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        Value::SemVer(version) => format!("SemVer('{version}')"),
        Value::SemVerRange(range) => format!("SemVerRange('{range}')"),
        Value::Sensitive(_) => value.to_string(),
        other => write(other, &PROGRAMMATIC, Indentation::default()).unwrap_or_else(|_| other.to_string()),
    }
}

/// What applies where nothing else is given.
static DEFAULTS: LazyLock<Formats> = LazyLock::new(|| {
    let contained = Some(Arc::new(Formats::new(plain([(Type::Any, "%p")]))));
    let container = |(data_type, mut format): (Type, Format)| {
        format.separator = Some(", ".to_owned());
        format.separator2 = Some(if format.letter == 'a' { ", " } else { " => " }.to_owned());
        format.contained.clone_from(&contained);
        (data_type, format)
    };
    let array = Type::array(Type::Any, None);
    let hash = Type::hash(Type::Any, Type::Any, None);
    let objects = Type::by_name("object").into_iter().flat_map(|object| plain([(object, "%p")]));
    let scalars = plain([(Type::float(FloatType::ANY), "%f"), (Type::Numeric, "%d")]);
    let containers = plain([(array, "%a"), (hash, "%h")]).map(container);
    let others = plain([(Type::Binary, "%B"), (Type::Any, "%s")]);
    Formats::new(objects.chain(scalars).chain(containers).chain(others))
});

/// `%p` for everything.
static PROGRAMMATIC: LazyLock<Formats> = LazyLock::new(|| Formats::new(plain([(Type::Any, "%p")])));

fn plain<const N: usize>(formats: [(Type, &'static str); N]) -> impl Iterator<Item = (Type, Format)> {
    formats.into_iter().filter_map(|(data_type, text)| Some((data_type, Format::new(text).ok()?)))
}

/// The type a single format is meant for.
fn given_type(value: &Value) -> Type {
    match value {
        Value::Array(_) => Type::array(Type::Any, None),
        Value::Hash(_) => Type::hash(Type::Any, Type::Any, None),
        value => Type::infer_detailed(value),
    }
}

/// Reads a hash of types to formats.
fn read_formats(formats: &Value) -> Result<Formats, Issue> {
    let Value::Hash(formats) = formats else {
        let message =
            format!("expected a hash with type to format mappings, got instance of '{}'", host_class(formats));
        return Err(issues::runtime_error(message));
    };
    let mut read = Vec::with_capacity(formats.len());
    for (key, format) in formats.iter() {
        let Value::Type(data_type) = key else {
            let message =
                format!("top level keys in the format hash must be data types, got instance of '{}'", host_class(key));
            return Err(issues::runtime_error(message));
        };
        read.push((data_type.clone(), read_format(format)?));
    }
    Ok(Formats::new(read))
}

fn read_format(format: &Value) -> Result<Format, Issue> {
    const KEYS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
    let Value::Hash(details) = format else {
        return Format::new(&crate::inspect::to_s(format));
    };
    if details.keys().any(|key| key.as_str().is_none_or(|key| !KEYS.contains(&key))) {
        let keys = KEYS.map(|key| format!("'{key}'")).join(", ");
        let given = crate::inspect::inspect(format);
        return Err(issues::runtime_error(format!("only {keys} are allowed in a container format, got {given}")));
    }
    let text = |key: &str| details.get_str(key).and_then(Value::as_str);
    let mut read = Format::new(text("format").unwrap_or_default())?;
    read.separator = text("separator").map(str::to_owned);
    read.separator2 = text("separator2").map(str::to_owned);
    read.contained = match details.get_str("string_formats") {
        None | Some(Value::Undef) => None,
        Some(formats) => Some(Arc::new(read_formats(formats)?)),
    };
    Ok(read)
}

/// Writes a value with the format of its type.
fn write(value: &Value, formats: &Formats, indentation: Indentation) -> Result<String, Issue> {
    deep(|| {
        static FALLBACK: LazyLock<Option<Format>> = LazyLock::new(|| Format::new("%s").ok());
        let Some(format) = formats.get(value).or(FALLBACK.as_ref()) else { return Ok(value.to_string()) };
        match value {
            Value::Array(elements) => container::write_array(elements, format, formats, indentation),
            Value::Hash(hash) => container::write_hash(hash, format, formats, indentation),
            Value::Iterator(iterator) => {
                limits::check_elements(iterator.sequence.len())?;
                let elements = Value::array(iterator.values());
                write(&elements, formats, indentation)
            }
            Value::Object(object) => object::write(object, format, indentation),
            scalar => scalar::write(scalar, format),
        }
    })
}

/// A letter that a type does not know.
fn illegal_format(type_name: &str, letter: char, expected: &str) -> Issue {
    issues::runtime_error(format!(
        "Illegal format '{letter}' specified for value of {type_name} type - expected one of the characters '{expected}'"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Value {
        Value::array([
            Value::Integer(1),
            "two".into(),
            Value::array([Value::Integer(3), Value::array([Value::Integer(4)])]),
            Value::hash([("a".into(), Value::Integer(5))]),
            Value::Undef,
            Value::Float(2.5),
            Value::Boolean(true),
        ])
    }

    fn check(value: &Value, formats: &Value, expected: &str) {
        let text = convert(value, formats).unwrap_or_else(|issue| issue.message().to_owned());
        assert_eq!(text, expected, "{value} {formats}");
    }

    #[test]
    fn scalars() {
        let cases: [(Value, &str, &str); 20] = [
            (Value::Integer(255), "%#x", "0xff"),
            (Value::Integer(-255), "%#o", "..7401"),
            (Value::Integer(65), "%-5c", "A    "),
            (Value::Integer(65), "%#s", "\"65\""),
            (Value::Integer(5), "%<d", "malformed name - unmatched parenthesis"),
            (Value::Integer(5), "%00d", "The same flag can only be used once, got '%00d'"),
            (
                Value::Integer(5),
                "d",
                "The format 'd' is not a valid format on the form '%<flags><width>.<prec><format>'",
            ),
            (Value::Float(12.5), "%#.0f", "12."),
            (Value::Float(3.99), "%.2s", "3."),
            ("hello".into(), "%.3p", "'he"),
            ("Hello::World::foo".into(), "%#d", "'hello::world::foo'"),
            ("éa".into(), "%c", "Éa"),
            ("hello".into(), "%[s", "malformed format string - %["),
            (Value::Boolean(false), "%#Y", "N"),
            (Value::Boolean(false), "%+d", "+0"),
            (Value::Undef, "%-8p", "undef   "),
            (Value::Default, "%#10s", " \"default\""),
            (Value::Type(Type::Numeric), "%#s", "\"Numeric\""),
            (crate::data_types::Binary::new([255]).into(), "%s", "\"\\xFF\" from ASCII-8BIT to UTF-8"),
            (crate::data_types::Binary::new([255]).into(), "%#s", "\"\\xFF\""),
        ];
        for (value, format, expected) in cases {
            check(&value, &format.into(), expected);
        }
    }

    #[test]
    fn containers() {
        let indented = "[1, 'two',\n  [3,\n    [4]],\n  {'a' => 5},\n  undef, 2.5, true]";
        check(&sample(), &"%#a".into(), indented);
        check(&sample(), &"%#20a".into(), indented);
        check(&sample(), &"%<a".into(), "<1, 'two', <3, <4>>, {'a' => 5}, undef, 2.5, true>");
        let ten = Value::array((1..=10).map(Value::Integer));
        check(&ten, &"%#10a".into(), "[ 1,\n  2,\n  3,\n  4,\n  5,\n  6,\n  7,\n  8,\n  9,\n  10]");
        let hash = Value::hash([("a".into(), Value::Integer(1)), ("n".into(), Value::hash([("m".into(), ten)]))]);
        let expected = "{\n  'a' => 1,\n  'n' => {\n    'm' => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n  }\n}";
        check(&hash, &"%#h".into(), expected);
        check(&Value::hash([]), &"%#h".into(), "{\n\n}");
    }

    #[test]
    fn formats_by_type() {
        let hexadecimal =
            Value::hash([(Value::Type(Type::integer(crate::data_types::IntegerType::ANY)), "%#x".into())]);
        let details = Value::hash([("format".into(), "%(a".into()), ("string_formats".into(), hexadecimal.clone())]);
        let array = Value::Type(Type::array(Type::Any, None));
        let numbers = Value::array([Value::Integer(10), "x".into()]);
        check(&numbers, &Value::hash([(array, details)]), "(0xa, 'x')");
        check(&Value::Integer(10), &hexadecimal, "0xa");
        check(&numbers, &hexadecimal, "[10, 'x']");
    }
}
