//! Calls of templates and functions in code.

use bunraku_environment::Environment;
use bunraku_ruby::native::Templates;
use bunraku_syntax::ast::{Definition, Expr, ExprKind, Program};
use bunraku_syntax::{Source, Span};
use ecow::{EcoString, eco_format};

use super::{Need, NeedKind, Report, ruby_function, stand_ins};
use crate::Library;

/// Searches code for what needs Ruby.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) environment: &'s Environment,
    pub(super) library: &'s Library,
    pub(super) templates: &'s Templates,
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
        let mut add = |kind, name: EcoString, span: Span| {
            let file = source.path.clone().unwrap_or_default();
            let line = source.line_column(span.start).0;
            report.needs.push(Need { kind, name, user: user.clone(), file, line });
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
                for arg in args.into_iter().filter(|arg| self.may_need_ruby(arg, true)) {
                    add(NeedKind::Template, shown(arg, source), expr.reported());
                }
            }
            Some((name, args))
                if name == "inline_template" && args.iter().any(|arg| self.may_need_ruby(arg, false)) =>
            {
                add(NeedKind::Template, "inline".into(), expr.reported());
            }
            Some((name, _)) => {
                if ruby_function(name, self.environment, self.library).is_some() {
                    add(NeedKind::Function, name.clone(), expr.reported());
                }
                stand_ins::add(name, self.environment, self.library, self.has_ruby, report);
            }
            None => {}
        }
        expr.each_child(&mut |child| self.visit(child, user, source, report));
    }

    /// Whether a template is not known to do without Ruby; it is given by its name or as it is.
    fn may_need_ruby(&self, expr: &Expr, is_name: bool) -> bool {
        let (ExprKind::String(text) | ExprKind::Name(text)) = &expr.kind else { return true };
        if !is_name {
            return self.templates.may_need_ruby(&text.as_str().into());
        }
        let path = self.environment.find_template(text);
        let text = path.and_then(|path| self.environment.world().read_text(&path).ok());
        text.is_none_or(|text| self.templates.may_need_ruby(&text.into()))
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
