//! What holds for all text: no parser and no format falls over, and what is printed reads back the same.

use proptest::prelude::*;

use crate::data_types::timespan::Format;
use crate::data_types::timestamp::{Formats, Timezone};
use crate::data_types::{Binary, SemVer, SemVerRange, Timespan, Timestamp, Uri};
use crate::float_text::float_text;
use crate::format::{convert, programmatic, sprintf::sprintf};
use crate::number::Number;
use crate::regexp::{Regexp, escape};
use crate::value::Value;

/// Text of pieces that mean something to a grammar, mixed with any characters.
fn text_of(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => proptest::sample::select(pieces).prop_map(str::to_owned), 1 => ".{0,2}"];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn pattern() -> impl Strategy<Value = String> {
    text_of(&[
        "(",
        ")",
        "(?:",
        "(?<n>",
        "(?i)",
        "(?=",
        "(?<=",
        "(?>",
        "[",
        "]",
        "[^",
        "[[:alpha:]]",
        "&&",
        "-",
        "\\",
        "\\p{L}",
        "{",
        "}",
        "{2,3}",
        "{,2}",
        "*",
        "+",
        "?",
        "|",
        "^",
        "$",
        ".",
        "\\A",
        "\\z",
        "\\Z",
        "\\w",
        "\\1",
        "\\k<n>",
        "\\g<n>",
        "\\x41",
        "\\u{41 42}",
        "a",
        "b",
        "é",
        "\n",
        "(?x) # ",
        "\\R",
        "\\X",
        "(?~a)",
        "(?(1)",
    ])
}

fn time_format() -> impl Strategy<Value = String> {
    text_of(&[
        "%", "-", "_", "0", "^", "#", ":", "5", "12", "D", "H", "M", "S", "L", "N", "Y", "m", "d", "z", "Z", "F", "T",
        "p", "j", "E", "O", "é", " ", "s", "C", "y", "b",
    ])
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undef),
        Just(Value::Default),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_map(Value::Float),
        ".{0,6}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((inner.clone(), inner), 0..4).prop_map(Value::hash),
        ]
    })
}

proptest! {
    #[test]
    fn any_pattern_is_read_and_used(source in pattern(), text in ".{0,20}") {
        if let Ok(regexp) = Regexp::new(&source) {
            prop_assert!(regexp.to_literal().len() >= 2);
            // A match may be given up, which is an issue and not a panic.
            let _ = regexp.captures(&text);
            let _ = regexp.matches(&text).count();
        }
    }

    #[test]
    fn escaped_text_matches_itself(text in any::<String>()) {
        let regexp = Regexp::new(&format!("\\A{}\\z", escape(&text)));
        prop_assert_eq!(regexp.and_then(|regexp| regexp.is_match(&text)).ok(), Some(true));
    }

    #[test]
    fn versions_read_back(major in 0u64..99, minor in 0u64..99, patch in 0u64..99, rest in "(-[a-z]{1,3}(\\.[1-9]{1,3})?)?(\\+[a-z0-9]{1,3})?") {
        let text = format!("{major}.{minor}.{patch}{rest}");
        prop_assert_eq!(SemVer::parse(&text).map(|version| version.to_string()).ok(), Some(text));
    }

    #[test]
    fn any_range_is_read(text in text_of(&["1", "2", ".", "x", "*", "-", " ", "||", ">", "<", "=", "~", "^", "v", "a", "+", "0"]), version in "[0-3]\\.[0-3]\\.[0-3](-a)?") {
        if let (Ok(range), Ok(version)) = (SemVerRange::parse(&text), SemVer::parse(&version)) {
            let canonical = SemVerRange::parse(&range.canonical());
            // The highest version of all has no text that reads back.
            if !range.canonical().contains("Infinity") {
                prop_assert_eq!(canonical.ok().map(|canonical| canonical.includes(&version)), Some(range.includes(&version)));
            }
            prop_assert!(!range.intersection(&range).includes(&version) || range.includes(&version));
        }
    }

    #[test]
    fn time_spans_read_back(seconds in -10_000_000i64..10_000_000) {
        let timespan = Timespan::from_nanoseconds(i128::from(seconds) * 1_000_000_000);
        prop_assert_eq!(Timespan::parse(&timespan.to_string()).ok(), Some(timespan));
    }

    #[test]
    fn timestamps_read_back(seconds in -60_000_000_000i64..200_000_000_000, nanosecond in 0i64..1_000_000_000) {
        let timestamp = Timestamp::from_nanoseconds(i128::from(seconds) * 1_000_000_000 + i128::from(nanosecond));
        prop_assert_eq!(Timestamp::parse(&timestamp.to_string(), Formats::Default, None).ok(), Some(timestamp));
    }

    #[test]
    fn any_time_format_is_used(format in time_format(), text in text_of(&["1", "12", ":", "-", "2000", "Z", " ", "Jan", "+02:00"]), seconds in any::<i64>()) {
        let nanoseconds = i128::from(seconds) * 1_000_000_007;
        let _ = Timestamp::from_nanoseconds(nanoseconds).format(&format, Some(Timezone::Named(&text)));
        let _ = Timestamp::from_nanoseconds(nanoseconds).format(&format, None);
        let _ = Timestamp::parse(&text, Formats::One(&format), None);
        if let Ok(format) = Format::new(&format) {
            let _ = Timespan::from_nanoseconds(nanoseconds).format(&format);
            let _ = format.parse(&text);
        }
    }

    #[test]
    fn any_format_is_used(format in text_of(&["%", "<", ">", "{", "}", "[", "(", "|", "#", "-", "+", " ", "0", "9", "12", ".", "*", "$", "a", "d", "x", "s", "p", "e", "g", "f", "b", "o", "c"]), value in value()) {
        let _ = convert(&value, &Value::from(format.as_str()));
        let _ = sprintf(&format, std::slice::from_ref(&value));
        prop_assert!(convert(&value, &Value::Default).is_ok());
        prop_assert!(!programmatic(&value).is_empty());
    }

    #[test]
    fn floats_read_back(number in any::<f64>()) {
        let read: Option<f64> = float_text(number).parse().ok();
        prop_assert!(number.is_nan() || number.is_infinite() || read == Some(number));
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = Number::parse(&text);
        let _ = Number::parse_ruby_integer(&text, Some(16));
        let _ = Number::parse_ruby_float(&text);
        if let Ok(uri) = Uri::parse(&text) {
            prop_assert_eq!(Uri::parse(&uri.to_string()).ok(), Some(uri));
        }
    }

    #[test]
    fn bytes_read_back(bytes in any::<Vec<u8>>()) {
        let binary = Binary::new(bytes);
        prop_assert_eq!(Binary::from_base64_strict(&binary.to_string()).ok(), Some(binary.clone()));
        prop_assert_eq!(Binary::from_base64(&binary.to_base64_lines()), binary.clone());
        prop_assert_eq!(Binary::from_base64_url_safe(&binary.to_base64_url_safe()).ok(), Some(binary));
    }
}
