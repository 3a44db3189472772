//! Compares the YAML reader with what Psych made of the same texts.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test states its expectation")]

use bunraku_notation::yaml;
use bunraku_pcore::Value;
use serde_json::Value as Json;

#[test]
fn texts_are_read_as_psych_reads_them() {
    let cases = include_str!("yaml.jsonl");
    let mut failures = Vec::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let expect = &case["expect"];
        let actual = yaml::load(text.as_bytes(), "data.yaml");
        let is_same = match &actual {
            Err(error) => expect["error"].as_str() == Some(&error.message),
            Ok(document) => match &document.value {
                None => expect["empty"] == true,
                Some(value) => expect.get("value").is_some_and(|expected| matches(value, expected)),
            },
        };
        if !is_same {
            failures.push(format!("{text:?}\n  expected {expect}\n  got {actual:?}"));
        }
    }
    assert!(failures.is_empty(), "{} texts differ:\n{}", failures.len(), failures.join("\n"));
}

/// Whether a value is what was recorded. Symbols are read as their names, and integers beyond 64 bits as their digits.
fn matches(value: &Value, expected: &Json) -> bool {
    match (value, expected) {
        (Value::Default, Json::Object(object)) => object.get("$symbol").is_some_and(|name| name == "default"),
        (Value::String(text), Json::Object(object)) => {
            object.get("$symbol").is_some_and(|name| name == text.as_str()) || object.contains_key("$integer")
        }
        (Value::Float(float), Json::Object(object)) => {
            let expected: f64 = object["$float"].as_str().unwrap().replace("Infinity", "inf").parse().unwrap();
            *float == expected || float.is_nan() && expected.is_nan()
        }
        (Value::Hash(hash), Json::Object(object)) => {
            let entries = distinct(object["$hash"].as_array().unwrap());
            hash.len() == entries.len()
                && hash.iter().zip(&entries).all(|((key, value), (expected_key, expected))| {
                    matches(key, expected_key) && matches(value, expected)
                })
        }
        (Value::Undef, Json::Null) => true,
        (Value::Boolean(boolean), Json::Bool(expected)) => boolean == expected,
        (Value::Integer(integer), Json::Number(expected)) => expected.as_i64() == Some(*integer),
        (Value::String(text), Json::String(expected)) => text == expected.as_str(),
        (Value::Array(elements), Json::Array(expected)) => {
            elements.len() == expected.len() && elements.iter().zip(expected).all(|(a, b)| matches(a, b))
        }
        _ => false,
    }
}

/// The entries of a recorded hash after symbols have become text: the last of equal keys wins, at the first one's place.
fn distinct(entries: &[Json]) -> Vec<(Json, Json)> {
    let mut distinct: Vec<(Json, Json)> = Vec::new();
    for entry in entries {
        let (key, value) = (&entry[0], &entry[1]);
        let key = key.get("$symbol").unwrap_or(key);
        match distinct.iter_mut().find(|(known, _)| known == key) {
            Some(known) => known.1 = value.clone(),
            None => distinct.push((key.clone(), value.clone())),
        }
    }
    distinct
}

#[test]
fn a_text_can_end_anywhere() {
    for line in include_str!("yaml.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        for (end, _) in text.char_indices() {
            // Right or wrong, it is read to its end.
            let _ = yaml::load(text.as_bytes().get(..end).unwrap(), "data.yaml");
            let _ = yaml::locate(text.as_bytes().get(..end).unwrap(), &["a".into(), "b".into()]);
        }
    }
}

#[test]
fn a_text_cannot_grow_without_bound() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, previous) in ["b", "c", "d", "e", "f", "g", "h", "i", "j"].iter().zip("abcdefghi".chars()) {
        let aliases = vec![format!("*{previous}"); 10].join(", ");
        bomb.push_str(&format!("{name}: &{name} [{aliases}]\n"));
    }
    let check = |text: &str, expected: &str| match yaml::load(text.as_bytes(), "data.yaml") {
        Ok(_) => panic!("expected an error: {expected}"),
        Err(error) => assert_eq!(error.message, expected),
    };
    check(&bomb, "(data.yaml): aliases stand for too many values at line 6 column 36");
    check(&"[".repeat(10_000), "(data.yaml): collections are nested too deeply at line 1 column 502");
    check("&a [*a]", "(data.yaml): Alias 'a' stands for what it is part of");
}

#[test]
fn values_are_written_as_psych_writes_them() {
    let mut failures = Vec::new();
    for line in include_str!("emit.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let actual = yaml::emit(&value(&case["value"]));
        if case["yaml"] != actual.as_str() {
            failures.push(format!("{}\n  expected {}\n  got      {actual:?}", case["value"], case["yaml"]));
        }
    }
    assert!(failures.is_empty(), "{} values differ:\n{}", failures.len(), failures.join("\n"));
}

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(boolean) => Value::Boolean(*boolean),
        Json::Number(number) => number.as_i64().map_or_else(|| Value::Float(number.as_f64().unwrap()), Value::Integer),
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => Value::array(elements.iter().map(value)),
        Json::Object(object) => Value::hash(object.iter().map(|(key, json)| (Value::from(key.as_str()), value(json)))),
    }
}
