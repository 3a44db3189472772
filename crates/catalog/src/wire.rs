//! The catalog as agents receive it: the only place that knows its JSON form.

mod data;
mod json;
mod read;

pub(crate) use json::Json;
pub use read::from_json;

use std::borrow::Cow;

use bunraku_pcore::{Value, serialize};
use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::catalog::{Catalog, Version};
use crate::resource::Resource;
use data::Data;

/// What a document is written to, piece by piece.
pub(crate) trait Writer {
    /// Begins a map.
    fn begin_map(&mut self);
    /// The key of the next entry.
    fn key(&mut self, key: &str);
    /// Ends the innermost map.
    fn end_map(&mut self);
    /// Begins a list.
    fn begin_list(&mut self);
    /// Ends the innermost list.
    fn end_list(&mut self);
    /// A string.
    fn string(&mut self, text: &str);
    /// A value that is plain data.
    fn data(&mut self, value: &Value);
}

/// How a catalog is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// With line breaks and indentation.
    pub is_pretty: bool,
    /// Without anything that differs from one compilation to the next.
    pub is_reproducible: bool,
}

/// The catalog as JSON.
pub fn to_json(catalog: &Catalog, options: Options) -> Result<String, Issue> {
    // Room for more than most catalogs take: what is not written to costs nothing, what grows is copied.
    let room = 4096 + 1024 * catalog.len() + 256 * catalog.edges.len();
    let mut json = Json::new(options.is_pretty, room);
    write(catalog, options, &mut json, &mut rich)?;
    Ok(json.finish())
}

/// The catalog as JSON for who does not know rich data: such values become strings, and `warn` is told of each. Only what
/// is sensitive stays marked.
pub fn to_plain_json(
    catalog: &Catalog,
    options: Options,
    warn: &mut dyn FnMut(&Resource, Issue),
) -> Result<String, Issue> {
    let mut json = Json::new(options.is_pretty, 4096);
    write(catalog, options, &mut json, &mut |resource, name, value| {
        let subject = format!("{}['{name}']", resource.reference.to_text());
        let plain = serialize::to_plain_data(value, &subject, &mut |issue| warn(resource, issue));
        Ok(Cow::Owned(serialize::to_data(&plain)?.into_owned()))
    })?;
    Ok(json.finish())
}

/// The catalog as plain data, for other notations.
pub fn to_data(catalog: &Catalog, options: Options) -> Result<Value, Issue> {
    let mut data = Data::default();
    write(catalog, options, &mut data, &mut rich)?;
    Ok(data.finish())
}

/// What is written for the value of a parameter.
type Convert<'c> = dyn for<'v> FnMut(&Resource, &str, &'v Value) -> Result<Cow<'v, Value>, Issue> + 'c;

fn rich<'v>(_: &Resource, _: &str, value: &'v Value) -> Result<Cow<'v, Value>, Issue> {
    serialize::to_data(value)
}

fn write<W: Writer>(
    catalog: &Catalog,
    options: Options,
    writer: &mut W,
    convert: &mut Convert<'_>,
) -> Result<(), Issue> {
    writer.begin_map();
    writer.key("tags");
    strings(catalog.tags.iter(), writer);
    writer.key("name");
    writer.string(&catalog.name);
    writer.key("version");
    match &catalog.version {
        Version::Time(_) if options.is_reproducible => writer.data(&Value::Integer(0)),
        Version::Time(seconds) => writer.data(&Value::Integer(seconds.cast_signed())),
        Version::Text(text) => writer.string(text),
    }
    writer.key("code_id");
    optional(catalog.code_id.as_ref(), writer);
    writer.key("catalog_uuid");
    optional(catalog.catalog_uuid.as_ref().filter(|_| !options.is_reproducible), writer);
    writer.key("catalog_format");
    writer.data(&Value::Integer(2));
    writer.key("environment");
    writer.string(&catalog.environment);
    writer.key("resources");
    writer.begin_list();
    for resource in catalog.resources() {
        write_resource(resource, writer, convert)?;
    }
    writer.end_list();
    writer.key("edges");
    writer.begin_list();
    for edge in &catalog.edges {
        writer.begin_map();
        writer.key("source");
        writer.string(&edge.source.to_text());
        writer.key("target");
        writer.string(&edge.target.to_text());
        writer.end_map();
    }
    writer.end_list();
    writer.key("classes");
    strings(catalog.classes.iter(), writer);
    writer.end_map();
    Ok(())
}

/// Absent places, parameters and sensitive parameters are left out rather than empty.
fn write_resource<W: Writer>(resource: &Resource, writer: &mut W, convert: &mut Convert<'_>) -> Result<(), Issue> {
    writer.begin_map();
    writer.key("type");
    writer.string(&resource.reference.type_name);
    writer.key("title");
    writer.string(&resource.reference.title);
    writer.key("tags");
    strings(resource.tags.iter(), writer);
    if let Some(file) = &resource.file {
        writer.key("file");
        writer.string(file);
    }
    if let Some(line) = resource.line {
        writer.key("line");
        writer.data(&Value::Integer(line.into()));
    }
    // Compatibility: what is not said to be exported says so after its kind.
    let mut keys = ["exported", "kind"];
    if resource.exported.is_none() {
        keys.reverse();
    }
    for key in keys {
        writer.key(key);
        match key {
            "kind" => writer.string(resource.kind.as_str()),
            _ => writer.data(&Value::Boolean(resource.is_exported())),
        }
    }
    if !resource.parameters.is_empty() {
        writer.key("parameters");
        writer.begin_map();
        for (name, value) in &resource.parameters {
            writer.key(name);
            writer.data(convert(resource, name, value)?.as_ref());
        }
        writer.end_map();
    }
    if !resource.sensitive_parameters.is_empty() {
        writer.key("sensitive_parameters");
        strings(resource.sensitive_parameters.iter(), writer);
    }
    writer.end_map();
    Ok(())
}

fn strings<'a, W: Writer>(texts: impl Iterator<Item = &'a EcoString>, writer: &mut W) {
    writer.begin_list();
    for text in texts {
        writer.string(text);
    }
    writer.end_list();
}

fn optional<W: Writer>(text: Option<&EcoString>, writer: &mut W) {
    match text {
        Some(text) => writer.string(text),
        None => writer.data(&Value::Undef),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::edge::Edge;
    use crate::reference::Reference;
    use crate::resource::Kind;

    fn catalog() -> Catalog {
        let mut catalog = Catalog::new("web1", "production");
        catalog.version = Version::Time(42);
        catalog.catalog_uuid = Some("u".into());
        catalog.tags.add("settings");
        catalog.classes.push("settings".into());
        let mut file = Resource::new(Reference::new("file", "/a"), Kind::CompilableType);
        file.parameters.insert("mode".into(), "0644".into());
        file.parameters.insert("weight".into(), Value::Float(1e20));
        file.parameters.insert("content".into(), Value::Default);
        file.sensitive_parameters.push("content".into());
        file.tags.add("file");
        file.file = Some("/site.pp".into());
        file.line = Some(3);
        catalog.add(Resource::new(Reference::main_class(), Kind::Unknown));
        catalog.add(file);
        catalog.edges.push(Edge { source: Reference::main_class(), target: Reference::new("file", "/a") });
        catalog
    }

    #[test]
    fn keys_have_the_order_agents_see() {
        let json = to_json(&catalog(), Options::default()).unwrap();
        assert_eq!(
            json,
            r#"{"tags":["settings"],"name":"web1","version":42,"code_id":null,"catalog_uuid":"u","catalog_format":2,"environment":"production","resources":[{"type":"Class","title":"main","tags":[],"exported":false,"kind":"unknown"},{"type":"File","title":"/a","tags":["file"],"file":"/site.pp","line":3,"exported":false,"kind":"compilable_type","parameters":{"mode":"0644","weight":1.0e+20,"content":{"__ptype":"Default"}},"sensitive_parameters":["content"]}],"edges":[{"source":"Class[main]","target":"File[/a]"}],"classes":["settings"]}"#
        );
        let reproducible = to_json(&catalog(), Options { is_reproducible: true, ..Options::default() }).unwrap();
        assert!(reproducible.contains(r#""version":0,"code_id":null,"catalog_uuid":null,"#));
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut catalog = catalog();
        // Rich data stays in the form in which it is sent.
        catalog.retain(|resource| resource.get("content").is_none());
        let json = to_json(&catalog, Options { is_pretty: true, ..Options::default() }).unwrap();
        let read = from_json(&json).unwrap();
        assert_eq!(to_json(&read, Options { is_pretty: true, ..Options::default() }).unwrap(), json);
        assert!(from_json("[]").is_err());
        assert!(from_json("{").is_err());
    }
}
