//! What messages call a value: `an Integer`, `a File['x'] Resource-Reference`.

use std::borrow::Cow;

use ecow::{EcoString, eco_format};

use crate::data_type::Type;
use crate::value::Value;

/// What messages call a value.
pub fn label(value: &Value) -> Cow<'static, str> {
    let name = match value {
        Value::Undef => "Undef Value",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Regexp(_) => "Regexp",
        Value::SemVer(_) => "Semver",
        Value::SemVerRange(_) => "SemverRange",
        Value::Timespan(_) => "Timespan",
        Value::Timestamp(_) => "Timestamp",
        Value::Binary(_) => "Binary",
        Value::Sensitive(_) => "Sensitive",
        Value::Type(data_type) if data_type.is_held() => "Resource Statement",
        Value::Type(data_type) => return type_label(data_type).into(),
        Value::Default | Value::Iterator(_) | Value::Object(_) | Value::Uri(_) | Value::Symbol(_) => "Object",
    };
    name.into()
}

/// What messages call a type.
pub fn type_label(data_type: &Type) -> String {
    match data_type {
        Type::Resource(resource) if resource.title.is_some() => format!("{data_type} Resource-Reference"),
        _ => format!("{data_type}-Type"),
    }
}

/// The text with the indefinite article before it.
pub fn a_an(text: &str) -> EcoString {
    eco_format!("{} {text}", article(text))
}

/// The text with the capitalized indefinite article before it.
pub fn a_an_capitalized(text: &str) -> EcoString {
    let article = if article(text) == "an" { "An" } else { "A" };
    eco_format!("{article} {text}")
}

/// The indefinite article for a text; a quote before the first letter does not count.
pub fn article(text: &str) -> &'static str {
    let mut letters = text.chars();
    let mut first = letters.next();
    if matches!(first, Some('"' | '\'')) {
        first = letters.next();
    }
    match first.map(|letter| letter.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}

/// The name of the class that holds such a value in the reference; some of its messages show it.
pub fn host_class(value: &Value) -> Cow<'static, str> {
    let name = match value {
        Value::Undef => "NilClass",
        Value::Default | Value::Symbol(_) => "Symbol",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Regexp(_) => "Regexp",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Uri(uri) => return uri.host_class().into(),
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Iterator(_) => "Puppet::Pops::Types::Iterator",
        // Classes of object types are made at run time and have no name.
        Value::Object(object) if object.object_type().label() != "Error" => "#<Class:0x0>",
        Value::Object(_) => "Puppet::DataTypes::Error",
        Value::Type(data_type) if data_type.is_held() => "Puppet::Resource",
        Value::Type(data_type) => return type_host_class(data_type).into(),
    };
    name.into()
}

/// What Ruby calls a value that it cannot convert.
pub fn in_conversion(value: &Value) -> Cow<'static, str> {
    match value {
        Value::Undef => "nil".into(),
        Value::Boolean(value) => value.to_string().into(),
        value => host_class(value),
    }
}

/// What messages call the class of a value, where the reference hands them the class itself.
pub(crate) fn class_label(value: &Value) -> Cow<'static, str> {
    match value {
        Value::Type(data_type) => format!("{}-Type", type_class_name(data_type)).into(),
        Value::Object(object) => match object.object_type().label() {
            "Error" => "Puppet::DataTypes::Error".into(),
            name => name.to_owned().into(),
        },
        other => host_class(other),
    }
}

fn type_host_class(data_type: &Type) -> String {
    format!("Puppet::Pops::Types::P{}Type", type_class_name(data_type))
}

fn type_class_name(data_type: &Type) -> &str {
    match data_type {
        Type::Alias(_) => "TypeAlias",
        Type::Object(_) => "Object",
        Type::TypeSet(_) => "TypeSet",
        other => other.name(),
    }
}

/// The type of a value that was given where another one was expected.
pub(crate) fn given(value: &Value) -> String {
    Type::infer_generalized(value).to_string()
}
