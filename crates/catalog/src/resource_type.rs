//! The schema of a resource type: its attributes, what names a resource, and what it depends on by itself.
//!
//! The built-in ones are on the shelf `resource_types/`; those of modules are made at run time in the same form.

use std::borrow::Cow;

use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::graph::Relation;
use crate::reference::Reference;
use crate::resource::Parameters;
use crate::title::{TitlePattern, Titles};

/// Text that is part of the program or was found in a module.
pub type Text = Cow<'static, str>;

/// What is known about a resource type at compile time.
#[derive(Debug, Clone, Default)]
pub struct ResourceType {
    /// The name in lower case.
    pub name: Text,
    /// The module it comes from; nothing for the types of Puppet itself.
    pub module: Option<Text>,
    /// Its properties and parameters, in the order of their definition, without the metaparameters.
    pub attributes: Vec<Attribute>,
    /// The attributes that name a resource. With exactly one, `name` is another word for it.
    pub namevars: Vec<Text>,
    /// How the namevars are found in a title.
    pub titles: Titles,
    /// Whether the same name means the same thing, so that two resources may not share it.
    pub is_isomorphic: bool,
    /// Whether it reacts to `notify` and `subscribe`.
    pub is_refreshable: bool,
    /// Whether a change of the resource refreshes itself too.
    pub refreshes_itself: bool,
    /// What its providers may be able to do.
    pub features: Vec<Text>,
    /// Its known providers.
    pub providers: Vec<Text>,
    /// Resources that come before, if they are in the catalog.
    pub autorequires: Vec<Autorelation>,
    /// Resources that come after, if they are in the catalog.
    pub autobefores: Vec<Autorelation>,
}

impl ResourceType {
    /// A type with these attributes whose resources are named by their title.
    pub fn new(name: impl Into<Text>, attributes: impl Into<Vec<Attribute>>) -> Self {
        ResourceType {
            name: name.into(),
            attributes: attributes.into(),
            namevars: vec!["name".into()],
            is_isomorphic: true,
            ..ResourceType::default()
        }
    }

    /// Says which module the type comes from.
    #[must_use]
    pub fn module(self, name: impl Into<Text>) -> Self {
        ResourceType { module: Some(name.into()), ..self }
    }

    /// Sets the attributes that name a resource.
    #[must_use]
    pub fn namevars<T: Into<Text>>(self, names: impl IntoIterator<Item = T>) -> Self {
        ResourceType { namevars: texts(names), ..self }
    }

    /// Titles are paths: slashes at the end do not count.
    #[must_use]
    pub fn titles_are_paths(self) -> Self {
        ResourceType { titles: Titles::Path, ..self }
    }

    /// Titles are taken apart by the first pattern that matches.
    #[must_use]
    pub fn title_patterns(self, patterns: impl IntoIterator<Item = TitlePattern>) -> Self {
        ResourceType { titles: Titles::Patterns(patterns.into_iter().collect()), ..self }
    }

    /// The same name may be declared more than once.
    #[must_use]
    pub fn not_isomorphic(self) -> Self {
        ResourceType { is_isomorphic: false, ..self }
    }

    /// The type reacts to `notify` and `subscribe`.
    #[must_use]
    pub fn refreshable(self) -> Self {
        ResourceType { is_refreshable: true, ..self }
    }

    /// A change refreshes the resource itself too.
    #[must_use]
    pub fn refreshes_itself(self) -> Self {
        ResourceType { refreshes_itself: true, ..self }
    }

    /// Names what its providers may be able to do.
    #[must_use]
    pub fn features<T: Into<Text>>(self, names: impl IntoIterator<Item = T>) -> Self {
        ResourceType { features: texts(names), ..self }
    }

    /// Names its providers.
    #[must_use]
    pub fn providers<T: Into<Text>>(self, names: impl IntoIterator<Item = T>) -> Self {
        ResourceType { providers: texts(names), ..self }
    }

    /// Resources of `type_name` come before if the rule finds them.
    #[must_use]
    pub fn autorequire(mut self, type_name: impl Into<Text>, rule: Rule) -> Self {
        self.autorequires.push(Autorelation { type_name: type_name.into(), rule });
        self
    }

    /// Resources of `type_name` come after if the rule finds them.
    #[must_use]
    pub fn autobefore(mut self, type_name: impl Into<Text>, rule: Rule) -> Self {
        self.autobefores.push(Autorelation { type_name: type_name.into(), rule });
        self
    }

    /// The property or parameter of this name. `name` stands for a single namevar.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let find = |name: &str| self.attributes.iter().find(|attribute| attribute.name == name);
        find(name).or_else(|| match self.namevars.as_slice() {
            [namevar] if name == "name" => find(namevar),
            _ => None,
        })
    }

    /// Whether a resource may have this attribute, metaparameters included.
    pub fn has_attribute(&self, name: &str) -> bool {
        is_metaparameter(name) || self.attribute(name).is_some()
    }

    /// What tells a resource from others of this type: the values of the namevars, sorted by their names. A namevar that
    /// is not given is found in the title.
    pub fn uniqueness_key<'v>(
        &self,
        title: &str,
        given: impl Fn(&str) -> Option<&'v Value>,
    ) -> Result<Vec<Value>, Issue> {
        let from_title = self.titles.take_apart(title, &self.namevars)?;
        let value_of = |name: &str| match given(name).filter(|value| !value.is_undef()) {
            Some(value) => Some(value.clone()),
            None => from_title.iter().find(|(it, _)| *it == name).map(|(_, text)| Value::String(text.clone())),
        };
        let namevar = self.namevar();
        let mut names: Vec<&str> = self.namevars.iter().map(|name| &**name).collect();
        names.sort_unstable();
        let key = names.into_iter().map(|name| match value_of(name) {
            None if name == namevar || name == "name" => {
                value_of(namevar).or_else(|| value_of("name")).unwrap_or_else(|| title.into())
            }
            value => value.unwrap_or_default(),
        });
        Ok(key.collect())
    }

    /// Whether the title alone names a resource, as it does nearly always: it is the value of the only namevar, and no
    /// attribute says otherwise.
    pub fn is_named_by(&self, title: &str, is_given: impl Fn(&str) -> bool) -> bool {
        let is_whole = match self.titles {
            Titles::Whole => true,
            Titles::Path => !title.ends_with('/') && !title.is_empty(),
            Titles::Patterns(_) => false,
        };
        matches!(self.namevars.as_slice(), [namevar] if is_whole && !is_given(namevar) && !is_given("name"))
    }

    /// The attribute that `name` stands for.
    pub fn namevar(&self) -> &str {
        match self.namevars.as_slice() {
            [namevar] => namevar,
            _ => "name",
        }
    }

    /// Whether the attribute names the resource.
    pub fn is_namevar(&self, name: &str) -> bool {
        self.namevars.iter().any(|namevar| namevar == name) || (name == "name" && self.namevars.len() == 1)
    }
}

/// The parameters of a resource as agents receive them: what the title says comes first, in place of what is given
/// later; what has no value or only repeats the title is left out. Classes and defined types have no resource type.
pub fn resolve(
    resource_type: Option<&ResourceType>,
    reference: &Reference,
    mut parameters: Parameters,
) -> Result<Parameters, Issue> {
    let title = &reference.title;
    let namevar = resource_type.map_or("name", ResourceType::namevar);
    parameters.retain(|_, value| !value.is_undef());
    // Compatibility: the titles of the main stage and the main class are not text for the reference, so they are kept.
    let is_main = title == "main" && matches!(reference.type_name.as_str(), "Stage" | "Class");
    let is_given = |name: &str| parameters.contains_key(name);
    let is_named_by_title = match resource_type {
        Some(resource_type) => resource_type.is_named_by(title, is_given),
        None => !is_given("name"),
    };
    if is_named_by_title && !is_main {
        return Ok(parameters);
    }
    let mut resolved = Parameters::with_capacity(parameters.len() + 1);
    match resource_type {
        Some(resource_type) => {
            let from_title = resource_type.titles.take_apart(title, &resource_type.namevars)?;
            // A part of a title that is empty says nothing.
            let is_said = |text: &ecow::EcoString| !text.is_empty() || resource_type.namevars.len() == 1;
            let said = from_title.into_iter().filter(|(_, text)| is_said(text));
            resolved.extend(said.map(|(name, text)| (name.into(), Value::String(text))));
        }
        None => drop(resolved.insert(namevar.into(), Value::String(title.clone()))),
    }
    for (name, value) in parameters {
        // `name` is another word for the only namevar.
        let name = if name == "name" { namevar.into() } else { name };
        resolved.insert(name, value);
    }
    if !is_main && resolved.get(namevar).and_then(Value::as_str) == Some(title) {
        resolved.remove(namevar);
    }
    Ok(resolved)
}

/// A property or parameter.
#[derive(Debug, Clone, Default)]
pub struct Attribute {
    /// Its name.
    pub name: Text,
    /// Whether it is a property or a parameter.
    pub kind: AttributeKind,
    /// The literal values it takes; empty when it takes anything.
    pub values: Vec<Text>,
    /// Other spellings of values: spelling, value.
    pub aliases: Vec<(Text, Text)>,
    /// Regular expressions of other values it takes.
    pub patterns: Vec<Text>,
    /// What a provider must be able to do for it.
    pub features: Vec<Text>,
    /// Its value when none is given.
    pub default: AttributeDefault,
    /// Whether it takes `true`, `false`, `yes` and `no`.
    pub is_boolean: bool,
    /// How a list is compared.
    pub shape: Shape,
}

/// What an attribute describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AttributeKind {
    /// A state of the machine that can be read and changed.
    Property,
    /// How a resource is managed.
    #[default]
    Parameter,
}

/// The value of an attribute that is not given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AttributeDefault {
    /// None.
    #[default]
    Absent,
    /// Always the same.
    Literal(Text),
    /// Depends on the machine, the provider or the settings.
    Computed,
}

/// How the value of an attribute is taken when it is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// Any element will do.
    #[default]
    First,
    /// The elements count as a whole.
    All,
    /// A list that may be complete or a minimum.
    List,
    /// Pairs of keys and values that may be complete or a minimum.
    KeyValue,
}

impl Attribute {
    /// A property that takes anything.
    pub fn property(name: impl Into<Text>) -> Self {
        Attribute { kind: AttributeKind::Property, ..Attribute::parameter(name) }
    }

    /// A parameter that takes anything.
    pub fn parameter(name: impl Into<Text>) -> Self {
        Attribute { name: name.into(), ..Attribute::default() }
    }

    /// Names the literal values.
    #[must_use]
    pub fn values<T: Into<Text>>(self, values: impl IntoIterator<Item = T>) -> Self {
        Attribute { values: texts(values), ..self }
    }

    /// Adds another spelling of a value.
    #[must_use]
    pub fn alias(mut self, spelling: impl Into<Text>, value: impl Into<Text>) -> Self {
        self.aliases.push((spelling.into(), value.into()));
        self
    }

    /// Gives regular expressions of further values.
    #[must_use]
    pub fn patterns<T: Into<Text>>(self, patterns: impl IntoIterator<Item = T>) -> Self {
        Attribute { patterns: texts(patterns), ..self }
    }

    /// Names what a provider must be able to do.
    #[must_use]
    pub fn features<T: Into<Text>>(self, features: impl IntoIterator<Item = T>) -> Self {
        Attribute { features: texts(features), ..self }
    }

    /// Sets the value when none is given.
    #[must_use]
    pub fn default_value(self, value: impl Into<Text>) -> Self {
        Attribute { default: AttributeDefault::Literal(value.into()), ..self }
    }

    /// The value when none is given is found out on the machine.
    #[must_use]
    pub fn computed_default(self) -> Self {
        Attribute { default: AttributeDefault::Computed, ..self }
    }

    /// It takes booleans.
    #[must_use]
    pub fn boolean(self) -> Self {
        Attribute { is_boolean: true, ..self.values(["true", "false", "yes", "no"]) }
    }

    /// Says how a list is compared.
    #[must_use]
    pub fn shape(self, shape: Shape) -> Self {
        Attribute { shape, ..self }
    }
}

/// A dependency that follows from attributes alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Autorelation {
    /// The type of the other resource, in lower case.
    pub type_name: Text,
    /// Which resources of that type.
    pub rule: Rule,
}

/// How the other resources of an autorequire are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// By the name in an attribute, or each name if it is a list. Numbers are no names.
    Attribute(Text),
    /// By the name in an attribute, or by a number that the other resource has in an attribute of the same name.
    NameOrNumber(Text),
    /// The path in an attribute: the nearest directory above it that is declared.
    NearestParent(Text),
    /// The path in an attribute: every directory above it.
    Parents(Text),
    /// The path in an attribute: everything below it.
    Children(Text),
    /// The commands in an attribute: the absolute paths they start with.
    Commands(Text),
}

/// The metaparameters, which every resource may have, in the reference's order.
pub const METAPARAMETERS: [&str; 11] =
    ["noop", "schedule", "audit", "loglevel", "alias", "tag", "require", "subscribe", "before", "notify", "stage"];

/// Whether every resource may have this attribute.
pub fn is_metaparameter(name: &str) -> bool {
    METAPARAMETERS.contains(&name)
}

/// Whether the metaparameter orders resources.
pub fn is_relationship(name: &str) -> bool {
    Relation::named(name).is_some()
}

fn texts<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Vec<Text> {
    items.into_iter().map(Into::into).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn check(type_name: &str, title: &str, given: &[(&str, &str)], resolved: &str, key: &str) {
        let resource_type = crate::resource_types::builtin(type_name);
        let parameters: Parameters = given.iter().map(|(name, value)| ((*name).into(), Value::from(*value))).collect();
        let found = resolve(resource_type, &Reference::new(type_name, title), parameters.clone()).unwrap();
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={}", value.as_str().unwrap())).collect();
        assert_eq!(found.join(" "), resolved);
        if let Some(resource_type) = resource_type {
            let found = resource_type.uniqueness_key(title, |name| parameters.get(name)).unwrap();
            let found: Vec<&str> = found.iter().map(|value| value.as_str().unwrap_or("-")).collect();
            assert_eq!(found.join(" "), key);
        }
    }

    #[test]
    fn titles_and_namevars_are_reconciled() {
        check("file", "/a", &[("mode", "1")], "mode=1", "/a");
        check("file", "/a/", &[("mode", "1")], "path=/a mode=1", "/a");
        check("file", "x", &[("mode", "1"), ("path", "/b/")], "path=/b/ mode=1", "/b/");
        check("file", "x", &[("mode", "1"), ("name", "/b")], "path=/b mode=1", "x");
        check("package", "vim", &[("provider", "gem")], "provider=gem", "- vim gem");
        check("sshkey", "a@rsa", &[("key", "k")], "name=a type=rsa key=k", "a rsa");
        check("my::define", "t", &[("x", "1"), ("name", "n")], "name=n x=1", "");
    }
}
