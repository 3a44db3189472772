//! Which places in data files a value was made of.

use std::fmt;

use bunraku_environment::World;
use bunraku_notation::yaml;
use bunraku_pcore::Value;
use bunraku_syntax::At;
use ecow::EcoString;

use super::{Event, Explanation, Node, NodeKind};
use crate::error::{Cause, WrongOption};
use crate::hiera;
use crate::key::LOOKUP_OPTIONS;

/// A place in a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSource {
    /// The file.
    pub path: EcoString,
    /// The line, where it is known.
    pub line: Option<u64>,
}

impl fmt::Display for DataSource {
    /// `path:line`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.path)?;
        match self.line {
            Some(line) => write!(formatter, ":{line}"),
            None => Ok(()),
        }
    }
}

impl DataSource {
    /// The line itself, to be shown; the file is read once more for it.
    pub fn at(&self, world: &dyn World) -> Option<At> {
        let text = hiera::read(world, &self.path).ok()?;
        Some(Cause::on_line(&self.path, &text, self.line?, None).at)
    }
}

impl Explanation {
    /// The data files that were asked.
    pub fn files(&self) -> impl Iterator<Item = &EcoString> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            NodeKind::Location { is_uri: false, location, .. } => Some(location),
            _ => None,
        })
    }

    /// The places where a key was found, in the order of the search.
    pub fn sources(&self, key: &str, world: &dyn World) -> Vec<DataSource> {
        let is_meant =
            |found: &str| key.strip_prefix(found).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let source = |node: &Node| match (&node.kind, &node.key) {
            (NodeKind::Location { is_uri: false, location, .. }, Some(found))
                if node.event == Some(Event::Found) && is_meant(found) =>
            {
                Some(DataSource { path: location.clone(), line: line_of(found, location, world) })
            }
            _ => None,
        };
        self.nodes.iter().filter_map(source).collect()
    }
}

impl Explanation {
    /// The places where an option of `lookup_options` was found, in the order of the search.
    pub fn option_sources(&self, option: &WrongOption, world: &dyn World) -> Vec<DataSource> {
        let has_entry = |options: &Value| options.get(&option.entry).is_some();
        let source = |node: &Node| match (&node.kind, &node.key) {
            (NodeKind::Location { is_uri: false, location, .. }, Some(key))
                if key == LOOKUP_OPTIONS && has_entry(&node.value) =>
            {
                let line = line_of_path(&[LOOKUP_OPTIONS, &option.entry, option.name], location, world);
                Some(DataSource { path: location.clone(), line })
            }
            _ => None,
        };
        self.nodes.iter().filter_map(source).collect()
    }
}

/// The line on which a YAML file has a key; nothing for other files.
pub fn line_of(key: &str, path: &str, world: &dyn World) -> Option<u64> {
    line_of_path(&[key], path, world)
}

fn line_of_path(keys: &[&str], path: &str, world: &dyn World) -> Option<u64> {
    let is_yaml = [".yaml", ".yml", ".eyaml"].iter().any(|extension| path.ends_with(extension));
    let text = is_yaml.then(|| hiera::read(world, path).ok())??;
    let keys: Vec<Value> = keys.iter().map(|key| Value::from(*key)).collect();
    Some(yaml::locate(&text, &keys)?.line)
}
