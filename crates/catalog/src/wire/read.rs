//! Reads a catalog back from its JSON form, ours or the reference's.

use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;
use bunraku_syntax::deep;
use ecow::EcoString;
use serde_json::Value as Json;

use crate::catalog::{Catalog, Version};
use crate::edge::Edge;
use crate::issues;
use crate::reference::Reference;
use crate::resource::{Kind, Resource};

/// Reads a catalog. Values of parameters stay in the form in which they are sent.
pub fn from_json(text: &str) -> Result<Catalog, Issue> {
    let document: Json = serde_json::from_str(text).map_err(|error| issues::not_json(&error.to_string()))?;
    // Some tools wrap the catalog.
    let data = document.get("data").filter(|data| data.get("resources").is_some()).unwrap_or(&document);
    let mut catalog =
        Catalog::new(text_of(data, "name").unwrap_or_default(), text_of(data, "environment").unwrap_or_default());
    catalog.version = match data.get("version") {
        Some(Json::String(text)) => Version::Text(text.into()),
        version => Version::Time(version.and_then(Json::as_u64).unwrap_or(0)),
    };
    catalog.code_id = text_of(data, "code_id");
    catalog.catalog_uuid = text_of(data, "catalog_uuid");
    catalog.tags = texts_of(data, "tags").collect();
    catalog.classes = texts_of(data, "classes").collect();
    let Some(resources) = data.get("resources").and_then(Json::as_array) else {
        return Err(issues::not_a_catalog());
    };
    catalog.reserve(resources.len());
    for resource in resources {
        catalog.add(read_resource(resource)?);
    }
    for edge in data.get("edges").and_then(Json::as_array).into_iter().flatten() {
        let end = |key| edge.get(key).and_then(Json::as_str).and_then(reference_of);
        if let (Some(source), Some(target)) = (end("source"), end("target")) {
            catalog.edges.push(Edge { source, target });
        }
    }
    Ok(catalog)
}

fn read_resource(data: &Json) -> Result<Resource, Issue> {
    let type_name = text_of(data, "type").ok_or_else(|| issues::resource_without("type"))?;
    let title = text_of(data, "title").ok_or_else(|| issues::resource_without("title"))?;
    let kind = text_of(data, "kind").map(|kind| Kind::parse(&kind)).unwrap_or_default();
    let mut resource = Resource::new(Reference { type_name, title }, kind);
    resource.tags = texts_of(data, "tags").collect();
    resource.file = text_of(data, "file");
    resource.line = data.get("line").and_then(Json::as_u64).and_then(|line| line.try_into().ok());
    let keys = data.as_object().into_iter().flat_map(|object| object.keys());
    let exported = data.get("exported").and_then(Json::as_bool);
    let says_kind_first =
        keys.into_iter().find(|key| *key == "kind" || *key == "exported").is_some_and(|key| key == "kind");
    resource.exported = exported.filter(|exported| *exported || !says_kind_first);
    resource.is_virtual = data.get("virtual") == Some(&Json::Bool(true));
    resource.sensitive_parameters = texts_of(data, "sensitive_parameters").collect();
    for (name, value) in data.get("parameters").and_then(Json::as_object).into_iter().flatten() {
        resource.parameters.insert(name.into(), value_of(value));
    }
    Ok(resource)
}

/// References in catalogs are canonical already.
fn reference_of(text: &str) -> Option<Reference> {
    let (type_name, rest) = text.split_once('[')?;
    Some(Reference { type_name: type_name.into(), title: rest.strip_suffix(']')?.into() })
}

/// The parser limits the depth of what it reads, so the recursion is bounded.
fn value_of(data: &Json) -> Value {
    deep(|| match data {
        Json::Null => Value::Undef,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::Integer(integer),
            None => Value::Float(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => Value::array(elements.iter().map(value_of)),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (Value::string(key.as_str()), value_of(value)));
            Value::from(entries.collect::<Hash>())
        }
    })
}

fn text_of(data: &Json, key: &str) -> Option<EcoString> {
    data.get(key)?.as_str().map(EcoString::from)
}

fn texts_of<'d>(data: &'d Json, key: &str) -> impl Iterator<Item = EcoString> + use<'d> {
    data.get(key).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).map(EcoString::from)
}
