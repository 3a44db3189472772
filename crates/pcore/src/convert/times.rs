//! `new` of `Timespan` and `Timestamp`.

use bunraku_syntax::Issue;

use super::Context;
use super::constructor::{Constructor, constructor};
use crate::data_types::timespan::Format;
use crate::data_types::timestamp::{Formats, Timezone};
use crate::data_types::{Timespan, Timestamp};
use crate::number::Number;
use crate::value::Value;

constructor!(
    timespan,
    "new_timespan",
    [("Formats", "Variant[String[2],Array[String[2], 1]]")],
    [
        [("Variant[Integer,Float]", "seconds")],
        [("String[1]", "string"), ("Formats", "format?")],
        [
            ("Integer", "days"),
            ("Integer", "hours"),
            ("Integer", "minutes"),
            ("Integer", "seconds"),
            ("Integer", "milliseconds?"),
            ("Integer", "microseconds?"),
            ("Integer", "nanoseconds?"),
        ],
        [("Struct[{string => String[1], Optional[format] => Formats}]", "hash_arg")],
        [(
            "Struct[{Optional[negative] => Boolean, Optional[days] => Integer, Optional[hours] => Integer, \
             Optional[minutes] => Integer, Optional[seconds] => Integer, Optional[milliseconds] => Integer, \
             Optional[microseconds] => Integer, Optional[nanoseconds] => Integer}]",
            "hash_arg"
        )],
    ]
);

constructor!(
    timestamp,
    "new_timestamp",
    [("Formats", "Variant[String[2],Array[String[2], 1]]")],
    [
        [],
        [("Variant[Integer,Float]", "seconds")],
        [("String[1]", "string"), ("Formats", "format?"), ("String[1]", "timezone?")],
        [("Struct[{string => String[1], Optional[format] => Formats, Optional[timezone] => String[1]}]", "hash_arg")],
    ]
);

const FIELDS: [&str; 7] = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];

pub(super) fn new_timespan(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = timespan()?;
    let made = match (constructor.accepting(args), args) {
        (Some(0), [seconds]) => Timespan::from_seconds(seconds_of(constructor, seconds, args)?)?,
        (Some(1), [Value::String(text), rest @ ..]) => parse_timespan(text, rest.first())?,
        (Some(2), args) => {
            let mut fields = [0; 7];
            for (field, value) in fields.iter_mut().zip(args) {
                *field = integer(Some(value));
            }
            Timespan::from_fields(false, fields)
        }
        (Some(3), [hash]) => {
            let text = hash.get("string").and_then(Value::as_str).unwrap_or_default();
            parse_timespan(text, hash.get("format"))?
        }
        (Some(_), [hash]) => {
            let negative = hash.get("negative") == Some(&Value::Boolean(true));
            Timespan::from_fields(negative, FIELDS.map(|name| integer(hash.get(name))))
        }
        _ => return Err(constructor.mismatch(args)),
    };
    Ok(made.into())
}

fn parse_timespan(text: &str, format: Option<&Value>) -> Result<Timespan, Issue> {
    match format {
        Some(Value::String(format)) => Format::new(format)?.parse(text),
        Some(Value::Array(formats)) => Timespan::parse_any(text, formats.iter().filter_map(Value::as_str)),
        _ => Timespan::parse(text),
    }
}

pub(super) fn new_timestamp(args: &[Value], context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = timestamp()?;
    let made = match (constructor.accepting(args), args) {
        (Some(0), _) => context.now(),
        (Some(1), [seconds]) => Timestamp::from_seconds(seconds_of(constructor, seconds, args)?)?,
        (Some(2), [Value::String(text), rest @ ..]) => parse_timestamp(text, rest.first(), rest.get(1), context)?,
        (Some(_), [hash]) => {
            let text = hash.get("string").and_then(Value::as_str).unwrap_or_default();
            parse_timestamp(text, hash.get("format"), hash.get("timezone"), context)?
        }
        _ => return Err(constructor.mismatch(args)),
    };
    Ok(made.into())
}

fn parse_timestamp(
    text: &str,
    format: Option<&Value>,
    timezone: Option<&Value>,
    context: &dyn Context,
) -> Result<Timestamp, Issue> {
    let timezone = Timezone::new(timezone.and_then(Value::as_str), || Some(context.utc_offset()));
    match format {
        Some(Value::String(format)) => Timestamp::parse(text, Formats::One(format), timezone),
        Some(Value::Array(formats)) => {
            let formats: Vec<&str> = formats.iter().filter_map(Value::as_str).collect();
            Timestamp::parse(text, Formats::Any(&formats), timezone)
        }
        _ => Timestamp::parse(text, Formats::Default, timezone),
    }
}

fn seconds_of(constructor: &Constructor, seconds: &Value, args: &[Value]) -> Result<Number, Issue> {
    Number::of(seconds).ok_or_else(|| constructor.mismatch(args))
}

fn integer(value: Option<&Value>) -> i64 {
    match value {
        Some(Value::Integer(number)) => *number,
        _ => 0,
    }
}
