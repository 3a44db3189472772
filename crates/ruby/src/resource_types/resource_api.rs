//! Types of the Resource API: `Puppet::ResourceApi.register_type` with one hash that says everything.

use super::interpreter::Interpreter;
use super::type_dsl::TypeBuilder;
use super::value::Value;
use super::{ApplyTo, Attribute, AttributeKind, Pattern, TitlePattern};

impl<'pr> Interpreter<'_, 'pr> {
    /// Declares the type that a Resource API definition describes.
    pub(super) fn register_type(&mut self, definition: &Value<'pr>) {
        let Some(name) = definition.entry("name").and_then(Value::text) else {
            return;
        };
        let mut builder = TypeBuilder::new(name);
        let declared = &mut builder.declared;
        let doc = definition.entry("desc").or_else(|| definition.entry("docs"));
        declared.doc = doc.and_then(Value::text).unwrap_or_default().to_string();
        let features = definition.entry("features").map(Value::items).unwrap_or_default();
        declared.features = features.iter().filter_map(Value::text).map(str::to_string).collect();
        if declared.features.iter().any(|feature| feature == "remote_resource") {
            declared.apply_to = ApplyTo::Device;
        }
        if let Some(Value::Hash(attributes)) = definition.entry("attributes") {
            let attributes = attributes.iter().filter_map(|(name, options)| attribute(name.text()?, options));
            declared.attributes.extend(attributes);
        }
        let names = |key: &str| match definition.entry(key) {
            Some(Value::Hash(entries)) => {
                entries.iter().filter_map(|(key, _)| key.text()).map(str::to_lowercase).collect()
            }
            _ => Vec::new(),
        };
        declared.autorequire = names("autorequire");
        declared.autobefore = names("autobefore");
        declared.autosubscribe = names("autosubscribe");
        declared.autonotify = names("autonotify");
        match definition.entry("title_patterns") {
            Some(Value::Array(patterns)) => {
                builder.set_title_patterns(patterns.iter().filter_map(title_pattern).collect());
            }
            _ => {
                let first = declared.attributes.iter().find(|attribute| attribute.namevar);
                if let Some(name) = first.map(|attribute| attribute.name.clone()) {
                    builder.set_title_patterns(vec![TitlePattern::whole(&name)]);
                }
            }
        }
        self.types.push(builder);
    }
}

/// One attribute: `name: { type: 'String', behaviour: :namevar }`.
fn attribute(name: &str, options: &Value<'_>) -> Option<Attribute> {
    let behaviour = options.entry("behaviour").or_else(|| options.entry("behavior")).and_then(Value::text);
    let kind = match behaviour {
        Some("namevar" | "parameter" | "read_only") => AttributeKind::Parameter,
        _ => AttributeKind::Property,
    };
    let mut attribute = Attribute::new(name, kind);
    attribute.namevar = behaviour == Some("namevar");
    attribute.doc = options.entry("desc").and_then(Value::text).unwrap_or_default().to_string();
    let data_type = options.entry("type").and_then(Value::text)?;
    attribute.data_type = Some(data_type.to_string());
    let pattern = |source: &str| vec![Pattern { source: source.to_string(), ..Pattern::default() }];
    let bare = data_type.strip_prefix("Optional[").and_then(|inner| inner.strip_suffix(']')).unwrap_or(data_type);
    match bare.split('[').next().unwrap_or(bare) {
        "String" => attribute.patterns = pattern(""),
        "Boolean" => attribute.values = vec!["true".to_string(), "false".to_string()],
        "Integer" => attribute.patterns = pattern("^-?\\d+$"),
        "Enum" if data_type == "Enum[present, absent]" => {
            attribute.values = vec!["absent".to_string(), "present".to_string()];
        }
        _ => {}
    }
    Some(attribute)
}

/// `{ pattern: %r{…}, desc: '…' }`: the named groups are the attributes.
fn title_pattern(item: &Value<'_>) -> Option<TitlePattern> {
    let Some(Value::Regexp(pattern)) = item.entry("pattern") else {
        return None;
    };
    Some(TitlePattern { attributes: group_names(&pattern.source), pattern: pattern.as_ref().clone() })
}

/// The names of `(?<name>…)` groups in order.
fn group_names(source: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in source.split("(?<").skip(1) {
        let name: String = part.chars().take_while(|letter| *letter != '>').collect();
        let valid = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if valid && !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
