//! Text that stands for one value or data type: type strings, regular expressions, formats, times, versions, rich data.

use bunraku_catalog::Reference;
use bunraku_hiera::Key;
use bunraku_pcore::convert::Context;
use bunraku_pcore::data_types::timespan::Format;
use bunraku_pcore::data_types::timestamp::{Formats, Timezone};
use bunraku_pcore::data_types::{Binary, SemVer, SemVerRange, Timespan, Timestamp, Uri};
use bunraku_pcore::format::sprintf::sprintf;
use bunraku_pcore::{Number, Regexp, Type, Value, format as formats, parse, serialize};
use bunraku_syntax::Issue;

use super::{on_text, on_two_texts};

/// Two data types, and what is asked of them.
pub(crate) fn data_type(bytes: &[u8]) {
    on_two_texts(bytes, |one, other| {
        let Ok(one) = parse::data_type(one) else { return };
        let _ = (one.to_string(), one.generalize().to_string(), one.is_instance(&Value::Type(one.clone())));
        let Ok(other) = parse::data_type(other) else { return };
        let _ = (one.is_assignable(&other), other.is_assignable(&one), Type::common(&one, &other).to_string());
    });
}

/// A regular expression and a text to find it in.
pub(crate) fn regexp(bytes: &[u8]) {
    on_two_texts(bytes, |pattern, text| {
        let Ok(regexp) = Regexp::new(pattern) else { return };
        let _ = (regexp.to_literal(), regexp.captures(text).is_ok());
        for found in regexp.matches(text) {
            let Ok(found) = found else { return };
            let _ = found.iter().count();
        }
    });
}

/// A format of `sprintf` and `String.new`, for values of all kinds.
pub(crate) fn format(bytes: &[u8]) {
    on_two_texts(bytes, |text, string| {
        let list = Value::from(vec![Value::Integer(10), Value::from(string), Value::Undef]);
        let hash = Value::hash([(Value::from("key"), list.clone()), (Value::Integer(1), Value::Boolean(true))]);
        let values = [
            Value::from(string),
            Value::Integer(-1234),
            Value::Integer(i64::MIN),
            Value::Float(12.5e-7),
            Value::Float(f64::NAN),
            Value::Boolean(false),
            Value::Undef,
            Value::Default,
            Value::Type(Type::data()),
            list,
            hash,
        ];
        let pattern = Value::from(text);
        for value in &values {
            let _ = formats::convert(value, &pattern);
            let _ = sprintf(text, std::slice::from_ref(value));
        }
        let _ = sprintf(text, &values);
    });
}

/// A format of spans and moments of time, and a text in that format.
pub(crate) fn time(bytes: &[u8]) {
    on_two_texts(bytes, |format, text| {
        if let Ok(format) = Format::new(format) {
            let parsed = format.parse(text);
            let fixed = Timespan::from_fields(true, [400, 23, 59, 59, 999, 999, 999]);
            for span in parsed.into_iter().chain([fixed]) {
                let _ = (span.format(&format), span.to_string());
            }
        }
        let parsed = Timestamp::parse(text, Formats::One(format), None);
        let fixed = Timestamp::from_nanoseconds(1_473_150_899_123_456_789);
        for moment in parsed.into_iter().chain([fixed]) {
            let _ = (moment.format(format, None), moment.format("%c", Some(Timezone::Named(text))), moment.to_string());
        }
        let _ = Timestamp::parse(text, Formats::Default, Some(Timezone::Named(format)));
    });
}

/// A range of versions, another one, and a version.
pub(crate) fn semver(bytes: &[u8]) {
    on_two_texts(bytes, |range, text| {
        let version = SemVer::parse(text);
        let Ok(range) = SemVerRange::parse(range) else { return };
        let _ = (range.to_string(), range.canonical());
        if let Ok(version) = version {
            let _ = (range.includes(&version), version.next_patch().to_string());
        }
        if let Ok(other) = SemVerRange::parse(text) {
            let _ = (range.intersection(&other).canonical(), range.covers(&other), range.merge(&other));
        }
    });
}

/// Rich data in JSON, as catalogs and Ruby have it.
pub(crate) fn rich_data(bytes: &[u8]) {
    let Ok(json) = serde_json::from_slice(bytes) else { return };
    let data = serialize::from_json(json);
    let Ok(value) = serialize::from_data(&data, &mut NoTypes) else { return };
    let _ = (value.to_string(), Type::infer_detailed(&value).to_string(), serialize::to_data(&value).is_ok());
}

/// Where no types are defined.
struct NoTypes;

impl Context for NoTypes {
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    fn utc_offset(&self) -> i32 {
        0
    }

    fn resolve(&mut self, _: &str) -> Result<Option<Type>, Issue> {
        Ok(None)
    }
}

/// The small texts: numbers, URIs, base 64, keys of lookups, references to resources.
pub(crate) fn scalar(bytes: &[u8]) {
    on_text(bytes, |text| {
        let _ = (Number::parse(text), Number::parse_ruby_integer(text, Some(16)), Number::parse_ruby_float(text));
        let _ = Uri::parse(text).map(|uri| uri.to_string());
        let _ = (Binary::from_base64(text), Binary::from_base64_strict(text), Binary::from_base64_url_safe(text));
        let _ = (Key::parse(text).is_ok(), Reference::parse(text));
    });
}
