//! What happens when everything is evaluated: relationships and late overrides, checks, and what containers hand down.

use std::collections::VecDeque;

use bunraku_syntax::deep;
use ecow::EcoString;
use rustc_hash::FxHashSet;

use bunraku_catalog::resource_type::{METAPARAMETERS, is_relationship};
use bunraku_catalog::{Reference, ResourceType};
use bunraku_pcore::{Type, Value, inspect};

use super::collect::{check_tag_of_type, parse_reference};
use super::convert::{held_reference, held_reference_text};
use super::issues as build_issues;
use super::location::at_place;
use super::resource::{Definition, Place, ResourceId, add_tags};
use crate::compilation::Compilation;
use crate::unwind::{Outcome, Unwind};

impl<'e> Compilation<'e> {
    /// Settles everything that could not be resolved before.
    pub(crate) fn finish(&mut self) -> Outcome<()> {
        self.evaluate_relationships()?;
        for id in self.build.table.ids() {
            // The stage `main` and the settings are not subject to any of this.
            if self.build.table.get(id).containers.is_empty() && self.is_preset(id) {
                continue;
            }
            self.finish_resource(id).map_err(as_it_is)?;
        }
        self.hand_down()
    }

    fn is_preset(&self, id: ResourceId) -> bool {
        let reference = &self.build.table.get(id).reference;
        reference.type_name == "Stage" && reference.title == "main"
    }

    fn finish_resource(&mut self, id: ResourceId) -> Outcome<()> {
        if !self.build.overrides.is_empty() {
            let reference = self.build.table.get(id).reference.clone();
            for overriding in self.build.overrides.shift_remove(&reference).into_iter().flatten() {
                self.apply_override(id, overriding)?;
            }
        }
        self.add_scope_tags(id);
        self.build.table.get_mut(id).unwrap_sensitive();
        match self.build.table.get(id).definition {
            Definition::Native(native) => self.check_native(id, native),
            Definition::Body(_) if self.build.table.get(id).is_checked => Ok(()),
            Definition::Body(body) => self.check_resource(id, body),
        }
    }

    fn check_native(&self, id: ResourceId, native: &ResourceType) -> Outcome<()> {
        let resource = self.build.table.get(id);
        let Some(name) = resource.parameters.keys().find(|name| !native.has_attribute(name)) else { return Ok(()) };
        Err(self.unknown_attribute(name, resource, native))
    }

    /// Containers hand their tags and most of their metaparameters down, from the main class outwards.
    fn hand_down(&mut self) -> Outcome<()> {
        let Some(main) = self.build.table.exact(&Reference::main_class()) else { return Ok(()) };
        let mut queue = VecDeque::from([main]);
        let mut seen = FxHashSet::default();
        while let Some(source) = queue.pop_front() {
            if !seen.insert(source) {
                continue;
            }
            let container = self.build.table.get(source);
            let values: Vec<(&'static str, Value)> = METAPARAMETERS
                .into_iter()
                .filter(|name| !is_relationship(name))
                .filter_map(|name| Some((name, container.get(name)?.clone())))
                .collect();
            let tags = container.tags.clone();
            for target in container.contents.clone() {
                self.receive(target, &values)?;
                let resource = self.build.table.get_mut(target);
                resource.tags.merge(&tags);
                // Most resources contain nothing.
                if !resource.contents.is_empty() {
                    queue.push_back(target);
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, target: ResourceId, values: &[(&'static str, Value)]) -> Outcome<()> {
        self.build.has_late_aliases |= values.iter().any(|(name, _)| *name == "alias");
        let resource = self.build.table.get_mut(target);
        for (name, value) in values {
            if resource.get(name).is_some() {
                continue;
            }
            if *name == "tag" {
                let place = resource.place;
                add_tags(&mut resource.tags, value).map_err(|tag| at_place(build_issues::invalid_tag(tag), place))?;
            }
            resource.set(name, value.clone());
        }
        Ok(())
    }

    /// Overrides and realized references must have found their resources.
    pub(crate) fn refuse_leftovers(&self) -> Outcome<()> {
        let left =
            self.build.overrides.iter().flat_map(|(reference, overrides)| overrides.iter().map(move |_| reference));
        let references: Vec<String> = left.map(Reference::to_string).collect();
        if !references.is_empty() {
            return Err(build_issues::unknown_overridden(references.join(", ")).nowhere().into());
        }
        let missing: Vec<EcoString> = self.unrealized();
        if !missing.is_empty() {
            return Err(build_issues::unknown_realized(missing.join(", ")).nowhere().into());
        }
        Ok(())
    }

    /// References in values must have a title that their type accepts.
    pub(crate) fn check_references(&mut self) -> Outcome<()> {
        let mut untitled = Vec::new();
        for id in self.build.table.ids() {
            let parameters = self.build.table.get(id).parameters.values();
            parameters.for_each(|parameter| collect_untitled(&parameter.value, &mut untitled));
        }
        for type_name in untitled {
            if let Some(Definition::Native(native)) = self.find_resource_type(&type_name)? {
                native.titles.take_apart("", &native.namevars).map_err(|issue| as_it_is(issue.into()))?;
            }
        }
        Ok(())
    }

    /// What relationship parameters refer to must be in the catalog.
    pub(crate) fn check_relationships(&self) -> Outcome<()> {
        for id in self.build.table.ids() {
            let resource = self.build.table.get(id);
            if resource.is_virtual {
                continue;
            }
            for (name, parameter) in resource.parameters.iter().filter(|(name, _)| is_relationship(name)) {
                self.check_related(name, &parameter.value, parameter.place()).map_err(|unwind| match unwind {
                    Unwind::Issue(issue) => as_it_is(at_place(issue, parameter.place())),
                    other => other,
                })?;
            }
        }
        Ok(())
    }

    /// Checks the references at any depth of a value.
    fn check_related(&self, name: &str, value: &Value, place: Option<Place>) -> Outcome<()> {
        deep(|| match value {
            Value::Undef => Ok(()),
            Value::Array(elements) => elements.iter().try_for_each(|element| self.check_related(name, element, place)),
            Value::String(text) => self.check_reference(name, text, place),
            other
                if held_reference(other).is_some_and(|(type_name, title)| self.is_plainly_there(type_name, title)) =>
            {
                Ok(())
            }
            other => {
                let text = held_reference_text(other).unwrap_or_else(|| inspect::to_s(other).into());
                self.check_reference(name, &text, place)
            }
        })
    }

    /// Whether there is a resource under this very name, which then need not be understood. Nothing refers to the main
    /// class.
    fn is_plainly_there(&self, type_name: &str, title: &str) -> bool {
        !title.is_empty()
            && (type_name, title) != ("Class", "main")
            && self.build.table.titled(type_name, title).is_some()
    }

    fn check_reference(&self, name: &str, text: &str, place: Option<Place>) -> Outcome<()> {
        if let Some((type_name, title)) = text.strip_suffix(']').and_then(|text| text.split_once('['))
            && self.is_plainly_there(type_name, title)
        {
            return Ok(());
        }
        let reference = parse_reference(text).map_err(|issue| build_issues::described(issue.message()))?;
        check_tag_of_type(text)?;
        match self.build.table.find(&reference) {
            Some(_) => Ok(()),
            None => Err(self.unknown_related(text, name, place).into()),
        }
    }
}

/// An error that nothing around gives a place to.
fn as_it_is(unwind: Unwind) -> Unwind {
    match unwind {
        Unwind::Issue(issue) => build_issues::described(issue.message()).nowhere().into(),
        other => other,
    }
}

/// The types of references without a title, as `message => File` makes them.
fn collect_untitled(value: &Value, type_names: &mut Vec<EcoString>) {
    deep(|| match value {
        Value::Array(elements) => elements.iter().for_each(|element| collect_untitled(element, type_names)),
        Value::Type(Type::Resource(resource)) if resource.title.as_ref().is_some_and(|title| title.is_empty()) => {
            type_names.extend(resource.type_name.as_ref().map(|name| name.to_lowercase()));
        }
        _ => {}
    })
}
