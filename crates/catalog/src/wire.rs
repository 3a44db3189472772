//! The catalog as agents receive it: the only place that knows its JSON form.

mod json;
mod read;
mod yaml;

pub use json::Json;
pub use read::from_json;
pub use yaml::Yaml;

use bunraku_syntax::deep;
use std::io;

use bunraku_pcore::float_text::float_text;
use bunraku_pcore::{Value, serialize};
use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::catalog::{Catalog, Version};
use crate::resource::Resource;

/// What a document is written to, piece by piece.
pub trait Writer {
    /// Begins a map of this many entries.
    fn begin_map(&mut self, length: usize);
    /// The key of the next entry.
    fn key(&mut self, key: &str);
    /// Ends the innermost map.
    fn end_map(&mut self);
    /// Begins a list of this many elements.
    fn begin_list(&mut self, length: usize);
    /// Ends the innermost list.
    fn end_list(&mut self);
    /// Text.
    fn string(&mut self, text: &str);
    /// What is written the same in every notation: numbers, booleans and `null`.
    fn literal(&mut self, text: &str);
    /// What has been written; it may be taken away at any time.
    fn text(&mut self) -> &mut String;
    /// The text of the document, or what is left of it.
    fn finish(self) -> String
    where
        Self: Sized;
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
    to_text(catalog, options, Json::with_room(options.is_pretty, room))
}

/// The catalog as YAML.
pub fn to_yaml(catalog: &Catalog, options: Options) -> Result<String, Issue> {
    to_text(catalog, options, Yaml::new())
}

fn to_text(catalog: &Catalog, options: Options, mut writer: impl Writer) -> Result<String, Issue> {
    write(catalog, options, &mut writer, |_| Ok::<(), Issue>(()))?;
    Ok(writer.finish())
}

/// Whether the catalog can be written: every value has a form that agents understand.
pub fn check(catalog: &Catalog) -> Result<(), Issue> {
    let mut values = catalog.resources().flat_map(|resource| resource.parameters.values());
    values.try_for_each(|value| serialize::to_data(value).map(drop))
}

/// Writes the catalog as JSON and ends its last line, without ever holding all of its text. Who must not leave half of a
/// document asks [`check`] first.
pub fn write_json(catalog: &Catalog, options: Options, to: &mut dyn io::Write) -> io::Result<()> {
    write_blocks(catalog, options, Json::with_room(options.is_pretty, 2 * BLOCK), to)
}

/// Writes the catalog as YAML, in the way of [`write_json`].
pub fn write_yaml(catalog: &Catalog, options: Options, to: &mut dyn io::Write) -> io::Result<()> {
    write_blocks(catalog, options, Yaml::new(), to)
}

/// How much text is gathered before it is written.
const BLOCK: usize = 16 * 1024;

fn write_blocks(
    catalog: &Catalog,
    options: Options,
    mut writer: impl Writer,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    write(catalog, options, &mut writer, |text| {
        if text.len() >= BLOCK {
            to.write_all(text.as_bytes())?;
            text.clear();
        }
        Ok::<(), io::Error>(())
    })?;
    let mut text = writer.finish();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    to.write_all(text.as_bytes())
}

/// Writes all of a catalog; the text may be passed on after each resource and edge.
fn write<E: From<Issue>>(
    catalog: &Catalog,
    options: Options,
    writer: &mut dyn Writer,
    mut pass_on: impl FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    writer.begin_map(10);
    writer.key("tags");
    strings(catalog.tags.iter(), writer);
    writer.key("name");
    writer.string(&catalog.name);
    writer.key("version");
    match &catalog.version {
        Version::Time(_) if options.is_reproducible => writer.literal("0"),
        Version::Time(seconds) => writer.literal(&seconds.to_string()),
        Version::Text(text) => writer.string(text),
    }
    writer.key("code_id");
    optional(catalog.code_id.as_ref(), writer);
    writer.key("catalog_uuid");
    optional(catalog.catalog_uuid.as_ref().filter(|_| !options.is_reproducible), writer);
    writer.key("catalog_format");
    writer.literal("2");
    writer.key("environment");
    writer.string(&catalog.environment);
    writer.key("resources");
    writer.begin_list(catalog.len());
    for resource in catalog.resources() {
        write_resource(resource, writer)?;
        pass_on(writer.text())?;
    }
    writer.end_list();
    writer.key("edges");
    writer.begin_list(catalog.edges.len());
    for edge in &catalog.edges {
        writer.begin_map(2);
        writer.key("source");
        writer.string(&edge.source.to_text());
        writer.key("target");
        writer.string(&edge.target.to_text());
        writer.end_map();
        pass_on(writer.text())?;
    }
    writer.end_list();
    writer.key("classes");
    strings(catalog.classes.iter(), writer);
    writer.end_map();
    Ok(())
}

/// Absent places, parameters and sensitive parameters are left out rather than empty.
fn write_resource(resource: &Resource, writer: &mut dyn Writer) -> Result<(), Issue> {
    let parameters = resource.parameters.len();
    let sensitive = &resource.sensitive_parameters;
    let optional = [resource.file.is_some(), resource.line.is_some(), parameters > 0, !sensitive.is_empty()];
    writer.begin_map(5 + optional.into_iter().filter(|is_there| *is_there).count());
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
        writer.literal(&line.to_string());
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
            _ => writer.literal(if resource.is_exported() { "true" } else { "false" }),
        }
    }
    if parameters > 0 {
        writer.key("parameters");
        writer.begin_map(parameters);
        for (name, value) in &resource.parameters {
            writer.key(name);
            write_data(serialize::to_data(value)?.as_ref(), writer);
        }
        writer.end_map();
    }
    if !sensitive.is_empty() {
        writer.key("sensitive_parameters");
        strings(sensitive.iter(), writer);
    }
    writer.end_map();
    Ok(())
}

/// A value that is plain data, in one line of JSON.
pub fn data_text(value: &Value) -> String {
    let mut json = Json::new(false);
    write_data(value, &mut json);
    json.finish()
}

/// Writes a value that is plain data.
pub fn write_data(value: &Value, writer: &mut dyn Writer) {
    deep(|| match value {
        Value::Boolean(true) => writer.literal("true"),
        Value::Boolean(false) => writer.literal("false"),
        Value::Integer(number) => writer.literal(&number.to_string()),
        Value::Float(number) if number.is_finite() => writer.literal(&float_text(*number)),
        Value::String(text) => writer.string(text),
        Value::Array(elements) => {
            writer.begin_list(elements.len());
            for element in elements.iter() {
                write_data(element, writer);
            }
            writer.end_list();
        }
        Value::Hash(hash) => {
            writer.begin_map(hash.len());
            for (key, value) in hash.iter() {
                writer.key(key.as_str().unwrap_or_default());
                write_data(value, writer);
            }
            writer.end_map();
        }
        _ => writer.literal("null"),
    })
}

fn strings<'a>(texts: impl ExactSizeIterator<Item = &'a EcoString>, writer: &mut dyn Writer) {
    writer.begin_list(texts.len());
    for text in texts {
        writer.string(text);
    }
    writer.end_list();
}

fn optional(text: Option<&EcoString>, writer: &mut dyn Writer) {
    match text {
        Some(text) => writer.string(text),
        None => writer.literal("null"),
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
