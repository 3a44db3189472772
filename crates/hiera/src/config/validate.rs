//! Compares a configuration with the data type it must have.

use std::sync::Arc;

use bunraku_notation::yaml;
use bunraku_pcore::data_types::{IntegerType, Member, StructType};
use bunraku_pcore::{Hash, Regexp, Type, Value, mismatch};
use bunraku_syntax::nearest;
use ecow::{EcoString, eco_format};

use crate::error::{Cause, Error};

pub(super) fn version_5(hash: &Hash, file: (&str, &str)) -> Result<(), Error> {
    let options = Type::hash(option_name(), Type::data(), None);
    let texts = Type::array(text(), Some(IntegerType::at_least(1)));
    let level = [
        required("name", text()),
        optional("options", options.clone()),
        optional("data_hash", text()),
        optional("lookup_key", text()),
        optional("hiera3_backend", text()),
        optional("v4_data_hash", text()),
        optional("data_dig", text()),
        optional("path", text()),
        optional("paths", texts.clone()),
        optional("glob", text()),
        optional("globs", texts.clone()),
        optional("uri", text()),
        optional("uris", texts),
        optional("mapped_paths", Type::array(text(), Some(IntegerType::exactly(3)))),
        optional("datadir", text()),
    ];
    let hierarchy = Type::array(structure(level), None);
    let defaults = structure([
        optional("data_hash", text()),
        optional("lookup_key", text()),
        optional("data_dig", text()),
        optional("datadir", text()),
        optional("options", options),
    ]);
    let expected = structure([
        required("version", Type::integer(IntegerType::exactly(5))),
        optional("defaults", defaults),
        optional("hierarchy", hierarchy.clone()),
        optional("plan_hierarchy", hierarchy.clone()),
        optional("default_hierarchy", hierarchy),
    ]);
    check(hash, &["defaults", "hierarchy"], &expected, file)
}

pub(super) fn version_4(hash: &Hash, file: (&str, &str)) -> Result<(), Error> {
    let level = structure([
        required("backend", text()),
        required("name", text()),
        optional("datadir", text()),
        optional("path", text()),
        optional("paths", Type::array(text(), None)),
    ]);
    let expected = structure([
        required("version", Type::integer(IntegerType::exactly(4))),
        optional("datadir", text()),
        optional("hierarchy", Type::array(level, None)),
    ]);
    check(hash, &["datadir", "hierarchy"], &expected, file)
}

pub(super) fn version_3(hash: &Hash, backends: &[ecow::EcoString], file: (&str, &str)) -> Result<(), Error> {
    let texts = Type::variant([text(), Type::array(text(), None)]);
    let merge_options = Type::hash(text(), Type::variant([Type::string(), Type::BOOLEAN]), None);
    let behaviors = ["deep", "deeper", "native"].map(Into::into);
    let mut members = vec![
        optional("version", Type::integer(IntegerType::exactly(3))),
        optional("backends", texts.clone()),
        optional("logger", text()),
        optional("merge_behavior", Type::enumeration(behaviors)),
        optional("deep_merge_options", merge_options),
        optional("hierarchy", texts),
    ];
    members.extend(backends.iter().map(|backend| optional(backend, Type::hash(text(), Type::Any, None))));
    let expected = Type::Struct(Arc::new(StructType { members }));
    let with_standards = ["version", "backends", "hierarchy", "merge_behavior", "deep_merge_options"];
    check(hash, &with_standards, &expected, file)
}

/// Checks a configuration of a file, the path and text of which are given. Where it has nothing for a key that has a
/// standard value, that value is taken.
fn check(hash: &Hash, with_standards: &[&str], expected: &Type, (path, text): (&str, &str)) -> Result<(), Error> {
    let is_given = |(key, value): &(&Value, &Value)| {
        value.is_truthy() || !key.as_str().is_some_and(|key| with_standards.contains(&key))
    };
    let given: Hash = hash.iter().filter(is_given).map(|(key, value)| (key.clone(), value.clone())).collect();
    let subject = format!("The Lookup Configuration at '{path}'");
    let given = Value::from(given);
    mismatch::assert_instance(&subject, expected, &given)
        .map_err(|issue| Error::from(issue).because(cause(&given, expected, path, text)))
}

/// Where a configuration is not what it must be, with the key that was probably meant.
fn cause(given: &Value, expected: &Type, path: &str, text: &str) -> Option<Cause> {
    let mut way = Vec::new();
    let unknown = fault(given, expected, &mut way);
    let place = yaml::locate(text.as_bytes(), &way)?;
    let cause = Cause::on_line(path, text.as_bytes(), place.line, Some(place.column));
    Some(match unknown {
        Some((key, known)) => Cause {
            headline: eco_format!("'{key}' is no key of a Hiera configuration here"),
            advice: match nearest(&key, &known) {
                Some(meant) => eco_format!("did you mean `{meant}`?"),
                None => eco_format!("known keys: {}", known.join(", ")),
            },
            ..cause
        },
        None => Cause { headline: "this Hiera configuration has a value of the wrong type".into(), ..cause },
    })
}

/// Goes to the first value that does not fit; gives an unknown key there with those that are known.
fn fault(given: &Value, expected: &Type, way: &mut Vec<Value>) -> Option<(EcoString, Vec<EcoString>)> {
    match (given, expected) {
        (Value::Hash(hash), Type::Struct(structure)) => {
            for (key, value) in hash.iter() {
                let name = key.as_str().unwrap_or_default();
                let Some(member) = structure.member(name) else {
                    way.push(key.clone());
                    let known = structure.members.iter().map(|member| member.name.clone());
                    return Some((name.into(), known.collect()));
                };
                if !member.value.is_instance(value) {
                    way.push(key.clone());
                    return fault(value, &member.value, way);
                }
            }
            None
        }
        (Value::Array(elements), Type::Array(array)) => {
            let (index, element) = (0_i64..).zip(elements.iter()).find(|(_, it)| !array.element.is_instance(it))?;
            way.push(Value::Integer(index));
            fault(element, &array.element, way)
        }
        _ => None,
    }
}

/// Text that is not empty.
fn text() -> Type {
    Type::string_of_size(IntegerType::at_least(1))
}

/// An option begins with a letter and ends with a letter or digit.
fn option_name() -> Type {
    Type::pattern(Regexp::new(r"\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z").ok().map(Arc::new))
}

fn structure(members: impl IntoIterator<Item = Member>) -> Type {
    Type::Struct(Arc::new(StructType { members: members.into_iter().collect() }))
}

fn required(name: &str, value: Type) -> Member {
    Member { name: name.into(), optional: false, value }
}

fn optional(name: &str, value: Type) -> Member {
    Member { name: name.into(), optional: true, value }
}
