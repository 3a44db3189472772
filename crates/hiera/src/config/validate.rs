//! Compares a configuration with the data type it must have.

use std::sync::Arc;

use bunraku_pcore::data_types::{IntegerType, Member, StructType};
use bunraku_pcore::{Hash, Regexp, Type, Value, mismatch};

use crate::error::Error;

pub(super) fn version_5(hash: &Hash, path: &str) -> Result<(), Error> {
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
    check(hash, &["defaults", "hierarchy"], &expected, path)
}

pub(super) fn version_4(hash: &Hash, path: &str) -> Result<(), Error> {
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
    check(hash, &["datadir", "hierarchy"], &expected, path)
}

pub(super) fn version_3(hash: &Hash, backends: &[ecow::EcoString], path: &str) -> Result<(), Error> {
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
    check(hash, &with_standards, &expected, path)
}

/// Checks a configuration. Where it has nothing for a key that has a standard value, that value is taken.
fn check(hash: &Hash, with_standards: &[&str], expected: &Type, path: &str) -> Result<(), Error> {
    let is_given = |(key, value): &(&Value, &Value)| {
        value.is_truthy() || !key.as_str().is_some_and(|key| with_standards.contains(&key))
    };
    let given: Hash = hash.iter().filter(is_given).map(|(key, value)| (key.clone(), value.clone())).collect();
    let subject = format!("The Lookup Configuration at '{path}'");
    Ok(mismatch::assert_instance(&subject, expected, &Value::from(given))?)
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
