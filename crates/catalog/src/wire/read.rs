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
    let name = string(data, "name")?.unwrap_or_default();
    let mut catalog = Catalog::new(name, string(data, "environment")?.unwrap_or_default());
    catalog.version = match data.get("version") {
        Some(Json::String(text)) => Version::Text(text.into()),
        version => {
            Version::Time(version.and_then(Json::as_i64).and_then(|seconds| seconds.try_into().ok()).unwrap_or(0))
        }
    };
    catalog.code_id = string(data, "code_id")?;
    catalog.catalog_uuid = string(data, "catalog_uuid")?;
    catalog.tags = strings(data, "tags")?.collect();
    catalog.classes = strings(data, "classes")?.collect();
    let Some(resources) = data.get("resources").and_then(Json::as_array) else {
        return Err(issues::not_a_catalog());
    };
    catalog.reserve(resources.len());
    for resource in resources {
        catalog.add(read_resource(resource)?);
    }
    for edge in field(data, "edges", Json::as_array)?.into_iter().flatten() {
        let end = |key| string(edge, key)?.as_deref().and_then(reference_of).ok_or_else(|| issues::malformed("edges"));
        catalog.edges.push(Edge { source: end("source")?, target: end("target")? });
    }
    Ok(catalog)
}

fn read_resource(data: &Json) -> Result<Resource, Issue> {
    let type_name = string(data, "type")?.ok_or_else(|| issues::resource_without("type"))?;
    let title = string(data, "title")?.ok_or_else(|| issues::resource_without("title"))?;
    let kind = string(data, "kind")?.map(|kind| Kind::parse(&kind)).unwrap_or_default();
    let mut resource = Resource::new(Reference { type_name, title }, kind);
    resource.tags = strings(data, "tags")?.collect();
    resource.file = string(data, "file")?;
    resource.line = data.get("line").and_then(Json::as_u64).and_then(|line| line.try_into().ok());
    let keys = data.as_object().into_iter().flat_map(|object| object.keys());
    let exported = field(data, "exported", Json::as_bool)?;
    let says_kind_first =
        keys.into_iter().find(|key| *key == "kind" || *key == "exported").is_some_and(|key| key == "kind");
    resource.exported = exported.filter(|exported| *exported || !says_kind_first);
    resource.is_virtual = field(data, "virtual", Json::as_bool)?.unwrap_or(false);
    resource.sensitive_parameters = strings(data, "sensitive_parameters")?.collect();
    for (name, value) in field(data, "parameters", Json::as_object)?.into_iter().flatten() {
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

/// A field of a certain shape, which may be missing. One of another shape is not passed over: a secret could hang on it.
fn field<'d, T>(data: &'d Json, key: &str, read: impl FnOnce(&'d Json) -> Option<T>) -> Result<Option<T>, Issue> {
    match data.get(key).filter(|value| !value.is_null()) {
        Some(value) => read(value).map(Some).ok_or_else(|| issues::malformed(key)),
        None => Ok(None),
    }
}

fn string(data: &Json, key: &str) -> Result<Option<EcoString>, Issue> {
    Ok(field(data, key, Json::as_str)?.map(EcoString::from))
}

fn strings(data: &Json, key: &str) -> Result<impl Iterator<Item = EcoString>, Issue> {
    let all = |value: &Json| {
        value.as_array()?.iter().map(|text| text.as_str().map(EcoString::from)).collect::<Option<Vec<_>>>()
    };
    Ok(field(data, key, all)?.unwrap_or_default().into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_another_shape_is_refused() {
        let refused = |text: &str| from_json(text).err().map(|issue| issue.message().to_owned());
        let check = |field: &str, json: &str| {
            assert_eq!(refused(json), Some(issues::malformed(field).message().to_owned()), "{json}");
        };
        let resource = |rest: &str| format!(r#"{{"resources": [{{"type": "A", "title": "b", {rest}}}]}}"#);
        assert_eq!(refused(r#"{"resources": [], "name": null, "classes": ["a"]}"#), None);
        assert_eq!(refused(&resource(r#""sensitive_parameters": ["a"], "virtual": false, "line": 3"#)), None);
        check("name", r#"{"resources": [], "name": 5}"#);
        check("classes", r#"{"resources": [], "classes": "a"}"#);
        check("classes", r#"{"resources": [], "classes": [5]}"#);
        check("edges", r#"{"resources": [], "edges": {}}"#);
        check("edges", r#"{"resources": [], "edges": [5]}"#);
        check("target", r#"{"resources": [], "edges": [{"source": "A[b]", "target": 5}]}"#);
        check("edges", r#"{"resources": [], "edges": [{"source": "A[b]", "target": "c"}]}"#);
        check("title", r#"{"resources": [{"type": "A", "title": 5}]}"#);
        check("sensitive_parameters", &resource(r#""sensitive_parameters": "a""#));
        check("parameters", &resource(r#""parameters": [1]"#));
        check("exported", &resource(r#""exported": "no""#));
    }
}
