//! Autorequires: relationships that follow from the attributes of resources.

use std::cell::LazyCell;

use bunraku_pcore::Value;
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::catalog::Catalog;
use crate::resource::Resource;
use crate::resource_type::{ResourceType, Rule};
use crate::resource_types::ResourceTypes;
use crate::title::without_trailing_slashes;

/// Positions by type in lower case and name: the title, and the namevar where it differs.
pub(super) type Names<'t> = FxHashMap<&'t str, FxHashMap<EcoString, usize>>;

/// The resources of a catalog that are of a known type, with their positions.
pub(super) type Typed<'c> = Vec<(usize, &'c Resource, &'c ResourceType)>;

/// Finds the type of each resource; many have the same.
pub(super) fn typed<'c>(catalog: &'c Catalog, types: &'c ResourceTypes) -> Typed<'c> {
    let mut known: FxHashMap<&EcoString, Option<&ResourceType>> = FxHashMap::default();
    let resources = catalog.resources().enumerate();
    let typed = resources.filter_map(|(position, resource)| {
        let name = &resource.reference.type_name;
        let found = known.entry(name).or_insert_with(|| types.get(&name.to_lowercase() as &str));
        found.map(|resource_type| (position, resource, resource_type))
    });
    typed.collect()
}

/// Pairs of positions: what comes first, and what comes after it. Names are only needed if any type has such relations.
pub(super) fn find<'c>(
    typed: &Typed<'c>,
    names: &LazyCell<Names<'c>, impl FnOnce() -> Names<'c>>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for &(position, resource, resource_type) in typed {
        for relation in &resource_type.autorequires {
            if let Some(others) = names.get(&*relation.type_name) {
                let others = apply(&relation.rule, resource, resource_type, others);
                found.extend(others.into_iter().map(|other| (other, position)));
            }
        }
        for relation in &resource_type.autobefores {
            if let Some(others) = names.get(&*relation.type_name) {
                let others = apply(&relation.rule, resource, resource_type, others);
                found.extend(others.into_iter().map(|other| (position, other)));
            }
        }
    }
    found
}

/// The names under which resources are known.
pub(super) fn names<'c>(typed: &Typed<'c>) -> Names<'c> {
    let mut names = Names::default();
    for &(position, resource, resource_type) in typed {
        let by_name = names.entry(&resource_type.name).or_default();
        by_name.insert(resource.reference.title.clone(), position);
        let key = resource_type.uniqueness_key(&resource.reference.title, |name| resource.get(name));
        if let Ok([Value::String(name)]) = key.as_deref() {
            by_name.entry(name.clone()).or_insert(position);
        }
    }
    names
}

fn apply(
    rule: &Rule,
    resource: &Resource,
    resource_type: &ResourceType,
    others: &FxHashMap<EcoString, usize>,
) -> Vec<usize> {
    let texts = |attribute: &str| attribute_texts(resource, resource_type, attribute);
    let find = |name: &str| others.get(name).copied();
    match rule {
        Rule::Attribute(attribute) => texts(attribute).iter().filter_map(|name| find(name)).collect(),
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
            let is_below = |name: &str| {
                paths.iter().any(|path| name.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/')))
            };
            let mut found: Vec<usize> =
                others.iter().filter(|(name, _)| is_below(name)).map(|(_, position)| *position).collect();
            found.sort_unstable();
            found.dedup();
            found
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
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(elements)) => {
            elements.iter().filter_map(|element| element.as_str().map(EcoString::from)).collect()
        }
        None if resource_type.is_namevar(attribute) => {
            let found = resource_type.titles.take_apart(&resource.reference.title, &resource_type.namevars);
            let found = found.unwrap_or_default().into_iter();
            found.filter(|(name, _)| *name == attribute).map(|(_, text)| text).collect()
        }
        _ => Vec::new(),
    }
}

/// The folders above a path, from the nearest to the root.
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
    fn folders_above_a_path() {
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
