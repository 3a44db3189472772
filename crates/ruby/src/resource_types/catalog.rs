//! The way from a declaration read here to the schema the compiler works with.

use bunraku_catalog::resource_type as schema;
use bunraku_catalog::title;

use super::{Attribute, AttributeKind, Pattern, ResourceType, TitlePattern};

impl From<ResourceType> for schema::ResourceType {
    fn from(declared: ResourceType) -> Self {
        let is_isomorphic = declared.isomorphic;
        let attributes: Vec<schema::Attribute> = declared.attributes.into_iter().map(Into::into).collect();
        let built = schema::ResourceType::new(declared.name, attributes)
            .namevars(declared.namevars)
            .features(declared.features)
            .providers(declared.providers);
        let built = match declared.title_patterns.as_slice() {
            // The whole title is the namevar anyway.
            [] => built,
            [only] if *only == TitlePattern::whole(only.attributes.first().map_or("", |name| name)) => built,
            patterns => built.title_patterns(patterns.iter().map(|pattern| {
                title::TitlePattern::new(in_text(&pattern.pattern), pattern.attributes.iter().cloned())
            })),
        };
        if is_isomorphic { built } else { built.not_isomorphic() }
    }
}

impl From<Attribute> for schema::Attribute {
    fn from(declared: Attribute) -> Self {
        schema::Attribute {
            kind: match declared.kind {
                AttributeKind::Property => schema::AttributeKind::Property,
                AttributeKind::Parameter => schema::AttributeKind::Parameter,
            },
            values: declared.values.into_iter().map(Into::into).collect(),
            patterns: declared.patterns.iter().map(|pattern| in_text(pattern).into()).collect(),
            features: declared.required_features.into_iter().map(Into::into).collect(),
            ..schema::Attribute::parameter(declared.name)
        }
    }
}

/// The regular expression as one text: options are written inside.
fn in_text(pattern: &Pattern) -> String {
    if pattern.ignore_case || pattern.extended || pattern.multi_line {
        pattern.embedded()
    } else {
        pattern.source.clone()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::super::read_resource_types;
    use super::*;

    #[test]
    fn titles_are_taken_apart_as_declared() {
        let text = "Puppet::Type.newtype(:x) do\n newparam(:name)\n newparam(:host, namevar: true)\n def self.title_patterns\n  [[/^(.*)@(.*)$/i, [[:name], [:host]]]]\n end\nend";
        let declared = read_resource_types("x.rb", text, &|_| None).pop().unwrap();
        let built: schema::ResourceType = declared.into();
        let found = built.titles.take_apart("a@b", &built.namevars).unwrap();
        assert_eq!(found, [("name", "a".into()), ("host", "b".into())]);
        assert!(built.has_attribute("host") && !built.has_attribute("nope"));
    }
}
