//! Names that nothing has: what the reference says, and what was probably meant.

use std::convert::identity;

use ecow::{EcoString, eco_format};

use bunraku_catalog::resource_types::builtin_names;
use bunraku_catalog::{ResourceType, resource_type::METAPARAMETERS};
use bunraku_syntax::{Issue, Span, nearest};

use super::issues as build_issues;
use super::location::at_place;
use super::resource::{Place, Resource};
use crate::cause::{at_reference, literal_key, name_of};
use crate::compilation::Compilation;
use crate::issues;
use crate::unwind::Unwind;

impl Compilation<'_> {
    /// A class that is nowhere.
    #[cold]
    pub(super) fn unknown_class(&self, name: &str) -> Issue {
        let bare = name.trim_start_matches("::");
        let modules = self.environment.modules().map(|module| module.name.as_str());
        let known = self.definitions.class_names().into_iter().chain(modules).map(EcoString::from);
        let known = known.chain(self.files_of_module(bare));
        issues::runtime(eco_format!("Could not find class {name} for {}", self.node.name))
            .with_headline(eco_format!("could not find class '{bare}'"))
            .with_nearest(bare, known, identity)
    }

    /// A class that is nowhere, declared like a resource.
    #[cold]
    pub(super) fn unknown_declared_class(&self, name: &str, place: Span) -> Issue {
        let known = self.unknown_class(name);
        let issue = issues::runtime(eco_format!("Could not find declared class {name}"));
        let issue = known.advice().into_iter().fold(issue, Issue::with_advice);
        let bodies = self.resource_at_place(place).into_iter().flat_map(|resource| &resource.bodies);
        let title = bodies.map(|body| &body.title).find(|title| literal_key(title).is_some_and(|it| it == name));
        title.into_iter().fold(issue, |issue, title| issue.with_primary("", title.span))
    }

    /// A resource type that is nowhere.
    #[cold]
    pub(super) fn unknown_type(&self, name: &str, place: Span) -> Issue {
        let mut known: Vec<EcoString> = self.definitions.defined_type_names().into_iter().map(Into::into).collect();
        known.extend(builtin_names().map(EcoString::from));
        known.extend(self.files_of_module(name));
        let issue = issues::runtime(eco_format!("Unknown resource type: '{name}'")).with_nearest(name, known, identity);
        match self.resource_at_place(place) {
            Some(resource) => issue.with_primary("", resource.type_name.span),
            None => issue,
        }
    }

    /// The names that the manifests of the module of a name have, whether they have been read or not.
    fn files_of_module(&self, name: &str) -> Vec<EcoString> {
        self.environment.manifest_names(name.trim_start_matches("::").split("::").next().unwrap_or_default())
    }

    /// An issue about an attribute that was given to a resource, at the name of the attribute.
    pub(super) fn at_attribute_name(&self, issue: Issue, resource: &Resource<'_>, name: &str) -> Issue {
        let given = resource.parameters.get(name).and_then(|parameter| parameter.attribute);
        match given.and_then(|attribute| self.attribute_at(attribute.span)) {
            Some(operation) => issue.with_primary("", name_of(operation)),
            None => issue,
        }
    }

    /// The same at its value, with a few words about it.
    pub(super) fn at_attribute_value(
        &self,
        issue: Issue,
        resource: &Resource<'_>,
        name: &str,
        label: EcoString,
    ) -> Issue {
        let given = resource.parameters.get(name).and_then(|parameter| parameter.attribute);
        match given.and_then(|attribute| self.attribute_at(attribute.span)) {
            Some(operation) => issue.with_primary(label, operation.value().span),
            None => issue,
        }
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
        at_place(self.at_attribute_name(issue, resource, name), resource.place)
    }

    /// A resource that a relationship names and the catalog does not have.
    #[cold]
    pub(super) fn unknown_related(&self, text: &str, parameter: &str, place: Option<Place>) -> Issue {
        let issue = build_issues::unknown_related(text, parameter);
        let operation = place.and_then(|place| self.attribute_at(place.span));
        let Some((type_name, title)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) else {
            return issue;
        };
        let titles = self.build.table.of_type(type_name).iter().map(|id| &self.build.table.get(*id).reference.title);
        let issue = match operation {
            Some(operation) => at_reference(issue, operation.value(), title),
            None => issue,
        };
        let meant = nearest(title, titles);
        let issue = issue.with_nearest(title, &meant, |meant| eco_format!("{type_name}['{meant}']"));
        let declared = meant.and_then(|meant| self.build.table.titled(type_name, &meant));
        match declared.and_then(|id| self.build.table.get(id).place) {
            Some(place) => issue.with_related("declared here", place.span),
            None => issue,
        }
    }
}
