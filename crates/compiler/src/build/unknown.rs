//! Names that nothing has: what the reference says, and what was probably meant.

use std::convert::identity;

use ecow::eco_format;

use bunraku_catalog::resource_types::builtin_names;
use bunraku_catalog::{ResourceType, resource_type::METAPARAMETERS};
use bunraku_syntax::Issue;

use super::issues as build_issues;
use super::location::at_place;
use super::resource::Resource;
use crate::compilation::Compilation;
use crate::issues;
use crate::unwind::Unwind;

impl Compilation<'_> {
    /// A class that is nowhere.
    #[cold]
    pub(super) fn unknown_class(&self, name: &str) -> Issue {
        let bare = name.trim_start_matches("::");
        let modules = self.environment.modules().map(|module| module.name.as_str());
        let known = self.definitions.class_names().into_iter().chain(modules);
        let message = eco_format!("Could not find class {name} for {}", self.node.name);
        issues::runtime(message).with_nearest(bare, known, identity)
    }

    /// A resource type that is nowhere.
    #[cold]
    pub(super) fn unknown_type(&self, name: &str) -> Issue {
        let mut known = self.definitions.defined_type_names();
        builtin_names().for_each(|name| known.push(name));
        issues::runtime(eco_format!("Unknown resource type: '{name}'")).with_nearest(name, known, identity)
    }

    /// An attribute that the type of a resource does not have.
    #[cold]
    pub(super) fn unknown_attribute(&self, name: &str, resource: &Resource<'_>, native: &ResourceType) -> Unwind {
        let place = self.place_suffix(resource.place);
        let message = eco_format!("no parameter named '{name}'{place} on {}", resource.reference);
        let mut known: Vec<&str> = native.attributes.iter().map(|attribute| attribute.name.as_ref()).collect();
        known.extend(METAPARAMETERS);
        let issue = build_issues::unknown_parameter(message)
            .with_headline(eco_format!("{} has no parameter named '{name}'", resource.reference))
            .with_nearest(name, known, identity);
        at_place(issue, resource.place)
    }

    /// A resource that a relationship names and the catalog does not have.
    #[cold]
    pub(super) fn unknown_related(&self, text: &str, parameter: &str) -> Issue {
        let issue = build_issues::unknown_related(text, parameter);
        let Some((type_name, title)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
            return issue;
        };
        let titles = self.build.table.of_type(type_name).iter().map(|id| &self.build.table.get(*id).reference.title);
        issue.with_nearest(title, titles, |meant| eco_format!("{type_name}['{meant}']"))
    }
}
