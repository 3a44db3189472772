//! Calls of templates and functions in code.

use bunraku_environment::Environment;
use bunraku_ruby::forecast;
use bunraku_syntax::ast::{Definition, Expr, ExprKind, Program};
use bunraku_syntax::{Source, Span};
use ecow::{EcoString, eco_format};

use super::{Need, NeedKind, Report, resource_types, ruby_function, stand_ins};
use crate::Library;

/// Searches code for what needs Ruby.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) environment: &'s Environment,
    pub(super) library: &'s Library,
    pub(super) has_ruby: bool,
}

impl Search<'_> {
    /// Adds what a file needs; what a class needs is said to be the class's.
    pub(super) fn read(&self, source: &Source, program: &Program, report: &mut Report) {
        let is_template = source.path.as_deref().is_some_and(|path| path.ends_with(".epp"));
        let main = if is_template { "this template" } else { "the main manifest" };
        let first = report.needs.len();
        self.visit(&program.body, &main.into(), source, report);
        for definition in &program.definitions {
            let user = user_of(definition);
            definition.each_child(&mut |expr| self.visit(expr, &user, source, report));
        }
        if let Some(found) = report.needs.get_mut(first..) {
            found.sort_by_key(|need| need.line);
        }
    }

    fn visit(&self, expr: &Expr, user: &EcoString, source: &Source, report: &mut Report) {
        if let ExprKind::Resource(resource) = &expr.kind
            && let ExprKind::Name(name) = &resource.type_name.kind
        {
            resource.bodies.iter().for_each(|_| resource_types::add(name, self.environment, report));
        }
        let mut add = |kind, name: EcoString, span: Span, reason: Option<EcoString>| {
            let file = source.path.clone().unwrap_or_default();
            let line = source.line_column(span.start).0;
            report.needs.push(Need { kind, name, user: user.clone(), file, line, reason });
        };
        let called = match &expr.kind {
            // Definitions are visited one by one.
            ExprKind::Definition(_) => return,
            ExprKind::Call(call) => match &call.functor.kind {
                ExprKind::Name(name) => Some((name, call.args.iter().collect::<Vec<_>>())),
                _ => None,
            },
            ExprKind::MethodCall(call) => {
                Some((&call.name.name, std::iter::once(&call.receiver).chain(&call.args).collect()))
            }
            _ => None,
        };
        match called {
            Some((name, args)) if name == "template" => {
                for arg in args {
                    if let Some(reason) = self.template_reason(arg, true) {
                        add(NeedKind::Template, shown(arg, source), expr.reported(), reason);
                    }
                }
            }
            Some((name, args)) if name == "inline_template" => {
                if let Some(reason) = args.iter().find_map(|arg| self.template_reason(arg, false)) {
                    add(NeedKind::Template, "inline".into(), expr.reported(), reason);
                }
            }
            Some((name, _)) => {
                if let Some(reason) = ruby_function(name, self.environment, self.library) {
                    add(NeedKind::Function, name.clone(), expr.reported(), Some(reason));
                }
                stand_ins::add(name, self.environment, self.library, self.has_ruby, report);
            }
            None => {}
        }
        expr.each_child(&mut |child| self.visit(child, user, source, report));
    }

    /// Why a template may need Ruby, which is given by its name or as it is: the reason, if it is known which one it is.
    fn template_reason(&self, expr: &Expr, is_name: bool) -> Option<Option<EcoString>> {
        let (ExprKind::String(text) | ExprKind::Name(text)) = &expr.kind else { return Some(None) };
        if !is_name {
            return forecast::of_template(text).map(|reason| Some(super::shown(&reason, "inline")));
        }
        let path = self.environment.find_template(text)?;
        let text = self.environment.world().read_text(&path).ok()?;
        forecast::of_template(&text).map(|reason| Some(super::shown(&reason, &path)))
    }
}

fn user_of(definition: &Definition) -> EcoString {
    let name = definition.name().map(EcoString::as_str).unwrap_or_default();
    match definition {
        Definition::Class(_) => eco_format!("class {name}"),
        Definition::DefinedType(_) => eco_format!("defined type {name}"),
        Definition::Function(_) => eco_format!("function {name}"),
        Definition::Plan(_) => eco_format!("plan {name}"),
        Definition::Node(_) => "a node definition".into(),
        Definition::TypeAlias(_) | Definition::TypeMapping(_) | Definition::TypeDefinition(_) => {
            eco_format!("type {name}")
        }
    }
}

/// The name of a template, or the expression that gives it.
fn shown(expr: &Expr, source: &Source) -> EcoString {
    match &expr.kind {
        ExprKind::String(name) | ExprKind::Name(name) => name.clone(),
        _ => source.slice(expr.span).into(),
    }
}
