//! `Type['title'] { attribute => value }`: overrides, and who may make them.

use ecow::{EcoString, eco_format};

use bunraku_catalog::{Reference, Tags};
use bunraku_pcore::data_types::ResourceType;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::ast::{Expr, ResourceOverride};

use super::attribute::{self, Evaluated, no_title, untitled};
use super::body::BodyId;
use super::declare::flatten;
use super::issues as build_issues;
use super::location::{at_line, at_place, evaluation_error};
use super::resource::{Parameter, Place, ResourceId, add_tags};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::frame::Frame;
use crate::log::{Level, Log};
use crate::settings::Strict;
use crate::unwind::Outcome;
use crate::{issues, label};

/// New values for the parameters of a resource.
#[derive(Clone, Debug)]
pub(super) struct Override {
    pub(super) parameters: Evaluated,
    pub(super) source: BodyId,
    pub(super) place: Place,
}

impl Override {
    /// An override may set a parameter only once.
    pub(super) fn refuse_duplicates(&self, reference: &Reference) -> Outcome<()> {
        for (index, (name, _)) in self.parameters.iter().enumerate() {
            if self.parameters.iter().take(index).any(|(earlier, _)| earlier == name) {
                return Err(at_line(build_issues::duplicate_parameter(name, reference), self.place.span));
            }
        }
        Ok(())
    }
}

impl Override {
    /// Tags must be valid even if nothing is overridden in the end.
    fn refuse_invalid_tags(&self) -> Outcome<()> {
        for (_, parameter) in self.parameters.iter().filter(|(name, _)| name == "tag") {
            add_tags(&mut Tags::default(), &parameter.value)
                .map_err(|tag| at_place(build_issues::invalid_tag(tag), Some(self.place)))?;
        }
        Ok(())
    }
}

/// Overrides resources; gives what stands before the brace.
pub(super) fn evaluate(expr: &Expr, overriding: &ResourceOverride, frame: &mut Frame<'_, '_>) -> Outcome {
    let resources = eval(&overriding.resources, frame)?;
    let parameters = attribute::evaluate(&overriding.operations, frame)?;
    let mut references = Vec::new();
    flatten(resources.clone(), &mut references);
    let source = frame.compilation.build.body_at(frame.scope);
    let place = Place::of(expr.reported());
    for value in references {
        let Value::Type(Type::Resource(resource)) = &value else {
            return evaluation_error(build_issues::illegal_overridden_type(label::value(&value)), expr.reported());
        };
        let reference = frame.compilation.overridden(resource)?;
        let overriding = Override { parameters: parameters.clone(), source, place };
        overriding.refuse_duplicates(&reference)?;
        overriding.refuse_invalid_tags()?;
        frame.compilation.add_override(reference, overriding)?;
    }
    Ok(resources)
}

impl Compilation<'_> {
    /// What a reference to a resource to be overridden refers to; it must have a title.
    fn overridden(&mut self, resource: &ResourceType) -> Outcome<Reference> {
        if resource.title.as_ref().is_some_and(|title| !title.is_empty()) {
            return self.reference_of(resource);
        }
        let type_name = resource.type_name.clone().unwrap_or_default();
        let issue = match self.find_resource_type(&type_name.to_lowercase())? {
            _ if resource.title.is_some() => no_title(&eco_format!("{type_name}[]")),
            Some(definition) => untitled(definition, &type_name),
            None => issues::runtime("No title provided and nil is not a valid resource reference"),
        };
        Err(issue.into())
    }

    /// Applies an override at once if the resource is there, and when it is finished otherwise.
    pub(super) fn add_override(&mut self, reference: Reference, overriding: Override) -> Outcome<()> {
        match self.build.table.find(&reference) {
            Some(id) => self.apply_override(id, overriding),
            None => {
                self.build.overrides.entry(reference).or_default().push(overriding);
                Ok(())
            }
        }
    }

    /// Applies an override. Only the body that declared a resource and those that inherit from it may do so.
    pub(super) fn apply_override(&mut self, id: ResourceId, overriding: Override) -> Outcome<()> {
        let resource = self.build.table.get(id);
        if resource.source != overriding.source && !self.build.bodies.is_child_of(overriding.source, resource.source) {
            return Err(at_line(build_issues::only_subclasses_override(), overriding.place.span));
        }
        if resource.is_evaluated {
            self.override_of_evaluated(id, overriding.place)?;
        }
        for (name, parameter) in overriding.parameters {
            self.override_parameter(id, name, parameter)?;
        }
        Ok(())
    }

    fn override_of_evaluated(&mut self, id: ResourceId, place: Place) -> Outcome<()> {
        let defined = match self.place_text(self.build.table.get(id).place) {
            text if text.is_empty() => text,
            text => eco_format!(", defined at {text},"),
        };
        let message = eco_format!("Attempt to override an already evaluated resource{defined} with new values");
        match self.settings.strict {
            Strict::Off => {}
            Strict::Error => return Err(at_line(build_issues::already_evaluated(message), place.span)),
            Strict::Warning => {
                let message = eco_format!("{message}{}", self.place_suffix(Some(place)));
                self.logs.push(Log { level: Level::Warning, message, source: None, issue: None, span: None });
            }
        }
        Ok(())
    }

    fn override_parameter(&mut self, id: ResourceId, name: EcoString, mut parameter: Parameter) -> Outcome<()> {
        let resource = self.build.table.get(id);
        if let Some(current) = resource.parameters.get(&name) {
            let (type_name, scope) = (&resource.reference.type_name, resource.scope);
            if self.is_default(type_name, &name, &parameter.value, scope) {
                return Ok(());
            }
            let (new, old) = (parameter.source, current.source);
            let is_allowed = self.build.bodies.is_child_of(new, old)
                || (new == old && self.is_default(type_name, &name, &current.value, scope));
            if !is_allowed {
                return Err(self.already_set(id, &name, current, &parameter));
            }
            if parameter.attribute.is_some_and(|attribute| attribute.is_appended) {
                let mut values = Vec::new();
                flatten(current.value.clone(), &mut values);
                flatten(parameter.value, &mut values);
                parameter.value = Value::from(values);
                parameter.list = None;
            }
        }
        self.build.has_late_aliases |= name == "alias";
        let resource = self.build.table.get_mut(id);
        if name == "tag" {
            let place = resource.place;
            add_tags(&mut resource.tags, &parameter.value)
                .map_err(|tag| at_place(build_issues::invalid_tag(tag), place))?;
        }
        resource.is_checked = false;
        resource.parameters.insert(name, parameter);
        Ok(())
    }

    fn already_set(&self, id: ResourceId, name: &str, current: &Parameter, new: &Parameter) -> crate::unwind::Unwind {
        let reference = &self.build.table.get(id).reference;
        let at = match self.place_text(current.place()) {
            place if place.is_empty() => place,
            place => eco_format!(" at {place}"),
        };
        let message = eco_format!("Parameter '{name}' is already set on {reference}{at}; cannot redefine");
        at_place(build_issues::parameter_already_set(message), new.place())
    }
}
