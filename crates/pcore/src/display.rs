//! The text of a value where it is interpolated or logged.

use std::fmt;

use bunraku_syntax::deep;

use crate::data_type::Type;
use crate::float_text::float_text;
use crate::value::Value;

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Undef => Ok(()),
            Value::Default => formatter.write_str("default"),
            Value::Boolean(value) => write!(formatter, "{value}"),
            Value::Integer(value) => write!(formatter, "{value}"),
            Value::Float(value) => formatter.write_str(&float_text(*value)),
            Value::String(text) | Value::Symbol(text) => formatter.write_str(text),
            Value::Array(elements) => {
                formatter.write_str("[")?;
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        formatter.write_str(", ")?;
                    }
                    deep(|| element.fmt(formatter))?;
                }
                formatter.write_str("]")
            }
            Value::Hash(hash) => {
                formatter.write_str("{")?;
                for (index, (key, value)) in hash.iter().enumerate() {
                    if index > 0 {
                        formatter.write_str(", ")?;
                    }
                    deep(|| write!(formatter, "{key} => {value}"))?;
                }
                formatter.write_str("}")
            }
            Value::Regexp(regexp) => formatter.write_str(&regexp.to_text()),
            Value::Type(Type::Resource(held)) if held.is_held() => {
                let (type_name, title) = (held.type_name.as_deref(), held.title.as_deref());
                write!(formatter, "{}[{}]", type_name.unwrap_or_default(), title.unwrap_or_default())
            }
            Value::Type(data_type) => write!(formatter, "{data_type}"),
            Value::Sensitive(_) => formatter.write_str("Sensitive [value redacted]"),
            Value::SemVer(version) => write!(formatter, "{version}"),
            Value::SemVerRange(range) => write!(formatter, "{range}"),
            Value::Timespan(timespan) => write!(formatter, "{timespan}"),
            Value::Timestamp(timestamp) => write!(formatter, "{timestamp}"),
            Value::Binary(binary) => write!(formatter, "{binary}"),
            Value::Uri(uri) => write!(formatter, "{uri}"),
            Value::Object(object) => write!(formatter, "{object}"),
            Value::Iterator(iterator) => write!(formatter, "Iterator[{}]-Value", iterator.element_type.generalize()),
        }
    }
}
