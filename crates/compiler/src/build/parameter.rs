//! The parameters of a class or defined type: given, looked up, or by default; checked, then bound to variables.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use bunraku_catalog::resource_type::is_metaparameter;
use bunraku_pcore::data_types::{Member, StructType};
use bunraku_pcore::{Hash, Type, Value, lowercase, mismatch};
use bunraku_syntax::{Diagnostic, Location, Note, ast};

use super::body::{Body, BodyId, BodyKind};
use super::deferred::deferred;
use super::issues as build_issues;
use super::location::at_line;
use super::resource::{Parameter, ResourceId, add_tags};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::eval::lambda::default_value;
use crate::frame::Frame;
use crate::issues;
use crate::scope::{Content, LayerId, ScopeId, Slots};
use crate::unwind::{Outcome, Unwind};

/// `$title`, `$name`, `$module_name` and `$caller_module_name`.
const OWN_VARIABLES: usize = 4;

/// How many metaparameters a resource may be given after its parameters before these have to move.
const ADDED: usize = 2;

impl<'e> Compilation<'e> {
    /// Gives a body its variables: about itself, then its parameters.
    pub(super) fn bind_parameters(
        &mut self,
        id: ResourceId,
        body: &Body<'e>,
        body_id: BodyId,
        scope: ScopeId,
    ) -> Outcome<()> {
        self.scopes.get_mut(scope).variables.reserve(body.parameters.len() + OWN_VARIABLES);
        let module = Some(Value::from(body.module.unwrap_or_default()));
        self.set_variable(scope, "module_name", self.named_module(id, "module_name").or(module));
        let caller = self
            .scopes
            .get(scope)
            .parent
            .and_then(|parent| self.build.bodies.get(self.build.body_at(parent)).module.or(Some("")));
        let caller = self.named_module(id, "caller_module_name").or(caller.map(Value::from));
        self.set_variable(scope, "caller_module_name", caller);
        let from_data = match body.kind {
            BodyKind::Class => self.lookup_parameters(id, body, scope)?,
            _ => Vec::new(),
        };
        self.bind_title(id, body, scope);
        if body.kind != BodyKind::DefinedType {
            self.build.class_scopes.insert(body.name.clone(), scope);
        }
        let slots = self.collect_parameters(id, body, scope)?;
        if let Err(unwind) = self.check_given(id, body_id, &slots) {
            return Err(self.remark_sources(unwind, body, body_id, &from_data, &slots));
        }
        // A parameter `title` is not bound, and so not checked yet.
        let resource = self.build.table.get_mut(id);
        resource.is_checked = !resource.parameters.contains_key("title");
        self.bind_slots(body, scope, slots)
    }

    fn named_module(&self, id: ResourceId, name: &str) -> Option<Value> {
        self.build.table.get(id).get(name).cloned()
    }

    fn set_variable(&mut self, scope: ScopeId, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.scopes.get_mut(scope).variables.insert(name.into(), value);
        }
    }

    /// `$title` and `$name`; those of a class are in lower case.
    fn bind_title(&mut self, id: ResourceId, body: &Body<'e>, scope: ScopeId) {
        let resource = self.build.table.get(id);
        let title = resource.reference.title.clone();
        let given = resource.non_string_title().cloned().unwrap_or_else(|| Value::String(title.clone()));
        let name = resource.get("name").cloned().unwrap_or_else(|| given.clone());
        let (title, name) = match body.kind {
            BodyKind::Main | BodyKind::Class => {
                let name = match &name {
                    Value::String(name) => lowercase(name),
                    other => eco_format!("{other}").to_lowercase(),
                };
                (Value::String(lowercase(&title)), Value::String(name))
            }
            BodyKind::DefinedType | BodyKind::Node => (given, name),
        };
        self.set_variable(scope, "title", Some(title));
        self.set_variable(scope, "name", Some(name));
    }

    /// A parameter of a class that is not given, or given as undef, is looked up as `class::parameter`. Gives the
    /// positions of those that were found.
    fn lookup_parameters(&mut self, id: ResourceId, body: &Body<'e>, scope: ScopeId) -> Outcome<Vec<usize>> {
        let mut found = Vec::new();
        let place = self.build.table.get(id).place;
        for (index, parameter) in body.parameters.iter().enumerate() {
            if self.build.table.get(id).get(&parameter.name).is_some_and(|given| !given.is_undef()) {
                continue;
            }
            let key = eco_format!("{}::{}", body.name, parameter.name);
            let mut frame = Frame { compilation: self, scope, layer: None };
            // What is found does not count if it is undef and there is a default.
            match frame.lookup_parameter(&key, place.map_or(parameter.name.span, |place| place.span))? {
                Some(Value::Undef) if parameter.default.is_some() => {}
                Some(value) => {
                    found.push(index);
                    self.set_parameter(id, &parameter.name, value, false)?;
                }
                None => {}
            }
        }
        Ok(found)
    }

    /// Tells which data files the wrong ones among the parameters come from.
    fn remark_sources(
        &mut self,
        mut unwind: Unwind,
        body: &Body<'e>,
        body_id: BodyId,
        from_data: &[usize],
        slots: &Slots,
    ) -> Unwind {
        let Ok(types) = self.parameter_types(body_id) else { return unwind };
        for (name, value) in from_data.iter().filter_map(|index| slots.get(*index)) {
            let fits = |value: &Value| types.member(name).is_some_and(|member| member.value.is_instance(value));
            if value.as_ref().is_none_or(fits) {
                continue;
            }
            let key = eco_format!("{}::{name}", body.name);
            let sources = Frame::top(self).lookup_sources(&key, body.span);
            for source in sources {
                let at = source.at(self.environment.world());
                if let (Unwind::Issue(issue), Some(at)) = (&unwind, at.clone()) {
                    let label = eco_format!("the value of '{key}'");
                    unwind = issue.clone().with_primary(label, at).into();
                }
                let message = eco_format!("the value of '{key}' comes from {source}");
                self.remarks.push(Note { message, at });
            }
        }
        unwind
    }

    /// Sets a parameter of a resource, which may be known to be new; a `tag` is one.
    fn set_parameter(&mut self, id: ResourceId, name: &EcoString, value: Value, is_new: bool) -> Outcome<()> {
        let resource = self.build.table.get_mut(id);
        if name == "tag" {
            let place = resource.place;
            add_tags(&mut resource.tags, &value)
                .map_err(|tag| super::location::at_place(build_issues::invalid_tag(tag), place))?;
        }
        let parameter = Parameter::new(value, resource.source);
        match is_new {
            true => resource.parameters.push(name.clone(), parameter),
            false => drop(resource.parameters.insert(name.clone(), parameter)),
        }
        Ok(())
    }

    /// The declared parameters in order, then whatever else is given, each with its value or default.
    fn collect_parameters(&mut self, id: ResourceId, body: &Body<'e>, scope: ScopeId) -> Outcome<Slots> {
        let given = &self.build.table.get(id).parameters;
        let value_of = |name: &str| given.get(name).map(|parameter| parameter.value.clone());
        let mut slots: Slots = body.parameters.iter().map(|it| (it.name.name.clone(), value_of(&it.name))).collect();
        if slots.iter().filter(|(_, value)| value.is_some()).count() < given.len() {
            for (name, parameter) in given {
                let is_declared = body.parameters.iter().any(|declared| *declared.name == *name);
                if !is_declared && !matches!(name.as_str(), "name" | "title") {
                    slots.push((name.clone(), Some(parameter.value.clone())));
                }
            }
        }
        let needs_default = |(parameter, (_, value)): (&ast::Parameter, &(EcoString, Option<Value>))| {
            parameter.default.is_some() && value.as_ref().is_none_or(Value::is_undef)
        };
        if !body.parameters.iter().zip(&slots).any(needs_default) {
            return Ok(slots);
        }
        let resource = self.build.table.get_mut(id);
        resource.parameters.reserve((body.parameters.len() + ADDED).saturating_sub(resource.parameters.len()));
        let height = self.scopes.height();
        let layer = self.scopes.push(scope, None, Content::Parameters { parameters: slots });
        let outcome = self.evaluate_defaults(id, body, scope, layer).map_err(|unwind| match unwind {
            // Compatibility: an error without a place, as those of lookups are, has the line of the class.
            Unwind::Error(diagnostic) if body.kind == BodyKind::Class && diagnostic.location == Location::Unknown => {
                let location = body.span.map_or(Location::Unknown, Location::Line);
                Diagnostic { location, ..*diagnostic }.into()
            }
            unwind => unwind,
        });
        let slots = self.scopes.parameters_mut(layer).map(std::mem::take).unwrap_or_default();
        self.scopes.pop_to(height);
        outcome.map(|()| slots)
    }

    /// Evaluates the defaults from left to right; each sees the parameters before it.
    fn evaluate_defaults(&mut self, id: ResourceId, body: &Body<'e>, scope: ScopeId, layer: LayerId) -> Outcome<()> {
        for (index, parameter) in body.parameters.iter().enumerate() {
            let Some(default) = &parameter.default else { continue };
            let slot = self.scopes.parameters_mut(layer).and_then(|slots| slots.get(index));
            let given = slot.and_then(|(_, value)| value.as_ref());
            if given.is_some_and(|value| !value.is_undef()) {
                continue;
            }
            let (is_given, count) = (given.is_some(), self.build.table.get(id).parameters.len());
            let mut frame = Frame { compilation: self, scope, layer: Some(layer) };
            let callee = |frame: &Frame<'_, '_>| frame.compilation.build.table.get(id).reference.to_text();
            let value = match literal(default) {
                Some(value) => value,
                None => {
                    let value = default_value(callee, body.parameters, index, default, layer, &mut frame)?;
                    self.attribute_value(value)?
                }
            };
            // A default may call `require()`, which sets one itself.
            let is_new = !is_given && self.build.table.get(id).parameters.len() == count;
            self.set_parameter(id, &parameter.name, value.clone(), is_new)?;
            if let Some(slot) = self.scopes.parameters_mut(layer).and_then(|slots| slots.get_mut(index)) {
                slot.1 = Some(value);
            }
        }
        Ok(())
    }

    /// Checks parameters against the types of a body.
    fn check_given(&mut self, id: ResourceId, body: BodyId, slots: &Slots) -> Outcome<()> {
        let types = self.parameter_types(body)?;
        let given = slots.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        self.check_parameters(id, body, &types, given)
    }

    /// Checks all parameters of a resource that is not evaluated, or has changed since.
    pub(super) fn check_resource(&mut self, id: ResourceId, body: BodyId) -> Outcome<()> {
        let types = self.parameter_types(body)?;
        let resource = self.build.table.get(id);
        let given: Vec<(EcoString, Value)> = resource
            .parameters
            .iter()
            .map(|(name, parameter)| match resource.sensitive_parameters().contains(name) {
                true => (name.clone(), Value::Sensitive(Arc::new(parameter.value.clone()))),
                false => (name.clone(), parameter.value.clone()),
            })
            .collect();
        self.check_parameters(id, body, &types, given.iter().map(|(name, value)| (name, value)))
    }

    fn check_parameters<'v>(
        &mut self,
        id: ResourceId,
        body: BodyId,
        types: &StructType,
        given: impl Iterator<Item = (&'v EcoString, &'v Value)> + Clone,
    ) -> Outcome<()> {
        let (mut found, mut next) = (0, 0);
        // What is given has the order of the types, or nearly so.
        let fits = given.clone().all(|(name, value)| match types.member_near(next, name) {
            Some((position, member)) => {
                next = position + 1;
                found += usize::from(!member.optional);
                deferred(value).is_none() && member.value.is_instance(value)
            }
            None => is_common(name),
        });
        if fits && found == types.members.iter().filter(|member| !member.optional).count() {
            return Ok(());
        }
        let deferred = self.deferred_types(types, given.clone())?;
        let checked = given.filter(|(name, _)| !is_common(name) || types.member(name).is_some());
        let hash: Hash = checked.map(|(name, value)| (Value::String(name.clone()), value.clone())).collect();
        let subject = eco_format!("{}", self.build.table.get(id).reference);
        let known = |name: &str| deferred.iter().find(|(known, _)| known == name).map(|(_, returned)| returned.clone());
        match mismatch::describe_parameters(&subject, types, &hash, false, known) {
            Some(message) => Err(self.wrong_parameters(id, body, types, &hash, issues::runtime(message)).into()),
            None => Ok(()),
        }
    }

    /// The types of the parameters that a body declares.
    pub(super) fn parameter_types(&mut self, body_id: BodyId) -> Outcome<Arc<StructType>> {
        if let Some(types) = &self.build.bodies.get(body_id).types {
            return Ok(types.clone());
        }
        let parameters = self.build.bodies.get(body_id).parameters;
        let mut members = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let value = match &parameter.type_expr {
                Some(expr) => match eval(expr, &mut Frame::top(self))? {
                    Value::Type(data_type) => data_type,
                    other => return Err(issues::runtime(eco_format!("'{other}' is not a data type")).into()),
                },
                None => Type::Any,
            };
            members.push(Member { name: parameter.name.name.clone(), optional: parameter.default.is_some(), value });
        }
        let types = Arc::new(StructType { members });
        self.build.bodies.get_mut(body_id).types = Some(types.clone());
        Ok(types)
    }

    fn bind_slots(&mut self, body: &Body<'e>, scope: ScopeId, slots: Slots) -> Outcome<()> {
        let variables = &mut self.scopes.get_mut(scope).variables;
        // The names of parameters differ: only those of the variables before them can be taken.
        let before = variables.len();
        for (name, value) in slots {
            let Some(value) = value else { continue };
            let issue = match name.as_str() {
                "trusted" | "facts" | "server_facts" => build_issues::reserved_variable(&name),
                _ if variables.keys().take(before).any(|known| *known == name) => {
                    build_issues::reassigned_variable(&name)
                }
                _ => {
                    variables.push(name, value);
                    continue;
                }
            };
            return Err(body.span.map_or_else(|| issue.clone().into(), |span| at_line(issue.clone(), span)));
        }
        Ok(())
    }

    /// Whether a body takes a parameter of this name.
    pub(super) fn takes_parameter(&self, body: BodyId, name: &str) -> bool {
        let declared = self.build.bodies.get(body).parameters;
        is_common(name) || declared.iter().any(|parameter| *parameter.name == name)
    }
}

/// Whether every class and defined type takes a parameter of this name; what it is does not matter, unless it is declared.
fn is_common(name: &str) -> bool {
    name == "name" || is_metaparameter(name)
}

/// The value of a default that is as simple as most are, so that nothing needs to be evaluated.
fn literal(expr: &ast::Expr) -> Option<Value> {
    match &expr.kind {
        ast::ExprKind::Undef => Some(Value::Undef),
        ast::ExprKind::Boolean(value) => Some(Value::Boolean(*value)),
        ast::ExprKind::String(text) | ast::ExprKind::Name(text) => Some(Value::String(text.clone())),
        _ => None,
    }
}
