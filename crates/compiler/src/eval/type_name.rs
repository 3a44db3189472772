//! The name of a data type or resource type as an expression.

use bunraku_pcore::{Type, Value};
use bunraku_syntax::Span;

use crate::eval::fail;
use crate::frame::Frame;
use crate::issues;
use crate::unwind::Outcome;

/// `Integer`, `File`, `My::Alias`.
pub(super) fn resolve(name: &str, span: Span, frame: &mut Frame<'_, '_>) -> Outcome {
    match frame.compilation.data_type(name)? {
        Some(data_type) => Ok(Value::Type(data_type)),
        None => fail(issues::unknown_resource_type(name), span),
    }
}

/// What the keys of `Class[…]` are: there a name that no loader knows is allowed.
pub(super) fn resolve_or_reference(name: &str, frame: &mut Frame<'_, '_>) -> Outcome {
    Ok(Value::Type(frame.compilation.data_type(name)?.unwrap_or_else(|| Type::reference(name))))
}
