//! Evaluating the body of a class, defined type or node: its scope, its parameters, its code.

use bunraku_pcore::Value;
use bunraku_syntax::deep;
use ecow::eco_format;

use super::Owner;
use super::body::{Body, BodyId, BodyKind};
use super::location::illegal_jump;
use super::resource::{Definition, Resource, ResourceId};
use crate::compilation::Compilation;
use crate::eval::eval;
use crate::frame::Frame;
use crate::issues;
use crate::limits::CALL_DEPTH;
use crate::scope::{LayerId, Scope, ScopeId, ScopeKind, TOP, Variables};
use crate::unwind::{Outcome, Unwind};

impl<'e> Compilation<'e> {
    /// Evaluates a class where it is declared.
    ///
    /// Compatibility: if that is the top scope or a node, the class sees the local variables and match results there.
    pub(super) fn evaluate_from(&mut self, id: ResourceId, scope: ScopeId, layer: Option<LayerId>) -> Outcome {
        let outer = std::mem::replace(&mut self.scopes.get_mut(scope).layer, layer);
        let outcome = self.evaluate_resource(id);
        self.scopes.get_mut(scope).layer = outer;
        outcome
    }

    /// Evaluates the body of a resource, once.
    pub(super) fn evaluate_resource(&mut self, id: ResourceId) -> Outcome {
        let resource = self.build.table.get_mut(id);
        let Definition::Body(body) = resource.definition else { return Ok(Value::Undef) };
        if std::mem::replace(&mut resource.is_evaluated, true) {
            return Ok(Value::Undef);
        }
        self.clock.step()?;
        if self.depth >= CALL_DEPTH {
            return Err(issues::runtime(format!("bodies are evaluated more than {CALL_DEPTH} levels deep")).into());
        }
        self.depth += 1;
        self.add_scope_tags(id);
        if self.recorder.is_some() {
            let name = self.build.table.get(id).reference.to_string();
            self.enter(&name);
        }
        let outcome = deep(|| self.evaluate_body(id, body));
        self.leave();
        self.depth -= 1;
        outcome.map_err(|unwind| {
            let Resource { reference, place, .. } = self.build.table.get(id);
            match place {
                Some(place) => unwind.through(|| eco_format!("in {reference}, declared here"), place.span),
                None => unwind,
            }
        })
    }

    /// A resource has the tags of the resource in whose body it is declared.
    pub(super) fn add_scope_tags(&mut self, id: ResourceId) {
        let resource = self.build.table.get_mut(id);
        if std::mem::replace(&mut resource.has_scope_tags, true) {
            return;
        }
        let scope = resource.scope;
        if let Some(container) = self.build.resource_at(scope)
            && container != id
        {
            let tags = std::mem::take(&mut self.build.table.get_mut(container).tags);
            self.build.table.get_mut(id).tags.merge(&tags);
            self.build.table.get_mut(container).tags = tags;
        }
    }

    fn evaluate_body(&mut self, id: ResourceId, body_id: BodyId) -> Outcome {
        let parent = self.evaluate_parent(body_id)?;
        let body = self.build.bodies.get(body_id).clone();
        let scope = self.open_scope(id, body_id, &body, parent);
        if !matches!(body.kind, BodyKind::Main | BodyKind::DefinedType) {
            self.add_class(&body.name);
        }
        self.bind_parameters(id, &body, body_id, scope)?;
        self.add_to_stage(id)?;
        let Some(code) = body.code else { return Ok(Value::Undef) };
        let layer = self.build.match_layer.take().filter(|_| body.kind == BodyKind::Node);
        let outcome = eval(code, &mut Frame { compilation: self, scope, layer });
        if body.kind == BodyKind::DefinedType {
            // Nothing else sees them, and there may be many instances.
            self.scopes.get_mut(scope).variables = Variables::default();
        }
        match (outcome, body.kind) {
            (Err(Unwind::Next(jump) | Unwind::Return(jump)), BodyKind::Class | BodyKind::DefinedType) => Ok(jump.value),
            (Err(jump @ (Unwind::Next(_) | Unwind::Return(_))), _) => Err(illegal_jump(jump)),
            (outcome, _) => outcome,
        }
    }

    /// The class that a class inherits from is evaluated before it.
    fn evaluate_parent(&mut self, body: BodyId) -> Outcome<Option<ScopeId>> {
        let Some(parent) = self.build.bodies.get(body).parent_id else { return Ok(None) };
        let name = self.build.bodies.get(parent).name.clone();
        if let Some(id) = self.build.table.exact(&bunraku_catalog::Reference::new("Class", &name)) {
            self.evaluate_resource(id)?;
        }
        Ok(self.class_scope(&name))
    }

    fn open_scope(&mut self, id: ResourceId, body_id: BodyId, body: &Body<'e>, inherits: Option<ScopeId>) -> ScopeId {
        let kind = match body.kind {
            BodyKind::Main => {
                self.set_owner(TOP, Owner { resource: Some(id), body: body_id });
                return TOP;
            }
            BodyKind::Class => ScopeKind::Class { name: body.name.clone(), inherits },
            BodyKind::DefinedType => ScopeKind::DefinedType,
            BodyKind::Node => ScopeKind::Node,
        };
        let parent = Some(inherits.unwrap_or(self.build.table.get(id).scope));
        let scope = self.scopes.add(Scope { kind, parent, variables: Variables::default(), layer: None });
        self.set_owner(scope, Owner { resource: Some(id), body: body_id });
        scope
    }

    pub(super) fn set_owner(&mut self, scope: ScopeId, owner: Owner) {
        let owners = &mut self.build.owners;
        let index = scope.0 as usize;
        if owners.len() <= index {
            owners.resize(index + 1, Owner { resource: None, body: super::body::MAIN });
        }
        if let Some(slot) = owners.get_mut(index) {
            *slot = owner;
        }
    }

    /// Remembers that a class or node has been evaluated.
    pub(super) fn add_class(&mut self, name: &ecow::EcoString) {
        self.build.classes.push(name.clone());
        self.build.tags.add(name);
    }
}
