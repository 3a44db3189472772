//! Node definitions and the classes that a node classifier assigns.

use std::sync::Arc;

use ecow::{EcoString, eco_format};

use bunraku_catalog::Reference;
use bunraku_environment::definitions::DefinedNode;
use bunraku_pcore::Regexp;
use bunraku_syntax::Issue;
use bunraku_syntax::ast::ExprKind;

use super::body::{Body, BodyKind};
use super::issues as build_issues;
use super::resource::{Definition, Parameter, Resource};
use crate::compilation::Compilation;
use crate::issues;
use crate::scope::{Content, Match, TOP};
use crate::unwind::Outcome;

impl<'e> Compilation<'e> {
    /// Evaluates the node definition that fits, if there are any.
    pub(crate) fn evaluate_node_definition(&mut self) -> Outcome<()> {
        if self.definitions.nodes().len() == 0 {
            return Ok(());
        }
        let name = self.node.name.to_lowercase();
        let found = match self.find_node(&name)? {
            Some(found) => Some(found),
            None => self.find_node("default")?,
        };
        let Some((defined, matched)) = found else {
            return Err(build_issues::unknown_node(&self.node.name).nowhere().into());
        };
        let body = self.build.bodies.add(Body {
            name: defined.name.clone(),
            code: Some(&defined.definition.body),
            span: Some(defined.definition.span),
            ..Body::without_code(BodyKind::Node, "")
        });
        let reference = Reference { type_name: "Node".into(), title: defined.name.clone() };
        let mut resource = Resource::new(reference, Definition::Body(body), TOP, body);
        resource.add_own_tags();
        self.build.tags.merge(&resource.tags);
        let id = self.add_resource(TOP, resource)?;
        self.evaluate_node(id, matched)?;
        self.build.node_scope = self.class_scope(&defined.name);
        Ok(())
    }

    /// Regular expressions of the main manifests must be right, whether they are needed or not.
    pub(crate) fn check_patterns(&mut self) -> Result<(), Issue> {
        for code in self.definitions.main().to_vec() {
            for pattern in &code.regexps {
                self.regexp(pattern).map_err(|issue| build_issues::described(issue.message()))?;
            }
        }
        Ok(())
    }

    /// The groups of the match are seen by the node and by the classes that are declared in it.
    fn evaluate_node(&mut self, id: super::ResourceId, matched: Option<Match>) -> Outcome {
        let Some(matched) = matched else { return self.evaluate_resource(id) };
        let height = self.scopes.height();
        let layer = self.scopes.push(TOP, None, Content::Match(matched));
        self.build.match_layer = Some(layer);
        let outcome = self.evaluate_resource(id);
        self.scopes.pop_to(height);
        outcome
    }

    /// The node definition with this name: the exact one, or the first whose regular expression matches.
    fn find_node(&self, name: &str) -> Outcome<Option<(DefinedNode<'e>, Option<Match>)>> {
        if let Some(exact) = self.definitions.node(name) {
            return Ok(Some((exact.clone(), None)));
        }
        for defined in self.definitions.nodes() {
            let ExprKind::Regexp(pattern) = &defined.matcher.kind else { continue };
            if let Some(matched) = Match::find(&Arc::new(Regexp::new(pattern)?), &name.into())? {
                return Ok(Some((defined.clone(), Some(matched))));
            }
        }
        Ok(None)
    }

    /// Declares the classes of the node classifier: those with parameters first. They are evaluated with the defined
    /// types.
    pub(crate) fn declare_node_classes(&mut self) -> Outcome<()> {
        let scope = self.build.node_scope.unwrap_or(TOP);
        let node = self.node;
        let has_parameters = |class: &&(EcoString, Option<Arc<bunraku_pcore::Hash>>)| {
            class.1.as_ref().is_some_and(|parameters| !parameters.is_empty())
        };
        for (name, parameters) in node.classes.iter().filter(has_parameters) {
            let body = self.assigned_class(name)?;
            let reference = Reference::new("Class", &self.build.bodies.get(body).name);
            let mut resource = Resource::new(reference, Definition::Body(body), scope, body);
            for (name, value) in parameters.iter().flat_map(|parameters| parameters.iter()) {
                let name = eco_format!("{name}");
                resource.parameters.insert(name, Parameter::new(value.clone(), body));
            }
            resource.add_own_tags();
            if let Some(parent) = self.parent_of(body)? {
                self.ensure_class(parent, scope)?;
            }
            self.build.tags.merge(&resource.tags);
            self.add_resource(scope, resource)?;
        }
        for (name, _) in node.classes.iter().filter(|class| !has_parameters(class)) {
            let body = self.assigned_class(name)?;
            if self.class_scope(&self.build.bodies.get(body).name).is_none() {
                self.ensure_class(body, scope)?;
            }
        }
        Ok(())
    }

    fn assigned_class(&mut self, name: &str) -> Outcome<super::body::BodyId> {
        let found = self.find_class(name)?;
        let node = &self.node.name;
        found.ok_or_else(|| issues::runtime(eco_format!("Could not find class {name} for {node}")).nowhere().into())
    }
}
