//! Parameters of `Timespan` and `Timestamp`: times, or what a time can be made of.

use ecow::eco_format;

use super::{Arity, CurrentOffset, Parameterized, Rejection, bad_arity, failure, labelled};
use crate::data_type::Type;
use crate::data_types::timespan::Format;
use crate::data_types::timestamp::{Formats, Timezone};
use crate::data_types::{TimeType, Timespan, Timestamp};
use crate::hash::Hash;
use crate::label::host_class;
use crate::number::Number;
use crate::value::Value;

pub(super) fn timespan(base: &Type, keys: &[Value]) -> Parameterized {
    let [from, to] = limits(base, keys, timespan_limit)?;
    Ok(Type::timespan(TimeType::new(from, to)?))
}

pub(super) fn timestamp(base: &Type, keys: &[Value], current: &CurrentOffset<'_>) -> Parameterized {
    let [from, to] = limits(base, keys, |key| timestamp_limit(key, current))?;
    Ok(Type::timestamp(TimeType::new(from, to)?))
}

/// The limits of a range; what is not given is no limit.
fn limits<T>(
    base: &Type,
    keys: &[Value],
    limit: impl Fn(&Value) -> Result<Option<T>, Rejection>,
) -> Result<[Option<T>; 2], Rejection> {
    match keys {
        [] => Ok([None, None]),
        [from] => Ok([limit(from)?, None]),
        [from, to] => Ok([limit(from)?, limit(to)?]),
        _ => Err(bad_arity(&labelled(base), Arity::Between(0, 2), keys.len())),
    }
}

fn timespan_limit(key: &Value) -> Result<Option<Timespan>, Rejection> {
    Ok(Some(match key {
        Value::Undef | Value::Default => return Ok(None),
        Value::Timespan(timespan) => **timespan,
        Value::String(text) => Timespan::parse(text)?,
        Value::Integer(seconds) => Timespan::from_seconds(Number::Integer(*seconds))?,
        Value::Float(seconds) => Timespan::limit(*seconds)?,
        Value::Hash(hash) => timespan_of_hash(hash)?,
        other => return Err(not_a_time("Timespan", other)),
    }))
}

/// Compatibility: keys that are not known are ignored here, unlike in `Timespan.new`.
fn timespan_of_hash(hash: &Hash) -> Result<Timespan, Rejection> {
    if let Some(Value::String(text)) = hash.get_str("string") {
        return Ok(match hash.get_str("format") {
            Some(Value::String(format)) => Format::new(format)?.parse(text)?,
            Some(Value::Array(formats)) => Timespan::parse_any(text, formats.iter().filter_map(Value::as_str))?,
            _ => Timespan::parse(text)?,
        });
    }
    let field = |name| match hash.get_str(name) {
        Some(Value::Integer(number)) => *number,
        _ => 0,
    };
    let names = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
    let is_negative = hash.get_str("negative").is_some_and(Value::is_truthy);
    Ok(Timespan::from_fields(is_negative, names.map(field)))
}

fn timestamp_limit(key: &Value, current: &CurrentOffset<'_>) -> Result<Option<Timestamp>, Rejection> {
    Ok(Some(match key {
        Value::Undef | Value::Default => return Ok(None),
        Value::Timestamp(timestamp) => **timestamp,
        Value::String(text) => Timestamp::parse(text, Formats::Default, None)?,
        Value::Integer(seconds) => Timestamp::from_seconds(Number::Integer(*seconds))?,
        Value::Float(seconds) => Timestamp::from_seconds(Number::Float(*seconds))?,
        Value::Hash(hash) => timestamp_of_hash(hash, current)?,
        other => return Err(not_a_time("Timestamp", other)),
    }))
}

fn timestamp_of_hash(hash: &Hash, current: &CurrentOffset<'_>) -> Result<Timestamp, Rejection> {
    let text = hash.get_str("string").and_then(Value::as_str).unwrap_or_default();
    let timezone = Timezone::new(hash.get_str("timezone").and_then(Value::as_str), current);
    let several: Vec<&str>;
    let formats = match hash.get_str("format") {
        Some(Value::String(format)) => Formats::One(format),
        Some(Value::Array(formats)) => {
            several = formats.iter().filter_map(Value::as_str).collect();
            Formats::Any(&several)
        }
        _ => Formats::Default,
    };
    Ok(Timestamp::parse(text, formats, timezone)?)
}

fn not_a_time(name: &str, actual: &Value) -> Rejection {
    failure(eco_format!("Unable to create a Puppet::Pops::Time::{name} from a {}", host_class(actual)))
}
