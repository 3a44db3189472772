//! Templates: a template is a lambda that is called with its arguments by name.

use ecow::{EcoString, eco_format};

use bunraku_environment::Code;
use bunraku_pcore::data_types::{Member, StructType};
use bunraku_pcore::{Hash, Type, Value, mismatch};
use bunraku_syntax::Issue;
use bunraku_syntax::ast::{Epp, Expr, ExprKind, Lambda, Parameter};

use crate::eval::eval;
use crate::eval::lambda::default_value;
use crate::frame::Frame;
use crate::issues;
use crate::scope::{Content, Locals, Slots, TOP};
use crate::unwind::{Outcome, Unwind};

/// Which variables a template sees beside its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateScope {
    /// Those of the top scope: a template in a file.
    Top,
    /// All that the call sees: a template in the code.
    Local,
}

impl Frame<'_, '_> {
    /// Renders a template with arguments by name; secret if something in it is.
    pub fn render_template(&mut self, code: &Code, arguments: Option<&Hash>, sight: TemplateScope) -> Outcome {
        let Some((lambda, epp)) = parts(&code.program.body) else {
            return Err(issues::runtime("the text is not a template").into());
        };
        let mut frame = match sight {
            TemplateScope::Top => self.elsewhere(TOP, None),
            TemplateScope::Local => self.reborrow(),
        };
        let is_checked = epp.parameters_specified || arguments.is_none();
        frame.guarded(|frame| {
            let given: Locals = arguments.into_iter().flat_map(Hash::iter).filter_map(named).collect();
            let variables = if is_checked { bind(lambda, given, frame)? } else { assignable(given)? };
            frame.push_locals(variables);
            match eval(&lambda.body, frame) {
                Err(Unwind::Next(jump)) if is_checked => Ok(jump.value),
                outcome => outcome,
            }
        })
    }
}

fn parts(body: &Expr) -> Option<(&Lambda, &Epp)> {
    let ExprKind::Lambda(lambda) = &body.kind else { return None };
    match &lambda.body.kind {
        ExprKind::Epp(epp) => Some((lambda, epp)),
        _ => None,
    }
}

fn named((name, value): (&Value, &Value)) -> Option<(EcoString, Value)> {
    Some((name.as_str()?.into(), value.clone()))
}

/// Arguments for a template that declares no parameters; not every name can be that of a variable.
fn assignable(given: Locals) -> Result<Locals, Issue> {
    for (name, _) in &given {
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = eco_format!("Cannot assign to a numeric match result variable '${name}'");
            return Err(issues::runtime(message));
        }
        if matches!(name.as_str(), "trusted" | "facts" | "server_facts") {
            return Err(issues::runtime(eco_format!("Attempt to assign to a reserved variable name: '{name}'")));
        }
    }
    Ok(given)
}

/// Adds the defaults of parameters that have no value, and checks all of them.
fn bind(lambda: &Lambda, given: Locals, frame: &mut Frame<'_, '_>) -> Outcome<Locals> {
    let mut known: Slots = given
        .iter()
        .filter(|(_, value)| !value.is_undef())
        .map(|(name, value)| (name.clone(), Some(value.clone())))
        .collect();
    for parameter in &lambda.parameters {
        if !known.iter().any(|(name, _)| *name == *parameter.name) {
            known.push((parameter.name.name.clone(), None));
        }
    }
    let layer = frame.compilation.scopes.push(frame.scope, frame.layer, Content::Parameters { parameters: known });
    for (index, parameter) in lambda.parameters.iter().enumerate() {
        let is_given = |(name, value): &(EcoString, Value)| *name == *parameter.name && !value.is_undef();
        if given.iter().any(is_given) {
            continue;
        }
        let value = match &parameter.default {
            Some(default) => {
                Some(default_value(|_| "lambda".into(), &lambda.parameters, index, default, layer, frame)?)
            }
            None => given.iter().any(|(name, _)| *name == *parameter.name).then_some(Value::Undef),
        };
        let slots = frame.compilation.scopes.parameters_mut(layer);
        if let Some(slot) = slots.and_then(|slots| slots.iter_mut().find(|(name, _)| *name == *parameter.name)) {
            slot.1 = value;
        }
    }
    let slots = frame.compilation.scopes.parameters_mut(layer).map(std::mem::take).unwrap_or_default();
    let bound: Locals = slots.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    check(&lambda.parameters, &bound, frame)?;
    Ok(bound)
}

fn check(parameters: &[Parameter], bound: &Locals, frame: &mut Frame<'_, '_>) -> Outcome<()> {
    let mut members = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let value = match &parameter.type_expr {
            None => Type::Any,
            Some(expr) => match eval(expr, frame)? {
                Value::Type(data_type) => data_type,
                other => return Err(issues::runtime(format!("'{other}' is not a data type")).into()),
            },
        };
        members.push(Member { name: parameter.name.name.clone(), optional: parameter.default.is_some(), value });
    }
    let bound: Hash = bound.iter().map(|(name, value)| (Value::String(name.clone()), value.clone())).collect();
    match mismatch::describe_parameters("lambda", &StructType { members }, &bound, false, |_| None) {
        Some(message) => Err(issues::runtime(message).into()),
        None => Ok(()),
    }
}
