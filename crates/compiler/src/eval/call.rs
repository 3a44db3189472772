//! Calls: a function by name, by method, or a data type that makes a value.

use std::sync::Arc;

use bunraku_pcore::data_type::DataType;
use bunraku_pcore::member::call_member;
use bunraku_pcore::{Hash, Type, Value, limits, mismatch};
use bunraku_syntax::ast::{self, Expr, ExprKind, Lambda};
use bunraku_syntax::{About, Issue, Span, deep};
use ecow::eco_format;

use crate::cause::in_call;
use crate::compilation::Callee;
use crate::eval::lambda::{self, Closure};
use crate::eval::{eval, fail, unfolded};
use crate::frame::Frame;
use crate::function::{Block, Call, Native, Role, Signature};
use crate::issues;
use crate::label;
use crate::limits::CALL_DEPTH;
use crate::lookup;
use crate::scope::TOP;
use crate::unwind::{Outcome, Unwind};

/// `name(args)` or `Type(args)`.
pub(super) fn named(expr: &Expr, call: &ast::Call, frame: &mut Frame<'_, '_>) -> Outcome {
    let name = match &call.functor.kind {
        ExprKind::Name(name) => name,
        ExprKind::TypeName(_) => return construct(expr, call, frame),
        ExprKind::Access(access) if matches!(access.left.kind, ExprKind::TypeName(_)) => {
            return construct(expr, call, frame);
        }
        ExprKind::RenderString(_) => return Err(issues::illegal_epp_parameters().into()),
        _ => {
            let functor = label::a_an_capitalized(&label::expression(&call.functor));
            let container = label::a_an(&label::expression(expr));
            return fail(issues::illegal_expression(functor, "function name", container), call.functor.reported());
        }
    };
    let args = unfolded(Vec::with_capacity(call.args.len()), &call.args, frame)?;
    with_lambda(name, args, call.lambda.as_deref(), call.rvalue, expr.reported(), frame)
        .map_err(|unwind| in_call(unwind, call.functor.span, call.args.iter()))
}

/// `Type(args)` is `new(Type, args)`.
fn construct(expr: &Expr, call: &ast::Call, frame: &mut Frame<'_, '_>) -> Outcome {
    let data_type = eval(&call.functor, frame)?;
    let args = unfolded(vec![data_type], &call.args, frame)?;
    with_lambda("new", args, call.lambda.as_deref(), true, expr.reported(), frame)
        .map_err(|unwind| in_call(unwind, call.functor.span, std::iter::once(&call.functor).chain(&call.args)))
}

/// `receiver.name(args)`: an attribute or method of an object, or a function with the receiver as its first argument.
pub(super) fn method(expr: &Expr, call: &ast::MethodCall, frame: &mut Frame<'_, '_>) -> Outcome {
    let receiver = unfolded(Vec::with_capacity(call.args.len() + 1), std::slice::from_ref(&call.receiver), frame)?;
    let args = unfolded(receiver, &call.args, frame)?;
    if let [receiver @ (Value::Object(_) | Value::Uri(_)), args @ ..] = args.as_slice()
        && !lookup::is_context(receiver, frame)
        && let Some(result) = call_member(receiver, &call.name, args)
    {
        return match foreign_member(receiver, &call.name, args, expr.reported(), frame) {
            Some(outcome) => outcome,
            None => Ok(result?),
        };
    }
    with_lambda(&call.name, args, call.lambda.as_deref(), true, expr.reported(), frame)
        .map_err(|unwind| in_call(unwind, call.name.span, std::iter::once(&call.receiver).chain(&call.args)))
}

/// A function of an object whose type foreign code implements.
fn foreign_member(
    receiver: &Value,
    name: &str,
    args: &[Value],
    span: Span,
    frame: &mut Frame<'_, '_>,
) -> Option<Outcome> {
    let Value::Object(object) = receiver else { return None };
    let object_type = object.object_type();
    object_type.function(name)?;
    let type_name = object_type.name().to_lowercase();
    frame.compilation.foreign?.call_member(&type_name, object, name, args, span, frame)
}

fn with_lambda(
    name: &str,
    args: Vec<Value>,
    lambda: Option<&Lambda>,
    is_used: bool,
    span: Span,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    let block = lambda.map(|lambda| lambda::block(lambda, frame)).transpose()?;
    frame.compilation.calls.enter_call(span);
    let outcome = function(name, args, block.as_ref(), span, frame);
    frame.compilation.calls.leave();
    match outcome {
        Err(Unwind::Issue(issue)) if issue.code() == issues::NO_VALUE => {
            if is_used {
                Err(issues::runtime(issue.message()).into())
            } else {
                Ok(Value::Undef)
            }
        }
        outcome => outcome,
    }
}

/// Calls a function by name.
pub(crate) fn function(
    name: &str,
    args: Vec<Value>,
    block: Option<&Block<'_>>,
    span: Span,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    if let Some((Value::Object(receiver), rest)) = args.split_first()
        && let Some(outcome) = lookup::context_method(receiver, name, rest, block, span, frame)
    {
        return outcome;
    }
    let callee = frame.compilation.callee(name)?;
    let compilation = &mut *frame.compilation;
    compilation.clock.step()?;
    if compilation.depth >= CALL_DEPTH {
        return Err(issues::runtime(format!("'{name}' is called more than {CALL_DEPTH} levels deep")).into());
    }
    compilation.depth += 1;
    compilation.enter(name);
    let outcome = deep(|| match callee {
        Callee::Native(native) => call_native(native, args, block, span, frame),
        Callee::Puppet(definition) => call_puppet(definition, args, block, frame),
        Callee::Foreign(foreign) => foreign.call(name, args, block, span, frame),
        Callee::Unknown => Err(unknown(name, frame).into()),
    });
    frame.compilation.leave();
    frame.compilation.depth -= 1;
    if let Ok(value) = &outcome {
        limits::check_data(value)?;
    }
    outcome.map_err(|unwind| unwind.through(|| eco_format!("in the call of '{name}'"), span))
}

/// A call of a function that is not known, with the one that was probably meant.
#[cold]
fn unknown(name: &str, frame: &Frame<'_, '_>) -> Issue {
    let compilation = &*frame.compilation;
    let mut known = compilation.definitions.function_names();
    known.extend(compilation.library.iter().map(|native| native.function.name));
    issues::unknown_function(name).with_nearest(name, known, std::convert::identity).with_about(About::Callee)
}

/// Calls a native function.
pub(crate) fn call_native(
    native: &Native,
    args: Vec<Value>,
    block: Option<&Block<'_>>,
    span: Span,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    let function = native.function;
    let resolved;
    let signatures: &[Signature] = if native.names_types_of_modules()? {
        resolved = frame.compilation.resolved_signatures(native)?;
        &resolved
    } else {
        native.signatures()?
    };
    if let [Signature::Arity(arity)] = signatures {
        let args = args.into_iter().map(|argument| legacy_argument(argument, frame)).collect::<Outcome<Vec<_>>>()?;
        check_arity(function.name, *arity, args.len())?;
        let call = &mut Call { frame: frame.reborrow(), name: function.name, args: &args, block, span, yields: 0 };
        let outcome = function.dispatches.first().map_or(Ok(Value::Undef), |dispatch| (dispatch.body)(call));
        return checked(outcome, native, 0, &args, frame);
    }
    let block_type = block.map(Block::data_type);
    for (index, (signature, dispatch)) in signatures.iter().zip(function.dispatches).enumerate() {
        let Signature::Typed(typed) = signature else { continue };
        if typed.callable.is_callable_with(&args, block_type.as_ref()) {
            let call = &mut Call { frame: frame.reborrow(), name: function.name, args: &args, block, span, yields: 0 };
            return match (dispatch.body)(call) {
                Err(Unwind::Issue(issue)) if typed.role == Role::Mismatch => {
                    Err(issues::runtime(format!("'{}' {}", function.name, issue.message())).into())
                }
                outcome => checked(outcome, native, index, &args, frame),
            };
        }
    }
    let described: Vec<_> = signatures.iter().filter_map(Signature::described).collect();
    Err(wrong_call(function.name, &described, &args, block_type.as_ref()).into())
}

/// What came of a call; an error if that is not what the function declares and shapes are checked.
#[inline]
fn checked(outcome: Outcome, native: &Native, dispatch: usize, args: &[Value], frame: &Frame<'_, '_>) -> Outcome {
    match &outcome {
        Ok(value) if frame.compilation.library.checks_shapes => check_shape(native, dispatch, args, value)?,
        _ => {}
    }
    outcome
}

/// Compares a call and its result with what a function declares and nobody else checks.
#[cold]
fn check_shape(native: &Native, dispatch: usize, args: &[Value], value: &Value) -> Outcome<()> {
    let function = native.function;
    let has_own_parameters =
        function.dispatches.get(dispatch).and_then(|it| it.shape).is_some_and(|it| it.starts_with('('));
    let shapes = native.shapes()?;
    let Some(shape) = shapes.get(dispatch) else { return Ok(()) };
    let name = function.name;
    // Types of modules are references, which say nothing.
    let returned = shape.callable.returned.as_ref().filter(|it| !it.to_string().contains("TypeReference["));
    if let Some(returned) = returned.filter(|returned| !returned.is_instance(value)) {
        let found = Type::infer(value);
        return Err(issues::runtime(format!("'{name}' declares to return {returned}, but gave {found}")).into());
    }
    // 3.x functions do not mind what stands behind the arguments they look at.
    let given = args.get(..shape.names.len()).unwrap_or(args);
    if has_own_parameters && shape.callable.parameters.as_ref().is_some_and(|tuple| !tuple.contains(given)) {
        let found: Vec<String> = args.iter().map(|arg| Type::infer(arg).to_string()).collect();
        return Err(
            issues::runtime(format!("'{name}' accepts ({}), which it does not declare", found.join(", "))).into()
        );
    }
    Ok(())
}

/// A call that fits no signature: the reference lists them all, people are told of the one that comes closest.
#[cold]
pub(crate) fn wrong_call(
    name: &str,
    signatures: &[mismatch::Signature<'_>],
    args: &[Value],
    block: Option<&Type>,
) -> Issue {
    if let Err(unsupported) = signatures.iter().try_for_each(|signature| signature.check_inits(args)) {
        return unsupported;
    }
    let issue = issues::runtime(mismatch::describe_signatures(name, signatures, args, block));
    let Some((closest, wrong)) = mismatch::closest(signatures, args) else { return issue };
    let form = |signature: &mismatch::Signature<'_>| eco_format!("{name}({})", mismatch::signature_text(signature));
    let issue = issue
        .with_headline(mismatch::describe_signatures(name, &[closest], args, block))
        .with_about(wrong.map(About::Argument));
    let is_clear = signatures.len() == 1 && wrong.is_some();
    let shown = signatures.iter().take(if is_clear { 0 } else { MOST_FORMS }).map(form);
    shown.fold(issue, |issue, form| issue.with_help(eco_format!("it can be called as {form}")))
}

/// So many forms of a function are shown when a call fits none.
const MOST_FORMS: usize = 6;

/// 3.x functions state how many arguments they take: `-3` means at least two.
pub fn check_arity(name: &str, arity: i32, given: usize) -> Outcome<()> {
    let wanted = usize::try_from(if arity < 0 { -arity - 1 } else { arity }).unwrap_or(0);
    let message = match arity {
        0.. if given != wanted => format!("{name}(): Wrong number of arguments given ({given} for {wanted})"),
        ..0 if given < wanted => format!("{name}(): Wrong number of arguments given ({given} for minimum {wanted})"),
        _ => return Ok(()),
    };
    Err(issues::runtime(message).into())
}

/// How a 3.x function gets an argument: `undef` as an empty text, rich values as text, references as
/// resources hold them.
fn legacy_argument(value: Value, frame: &mut Frame<'_, '_>) -> Outcome {
    match value {
        Value::Undef => Ok(Value::from("")),
        other => nested_legacy_argument(other, frame),
    }
}

fn nested_legacy_argument(value: Value, frame: &mut Frame<'_, '_>) -> Outcome {
    deep(|| {
        Ok(match value {
            Value::Regexp(regexp) => Value::from(regexp.to_literal()),
            Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) | Value::SemVerRange(_) | Value::Binary(_) => {
                Value::string(eco_format!("{value}"))
            }
            Value::Array(elements) => {
                let elements = Arc::unwrap_or_clone(elements).into_iter();
                Value::from(
                    elements.map(|element| nested_legacy_argument(element, frame)).collect::<Outcome<Vec<_>>>()?,
                )
            }
            Value::Hash(hash) => {
                let mut converted = Hash::with_capacity(hash.len());
                for (key, value) in Arc::unwrap_or_clone(hash) {
                    converted.insert(nested_legacy_argument(key, frame)?, nested_legacy_argument(value, frame)?);
                }
                Value::from(converted)
            }
            Value::Type(data_type) => Value::Type(frame.compilation.held(data_type)?),
            Value::Iterator(_) => return Err(issues::runtime("Use of an Iterator is not supported here").into()),
            other => other,
        })
    })
}

/// A function in Puppet sees the top scope and nothing of its caller.
fn call_puppet(
    definition: &ast::Function,
    args: Vec<Value>,
    block: Option<&Block<'_>>,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    let types = frame.compilation.function_types(definition)?;
    let closure =
        Closure { name: &definition.name, parameters: &definition.parameters, types: &types, body: &definition.body };
    let block_type: Option<Type> = block.map(Block::data_type);
    if !closure.types.accepts(&args) || block.is_some() {
        return Err(closure.mismatch(&args, block_type.as_ref()).into());
    }
    let mut inner = frame.elsewhere(TOP, None);
    match closure.call(args, &mut inner) {
        // Compatibility: the type of what `return()` gives is not checked.
        Err(Unwind::Return(jump)) => Ok(jump.value),
        outcome => outcome,
    }
}
