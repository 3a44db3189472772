//! The text form of an object type: the hash that defines it.

use std::fmt::{self, Write};

use super::{Attribute, AttributeKind, ObjectType};
use crate::data_type::Type;
use crate::quote::quote;
use crate::text::TypeWriter;
use crate::value::Value;

/// Writes `Object[{…}]`. Types inside of it are shown by their names.
pub(super) fn write_definition(object_type: &ObjectType, writer: &mut TypeWriter<'_>) -> fmt::Result {
    writer.text("Object[{")?;
    writer.with_expansion(false, |writer| write_entries(object_type, writer))?;
    writer.text("}]")
}

fn write_entries(object_type: &ObjectType, writer: &mut TypeWriter<'_>) -> fmt::Result {
    let definition = object_type.definition();
    let mut separator = "";
    let mut key = |writer: &mut TypeWriter<'_>, name: &str| {
        let start = std::mem::replace(&mut separator, ", ");
        write!(writer, "{start}{name} => ")
    };
    if let Some(annotations) = &definition.annotations {
        key(writer, "annotations")?;
        writer.value(annotations)?;
    }
    if let Some(name) = object_type.type_name().filter(|name| !writer.is_of_type_set(name)) {
        key(writer, "name")?;
        writer.text(&quote(name))?;
    }
    if let Some(parent) = &definition.parent {
        key(writer, "parent")?;
        writer.data_type(parent)?;
    }
    if !definition.type_parameters.is_empty() {
        key(writer, "type_parameters")?;
        write_members(writer, &definition.type_parameters, |writer, parameter| match &parameter.data_type {
            Type::Optional(optional) => writer.data_type(optional.contained.as_ref().unwrap_or(&parameter.data_type)),
            other => writer.data_type(other),
        })?;
    }
    let (constants, attributes): (Vec<&Attribute>, Vec<&Attribute>) =
        definition.attributes.iter().partition(|attribute| is_plain_constant(attribute));
    if !attributes.is_empty() {
        key(writer, "attributes")?;
        write_members(writer, attributes, write_attribute)?;
    }
    if !constants.is_empty() {
        key(writer, "constants")?;
        write_members(writer, constants, |writer, constant| writer.value(&constant.default_value()))?;
    }
    if !definition.functions.is_empty() {
        key(writer, "functions")?;
        let functions = definition.functions.iter().map(|function| Attribute {
            is_final: function.is_final,
            is_override: function.is_override,
            ..Attribute::plain(&function.name, function.data_type.clone(), None)
        });
        let functions: Vec<Attribute> = functions.collect();
        write_members(writer, &functions, write_attribute)?;
    }
    if let Some(equality) = &definition.equality {
        key(writer, "equality")?;
        writer.value(&Value::array(equality.iter().cloned().map(Value::String)))?;
    }
    if let Some(checks) = &definition.checks {
        key(writer, "checks")?;
        writer.value(checks)?;
    }
    Ok(())
}

/// A constant whose type goes without saying.
fn is_plain_constant(attribute: &Attribute) -> bool {
    attribute.kind == Some(AttributeKind::Constant)
        && attribute.value.as_ref().is_some_and(|value| attribute.data_type == Type::infer_generalized(value))
}

fn write_members<'a>(
    writer: &mut TypeWriter<'_>,
    members: impl IntoIterator<Item = &'a Attribute>,
    write: impl Fn(&mut TypeWriter<'_>, &Attribute) -> fmt::Result,
) -> fmt::Result {
    writer.text("{")?;
    for (index, member) in members.into_iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(writer, "{separator}{} => ", quote(&member.name))?;
        write(writer, member)?;
    }
    writer.text("}")
}

/// The type alone, if there is no more to say.
fn write_attribute(writer: &mut TypeWriter<'_>, attribute: &Attribute) -> fmt::Result {
    let is_final = attribute.is_final && attribute.kind != Some(AttributeKind::Constant);
    let is_plain = !is_final && !attribute.is_override && attribute.kind.is_none() && attribute.value.is_none();
    if is_plain {
        return writer.data_type(&attribute.data_type);
    }
    writer.text("{type => ")?;
    writer.data_type(&attribute.data_type)?;
    if is_final {
        writer.text(", final => true")?;
    }
    if attribute.is_override {
        writer.text(", override => true")?;
    }
    if let Some(kind) = attribute.kind {
        write!(writer, ", kind => {}", kind.as_str())?;
    }
    if let Some(value) = &attribute.value {
        writer.text(", value => ")?;
        writer.value(value)?;
    }
    writer.text("}")
}
