//! Autorequires: relationships that follow from the attributes of resources.

use std::borrow::Cow;
use std::cell::LazyCell;

use bunraku_pcore::Value;
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::catalog::Catalog;
use crate::reference::Reference;
use crate::resource::Resource;
use crate::resource_type::{ResourceType, Rule};
use crate::resource_types::builtin;
use crate::title::without_trailing_slashes;

/// The resources of a catalog, each with its type if that is known.
pub(super) struct Typed<'c> {
    catalog: &'c Catalog,
    types: Vec<Option<&'c ResourceType>>,
}

impl<'c> Typed<'c> {
    /// Finds the type of each resource; many have the same.
    pub(super) fn new(catalog: &'c Catalog) -> Self {
        let mut known: FxHashMap<&EcoString, Option<&ResourceType>> = FxHashMap::default();
        let types = catalog.resources().map(|resource| {
            let name = &resource.reference.type_name;
            *known.entry(name).or_insert_with(|| builtin(&name.to_lowercase()))
        });
        Typed { catalog, types: types.collect() }
    }

    /// The resources with their positions.
    fn iter(&self) -> impl Iterator<Item = (usize, &'c Resource, Option<&'c ResourceType>)> {
        let typed = self.catalog.resources().zip(&self.types).enumerate();
        typed.map(|(position, (resource, known))| (position, resource, *known))
    }
}

/// The names of resources by their type in lower case.
pub(super) struct Names<'c>(FxHashMap<Cow<'c, str>, TypeNames<'c>>);

/// The names of the resources of a type: their titles, their namevars where these differ, and their aliases.
pub(super) struct TypeNames<'c> {
    catalog: &'c Catalog,
    type_name: &'c str,
    aliases: FxHashMap<EcoString, usize>,
}

impl<'c> Names<'c> {
    pub(super) fn new(typed: &Typed<'c>) -> Self {
        let mut names = FxHashMap::default();
        for (position, resource, resource_type) in typed.iter() {
            let Reference { type_name, title } = &resource.reference;
            let given = resource.get("alias").map(texts).unwrap_or_default();
            let key = match resource_type {
                Some(resource_type) => Cow::Borrowed(&*resource_type.name),
                None if given.is_empty() => continue,
                None => Cow::Owned(type_name.to_lowercase().into()),
            };
            let new = || TypeNames { catalog: typed.catalog, type_name, aliases: FxHashMap::default() };
            let names: &mut TypeNames<'_> = names.entry(key).or_insert_with(new);
            let key = resource_type.and_then(|it| it.uniqueness_key(title, |name| resource.get(name)).ok());
            let name = match key.as_deref() {
                Some([Value::String(name)]) if name != title => Some(name.clone()),
                _ => None,
            };
            for name in name.into_iter().chain(given) {
                names.aliases.entry(name).or_insert(position);
            }
        }
        Names(names)
    }

    /// The names of a type; nothing if no resource is of it.
    pub(super) fn of(&self, type_name: &str) -> Option<&TypeNames<'c>> {
        self.0.get(type_name)
    }
}

impl TypeNames<'_> {
    /// The position of the resource with a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.catalog.position_of(self.type_name, name).or_else(|| self.aliases.get(name).copied())
    }

    /// The position of the first resource that has a number in an attribute.
    fn find_numbered(&self, attribute: &str, wanted: i64) -> Option<usize> {
        let has_number = |resource: &Resource| resource.get(attribute).and_then(number) == Some(wanted);
        self.catalog.resources().position(|it| it.reference.type_name == self.type_name && has_number(it))
    }

    /// The positions of all resources with a name that is looked for, in order.
    fn find_all(&self, is_meant: impl Fn(&str) -> bool) -> Vec<usize> {
        let titled = self.catalog.resources().map(|resource| &resource.reference).enumerate();
        let titled = titled.filter(|(_, it)| it.type_name == self.type_name && is_meant(&it.title));
        let aliases = self.aliases.iter().filter(|(name, _)| is_meant(name));
        let mut found: Vec<usize> = titled.map(|(position, _)| position).collect();
        found.extend(aliases.map(|(_, position)| *position));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Pairs of positions: what comes first, and what comes after it. Names are only needed if any type has such relations.
pub(super) fn find<'c>(
    typed: &Typed<'c>,
    names: &LazyCell<Names<'c>, impl FnOnce() -> Names<'c>>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (position, resource, resource_type) in typed.iter() {
        let Some(resource_type) = resource_type else { continue };
        for relation in &resource_type.autorequires {
            if let Some(others) = names.of(&relation.type_name) {
                let others = apply(&relation.rule, resource, resource_type, others);
                found.extend(others.into_iter().map(|other| (other, position)));
            }
        }
        for relation in &resource_type.autobefores {
            if let Some(others) = names.of(&relation.type_name) {
                let others = apply(&relation.rule, resource, resource_type, others);
                found.extend(others.into_iter().map(|other| (position, other)));
            }
        }
    }
    found
}

fn apply(rule: &Rule, resource: &Resource, resource_type: &ResourceType, others: &TypeNames<'_>) -> Vec<usize> {
    let texts = |attribute: &str| attribute_texts(resource, resource_type, attribute);
    let find = |name: &str| others.find(name);
    match rule {
        Rule::Attribute(attribute) => texts(attribute).iter().filter_map(|name| find(name)).collect(),
        Rule::NameOrNumber(attribute) => {
            let given = resource.get(attribute).map(elements).unwrap_or_default();
            let found = given.iter().filter_map(|value| match number(value) {
                Some(number) => others.find_numbered(attribute, number),
                None => find(value.as_str()?),
            });
            found.collect()
        }
        Rule::NearestParent(attribute) => {
            let paths = texts(attribute);
            paths.iter().filter_map(|path| parents(path).find_map(find)).collect()
        }
        Rule::Parents(attribute) => {
            let paths = texts(attribute);
            paths.iter().flat_map(|path| parents(path)).filter_map(find).collect()
        }
        Rule::Children(attribute) => {
            let paths = texts(attribute);
            others.find_all(|name| {
                paths.iter().any(|path| name.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/')))
            })
        }
        Rule::Commands(attribute) => {
            let commands = texts(attribute);
            commands.iter().flat_map(|command| command.lines()).filter_map(program).filter_map(find).collect()
        }
    }
}

/// The texts of an attribute; that of a namevar may be in the title.
fn attribute_texts(resource: &Resource, resource_type: &ResourceType, attribute: &str) -> Vec<EcoString> {
    match resource.get(attribute) {
        Some(value) => texts(value),
        None if resource_type.is_namevar(attribute) => {
            let found = resource_type.titles.take_apart(&resource.reference.title, &resource_type.namevars);
            let found = found.unwrap_or_default().into_iter();
            found.filter(|(name, _)| *name == attribute).map(|(_, text)| text).collect()
        }
        None => Vec::new(),
    }
}

/// A text, or the texts of a list.
fn texts(value: &Value) -> Vec<EcoString> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(elements) => elements.iter().filter_map(|element| element.as_str().map(EcoString::from)).collect(),
        _ => Vec::new(),
    }
}

/// A value, or the elements of a list.
fn elements(value: &Value) -> Vec<Value> {
    if let Value::Array(elements) = value { elements.iter().cloned().collect() } else { vec![value.clone()] }
}

/// A number, or one in digits.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// The directories above a path, from the nearest to the root.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(without_trailing_slashes(path)), |path| parent(path))
}

fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/')? {
        ("", "") => None,
        ("", _) => Some("/"),
        (parent, _) => Some(parent),
    }
}

/// The absolute path a line of a command starts with.
fn program(line: &str) -> Option<&str> {
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(path, _)| path),
        None => line.split_whitespace().next().filter(|path| path.starts_with('/') && line.starts_with('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_above_a_path() {
        let check = |path, expected: &[&str]| assert_eq!(parents(path).collect::<Vec<_>>(), expected);
        check("/a/b/c", &["/a/b", "/a", "/"]);
        check("/a", &["/"]);
        check("/", &[]);
        check("a", &[]);
    }

    #[test]
    fn programs_of_commands() {
        let check = |line, expected| assert_eq!(program(line), expected);
        check("/bin/true --x", Some("/bin/true"));
        check("\"/a b\" c", Some("/a b"));
        check("true /x", None);
        check(" /x", None);
    }
}
