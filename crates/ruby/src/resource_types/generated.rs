//! Types that `puppet generate types` has written down: one call in the Puppet language in `.resource_types/*.pp`.

use bunraku_syntax::Source;
use bunraku_syntax::ast::{Expr, ExprKind, Program};

use super::{Attribute, AttributeKind, Pattern, ResourceType, TitlePattern};

/// The resource type that a generated file describes; nothing if it is not such a file.
pub fn read_generated(source: &Source, program: &Program) -> Option<ResourceType> {
    let (name, properties, parameters, patterns, isomorphic) = arguments(&program.body)?;
    let mut declared = ResourceType {
        name: string(name)?.to_string(),
        isomorphic: !matches!(isomorphic.kind, ExprKind::Boolean(false)),
        ..ResourceType::default()
    };
    for (list, kind) in [(properties, AttributeKind::Property), (parameters, AttributeKind::Parameter)] {
        let ExprKind::Array(items) = &list.kind else { return None };
        let attributes: Option<Vec<_>> = items.iter().map(|item| attribute(item, kind, source)).collect();
        declared.attributes.extend(attributes?);
    }
    // Compatibility: here, unlike in Ruby, a property may be a namevar.
    declared.namevars = declared.attributes.iter().filter(|a| a.namevar).map(|a| a.name.clone()).collect();
    let ExprKind::Hash(entries) = &patterns.kind else { return None };
    let patterns: Option<Vec<_>> = entries.iter().map(|entry| title_pattern(&entry.key, &entry.value)).collect();
    declared.title_patterns = patterns?;
    Some(declared)
}

type Arguments<'e> = (&'e Expr, &'e Expr, &'e Expr, &'e Expr, &'e Expr);

/// The arguments of `Puppet::Resource::ResourceType3.new(name, properties, parameters, title patterns, isomorphic)`.
fn arguments(body: &Expr) -> Option<Arguments<'_>> {
    let body = match &body.kind {
        ExprKind::Block(statements) => statements.first()?,
        _ => body,
    };
    let ExprKind::MethodCall(call) = &body.kind else { return None };
    let named = matches!(&call.receiver.kind, ExprKind::TypeName(name) if name == "Puppet::Resource::ResourceType3");
    match &*call.args {
        [name, properties, parameters, patterns, isomorphic, ..] if named && *call.name == "new" => {
            Some((name, properties, parameters, patterns, isomorphic))
        }
        _ => None,
    }
}

/// `Puppet::Resource::Param(Enum['a'], 'name', true)`
fn attribute(item: &Expr, kind: AttributeKind, source: &Source) -> Option<Attribute> {
    let ExprKind::Call(call) = &item.kind else { return None };
    let [data_type, name, rest @ ..] = &*call.args else { return None };
    let mut attribute = Attribute::new(string(name)?, kind);
    attribute.namevar = matches!(rest, [Expr { kind: ExprKind::Boolean(true), .. }]);
    attribute.data_type = Some(source.slice(data_type.span).to_string());
    add_values(&mut attribute, data_type);
    Some(attribute)
}

/// The values inside `Enum`, `Pattern`, and a `Variant` of them.
fn add_values(attribute: &mut Attribute, data_type: &Expr) {
    let ExprKind::Access(access) = &data_type.kind else { return };
    let ExprKind::TypeName(name) = &access.left.kind else { return };
    for key in &access.keys {
        match (name.as_str(), &key.kind) {
            ("Enum", ExprKind::String(value)) => attribute.values.push(value.to_string()),
            ("Pattern", ExprKind::Regexp(source)) => attribute.patterns.push(pattern(source)),
            ("Variant", ExprKind::Access(_)) => add_values(attribute, key),
            _ => {}
        }
    }
}

fn title_pattern(key: &Expr, value: &Expr) -> Option<TitlePattern> {
    let (ExprKind::Regexp(source), ExprKind::Array(names)) = (&key.kind, &value.kind) else { return None };
    let attributes: Option<Vec<_>> = names.iter().map(|name| string(name).map(str::to_string)).collect();
    Some(TitlePattern { pattern: pattern(source), attributes: attributes? })
}

fn pattern(source: &str) -> Pattern {
    Pattern { source: source.to_string(), ..Pattern::default() }
}

fn string(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::String(text) | ExprKind::Name(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use bunraku_syntax::{FileId, parse};

    use super::*;

    fn read(text: &str) -> Option<ResourceType> {
        let source = Source::file(FileId::default(), "example.pp", text);
        read_generated(&source, &parse(&source).program)
    }

    #[test]
    fn reads_what_generate_writes() {
        let text = "# Words.\nPuppet::Resource::ResourceType3.new(\n  'example',\n  [\n    # doc\n    Puppet::Resource::Param(Variant[Boolean, Enum['true', 'false'], Pattern[/x\\/y/]], 'enabled'),\n    Puppet::Resource::Param(Any, 'place', true)\n  ],\n  [\n    Puppet::Resource::Param(Any, 'name', true)\n  ],\n  {\n    /(?m-ix:(.*))/ => ['name']\n  },\n  false,\n  false)\n";
        let declared = read(text).unwrap();
        assert_eq!(declared.name, "example");
        assert_eq!(declared.namevars, ["place", "name"]);
        assert!(!declared.isomorphic);
        let enabled = declared.attributes.first().unwrap();
        assert_eq!(enabled.values, ["true", "false"]);
        assert_eq!(enabled.patterns, [pattern("x/y")]);
        assert_eq!(enabled.data_type.as_deref(), Some("Variant[Boolean, Enum['true', 'false'], Pattern[/x\\/y/]]"));
        assert_eq!(
            declared.title_patterns,
            [TitlePattern { pattern: pattern("(?m-ix:(.*))"), attributes: vec!["name".to_string()] }]
        );
        assert_eq!(read("notice('x')"), None);
        assert_eq!(read("Puppet::Resource::ResourceType3.new('a', 1, [], {}, true)"), None);
    }
}
