//! Data types as plain data: the name of the type's own type, and its parameters where they are not the default.

use bunraku_syntax::deep;
use std::sync::Arc;

use ecow::EcoString;

use super::{TYPE_KEY, convert as convert_value};
use crate::data_type::Type;
use crate::data_types::{Attribute, FloatType, IntegerType, Member, ObjectType, StringType, TupleType};
use crate::hash::Hash;
use crate::issues::Issue;
use crate::regexp::Regexp;
use crate::value::Value;

/// Collects the parameters of one type.
struct Fields {
    entries: Hash,
    depth: usize,
}

/// A data type as plain data.
pub(super) fn convert(data_type: &Type, depth: usize) -> Result<Value, Issue> {
    deep(|| {
        let Some(depth) = depth.checked_sub(1) else {
            // The reference names the class of its own that stands for a recursive alias.
            return Err(Issue::new(
                "SERIALIZATION_ENDLESS_RECURSION",
                "Endless recursion detected when attempting to serialize value of class Puppet::Pops::Types::PTypeAliasType",
            ));
        };
        let mut fields = Fields::new(meta_name(data_type), depth);
        match data_type {
            Type::Integer(range) => fields.range(range.from.map(Value::from), range.to.map(Value::from))?,
            Type::Float(range) => fields.float_range(range)?,
            Type::String(string) => match &**string {
                StringType::Any => {}
                StringType::Size(size) => fields.size("size_type_or_value", Some(*size))?,
                StringType::Value(text) => fields.set("size_type_or_value", Value::String(text.clone())),
            },
            Type::Enum(values) => {
                fields.set("values", Value::array(values.values.iter().cloned().map(Value::String)));
                if values.case_insensitive {
                    fields.set("case_insensitive", Value::Boolean(true));
                }
            }
            Type::Pattern(patterns) => {
                fields.set("patterns", Value::array(patterns.patterns.iter().map(regexp_type)));
            }
            Type::Regexp(regexp) => {
                if let Some(pattern) = &regexp.pattern {
                    fields.set("pattern", pattern.source().into());
                }
            }
            Type::Timespan(range) => fields.range(
                range.from.map(|time| Value::Timespan(Arc::new(time))),
                range.to.map(|time| Value::Timespan(Arc::new(time))),
            )?,
            Type::Timestamp(range) => fields.range(
                range.from.map(|time| Value::Timestamp(Arc::new(time))),
                range.to.map(|time| Value::Timestamp(Arc::new(time))),
            )?,
            Type::SemVer(versions) if !versions.ranges.is_empty() => {
                let ranges = versions.ranges.iter().map(|range| Value::SemVerRange(Arc::new(range.clone())));
                fields.set_rich("ranges", &Value::array(ranges))?;
            }
            Type::Uri(uri) => {
                if let Some(parameters) = &uri.parameters {
                    fields.set_rich("parameters", &Value::Hash(parameters.clone()))?;
                }
            }
            Type::Collection(collection) => fields.size("size_type", collection.size)?,
            Type::Array(array) if !array.is_default() => {
                fields.data_type("element_type", &array.element)?;
                fields.size("size_type", array.size)?;
            }
            Type::Hash(hash) if !hash.is_default() => {
                fields.data_type("key_type", &hash.key)?;
                fields.data_type("value_type", &hash.value)?;
                fields.size("size_type", hash.size)?;
            }
            Type::Tuple(tuple) => fields.tuple(tuple)?,
            Type::Struct(members) => {
                let members: Result<Vec<Value>, Issue> = members.members.iter().map(|it| member(it, depth)).collect();
                fields.set("elements", Value::from(members?));
            }
            Type::Variant(variant) => fields.data_types("types", &variant.types)?,
            Type::Optional(it) => fields.optional("type", it.contained.as_ref())?,
            Type::NotUndef(it) => fields.optional("type", it.contained.as_ref())?,
            Type::Type(it) => fields.optional("type", it.contained.as_ref())?,
            Type::Iterable(it) => fields.optional("type", it.element.as_ref())?,
            Type::Iterator(it) => fields.optional("type", it.element.as_ref())?,
            Type::Init(init) => {
                fields.optional("type", init.contained.as_ref())?;
                if !init.args.is_empty() {
                    fields.set_rich("init_args", &Value::array(init.args.iter().cloned()))?;
                }
            }
            Type::Callable(callable) => {
                // All three are always there.
                let parameters = callable.parameters.clone().map(|tuple| Type::Tuple(Arc::new(tuple)));
                for (name, part) in
                    [("param_types", &parameters), ("block_type", &callable.block), ("return_type", &callable.returned)]
                {
                    match part {
                        Some(part) => fields.data_type(name, part)?,
                        None => fields.set(name, Value::Undef),
                    }
                }
            }
            Type::Class(class) => fields.text("class_name", class.class_name.as_ref()),
            Type::Resource(resource) => {
                fields.text("type_name", resource.type_name.as_ref());
                fields.text("title", resource.title.as_ref());
            }
            Type::Runtime(runtime) => {
                fields.text("runtime", runtime.runtime.as_ref());
                fields.text("name_or_pattern", runtime.type_name.as_ref());
            }
            Type::Alias(alias) => {
                fields.text("name", Some(alias.alias_name()));
                fields.set("type_expr", Value::Undef);
                fields.data_type("resolved_type", alias.resolved())?;
            }
            Type::Object(object_type) if !object_type.is_default() => {
                let definition = object_definition(object_type, depth)?;
                fields.set("_pcore_init_hash", definition);
            }
            Type::ObjectExtension(extension) => {
                fields.data_type("base_type", &Type::Object(extension.base.clone()))?;
                fields.set_rich("init_parameters", &Value::Hash(extension.parameters.clone()))?;
            }
            Type::Reference(reference) => fields.text("type_string", Some(&reference.text)),
            _ => {}
        }
        Ok(fields.entries.into())
    })
}

/// The name of the type of a type: `Pcore::IntegerType`.
fn meta_name(data_type: &Type) -> String {
    let name = match data_type {
        Type::Alias(_) => "TypeAlias",
        Type::Reference(_) => "TypeReference",
        // These go by names of their own.
        Type::Resource(_) => "Resource",
        Type::Object(_) => "Object",
        Type::ObjectExtension(_) => "ObjectTypeExtension",
        other => other.name(),
    };
    format!("Pcore::{name}Type")
}

fn regexp_type(pattern: &Arc<Regexp>) -> Value {
    Value::hash([(TYPE_KEY.into(), "Pcore::RegexpType".into()), ("pattern".into(), pattern.source().into())])
}

/// The hash that defines an object type, with plain data in it.
fn object_definition(object_type: &ObjectType, depth: usize) -> Result<Value, Issue> {
    let definition = object_type.definition();
    let mut entries = Hash::new();
    if let Some(name) = object_type.type_name() {
        entries.insert("name".into(), Value::String(name.clone()));
    }
    if let Some(parent) = &definition.parent {
        entries.insert("parent".into(), convert(parent, depth)?);
    }
    let attributes = definition.attributes.iter();
    let attributes = attributes.map(|it| Ok((Value::String(it.name.clone()), attribute(it, depth)?)));
    let attributes = attributes.collect::<Result<Hash, Issue>>()?;
    if !attributes.is_empty() {
        entries.insert("attributes".into(), attributes.into());
    }
    let functions = definition.functions.iter();
    let functions = functions.map(|it| Ok((Value::String(it.name.clone()), convert(&it.data_type, depth)?)));
    let functions = functions.collect::<Result<Hash, Issue>>()?;
    if !functions.is_empty() {
        entries.insert("functions".into(), functions.into());
    }
    Ok(entries.into())
}

/// The type alone, if there is no more to say.
fn attribute(attribute: &Attribute, depth: usize) -> Result<Value, Issue> {
    let data_type = convert(&attribute.data_type, depth)?;
    if attribute.kind.is_none() && attribute.value.is_none() {
        return Ok(data_type);
    }
    let mut entries = Hash::new();
    entries.insert("type".into(), data_type);
    if let Some(kind) = attribute.kind {
        entries.insert("kind".into(), kind.as_str().into());
    }
    if let Some(value) = &attribute.value {
        entries.insert("value".into(), convert_value(value, depth)?);
    }
    Ok(entries.into())
}

fn member(member: &Member, depth: usize) -> Result<Value, Issue> {
    let mut fields = Fields::new("Pcore::StructElement".to_owned(), depth);
    fields.data_type("key_type", &member.key_type())?;
    fields.data_type("value_type", &member.value)?;
    Ok(fields.entries.into())
}

impl Fields {
    fn new(name: String, depth: usize) -> Self {
        Fields { entries: std::iter::once((TYPE_KEY.into(), name.into())).collect(), depth }
    }

    /// Sets a field that is plain data.
    fn set(&mut self, name: &str, value: Value) {
        self.entries.insert(name.into(), value);
    }

    /// Sets a field that may be rich data.
    fn set_rich(&mut self, name: &str, value: &Value) -> Result<(), Issue> {
        let value = convert_value(value, self.depth)?;
        self.set(name, value);
        Ok(())
    }

    fn text(&mut self, name: &str, text: Option<&EcoString>) {
        if let Some(text) = text {
            self.set(name, Value::String(text.clone()));
        }
    }

    fn data_type(&mut self, name: &str, data_type: &Type) -> Result<(), Issue> {
        let value = convert(data_type, self.depth)?;
        self.set(name, value);
        Ok(())
    }

    fn optional(&mut self, name: &str, data_type: Option<&Type>) -> Result<(), Issue> {
        data_type.map_or(Ok(()), |data_type| self.data_type(name, data_type))
    }

    fn data_types(&mut self, name: &str, data_types: &[Type]) -> Result<(), Issue> {
        let values: Result<Vec<Value>, Issue> = data_types.iter().map(|it| convert(it, self.depth)).collect();
        self.set(name, Value::from(values?));
        Ok(())
    }

    fn tuple(&mut self, tuple: &TupleType) -> Result<(), Issue> {
        self.data_types("types", &tuple.types)?;
        self.size("size_type", tuple.size)
    }

    /// A lower limit that is open counts as given when there is an upper one.
    fn range(&mut self, from: Option<Value>, to: Option<Value>) -> Result<(), Issue> {
        if from.is_some() || to.is_some() {
            self.set_rich("from", &from.into())?;
        }
        to.map_or(Ok(()), |to| self.set_rich("to", &to))
    }

    fn float_range(&mut self, range: &FloatType) -> Result<(), Issue> {
        let limit = |limit: f64| limit.is_finite().then_some(Value::Float(limit));
        self.range(limit(range.from), limit(range.to))
    }

    fn size(&mut self, name: &str, size: Option<IntegerType>) -> Result<(), Issue> {
        size.map_or(Ok(()), |size| self.data_type(name, &Type::integer(size)))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    /// Shows `Pcore::XType` as `X` with its fields.
    fn show(value: &Value) -> String {
        match value {
            Value::Hash(hash) => {
                let name = hash.get_str(TYPE_KEY).and_then(Value::as_str).unwrap_or("?");
                let name = name.strip_prefix("Pcore::").and_then(|name| name.strip_suffix("Type")).unwrap_or(name);
                let fields =
                    hash.iter().skip(1).map(|(key, value)| format!("{} {}", key.as_str().unwrap(), show(value)));
                format!("{name}({})", fields.collect::<Vec<_>>().join(", "))
            }
            Value::Array(elements) => format!("[{}]", elements.iter().map(show).collect::<Vec<_>>().join(", ")),
            Value::String(text) => text.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Undef => "null".to_owned(),
            other => format!("{other:?}"),
        }
    }

    fn check(data_type: Type, expected: &str) {
        assert_eq!(show(&convert(&data_type, 100).unwrap()), expected);
    }

    #[test]
    fn parameters_are_fields() {
        let integer = |from, to| Type::integer(IntegerType::new(from, to).unwrap());
        check(integer(Some(1), Some(2)), "Integer(from 1, to 2)");
        check(integer(None, Some(2)), "Integer(from null, to 2)");
        check(integer(Some(1), None), "Integer(from 1)");
        check(Type::string(), "String()");
        check(Type::string_value("x"), "String(size_type_or_value x)");
        check(Type::array(integer(None, None), None), "Array(element_type Integer())");
        check(Type::optional(Type::string()), "Optional(type String())");
        check(Type::tuple(vec![Type::Any, Type::Undef], None), "Tuple(types [Any(), Undef()])");
        let reference = Type::resource("file", Some("/a".into()));
        check(Type::type_of(Some(reference)), "Type(type Resource(type_name File, title /a))");
    }
}
