//! Text: interpolation, heredocs and the output of templates.

use std::sync::Arc;

use ecow::EcoString;

use bunraku_pcore::{Value, limits};
use bunraku_syntax::ast::{Expr, ExprKind, Heredoc, StringPart};
use bunraku_syntax::check_syntax;

use crate::eval::{eval, variable};
use crate::frame::Frame;
use crate::unwind::Outcome;

/// How large a buffer for strings is kept for the next one.
const KEPT_CAPACITY: usize = 64 << 10;

/// A string with expressions in it.
pub(super) fn interpolate(parts: &[StringPart], frame: &mut Frame<'_, '_>) -> Outcome {
    // Strings are put together in a buffer of the compilation; one inside another finds it taken and makes its own.
    let mut text = std::mem::take(&mut frame.compilation.text_buffer);
    for part in parts {
        match part {
            StringPart::Text(literal) => text.push_str(literal),
            StringPart::Expr(expr) => {
                // A bare name in `${ }` is a variable, however it got there.
                let value = match &expr.kind {
                    ExprKind::Name(name) => variable::get(name, expr.span, frame)?,
                    _ => eval(expr, frame)?,
                };
                match value {
                    // The text itself, not one like it.
                    Value::String(_) if parts.len() == 1 => {
                        frame.compilation.text_buffer = text;
                        return Ok(value);
                    }
                    Value::String(inner) => text.push_str(&inner),
                    Value::Integer(number) => text.push_str(itoa::Buffer::new().format(number)),
                    other => limits::append(&mut text, &other)?,
                }
                limits::check_text(text.len())?;
            }
        }
    }
    let value = Value::from(text.as_str());
    if text.capacity() <= KEPT_CAPACITY {
        text.clear();
        frame.compilation.text_buffer = text;
    }
    Ok(value)
}

/// A heredoc; text that was put together at run time is checked against the syntax it claims to have.
pub(super) fn heredoc(heredoc: &Heredoc, frame: &mut Frame<'_, '_>) -> Outcome {
    let value = eval(&heredoc.text, frame)?;
    if !matches!(heredoc.text.kind, ExprKind::String(_))
        && let Value::String(text) = &value
    {
        check_syntax(&heredoc.syntax, text).map_err(|issue| issue.at(heredoc.text.reported()))?;
    }
    Ok(value)
}

/// The body of a template: everything rendered by it, joined. One secret in it makes all of it a secret.
pub(super) fn template(body: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    let outer = std::mem::take(&mut frame.compilation.rendered);
    let outcome = eval(body, frame);
    let rendered = std::mem::replace(&mut frame.compilation.rendered, outer);
    outcome?;
    let text = Value::String(rendered.text);
    Ok(if rendered.is_sensitive { Value::Sensitive(Arc::new(text)) } else { text })
}

/// Literal text of a template.
pub(super) fn render_text(text: &str, frame: &mut Frame<'_, '_>) -> Outcome {
    frame.compilation.rendered.text.push_str(text);
    limits::check_text(frame.compilation.rendered.text.len())?;
    Ok(Value::Undef)
}

/// `<%= … %>`.
pub(super) fn render(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    let value = eval(expr, frame)?;
    let rendered = &mut frame.compilation.rendered;
    let shown = match &value {
        Value::Sensitive(secret) => {
            rendered.is_sensitive = true;
            secret
        }
        other => other,
    };
    match shown {
        Value::String(text) => rendered.text.push_str(text),
        other => rendered.text.push_str(&limits::written(other)?),
    }
    limits::check_text(rendered.text.len())?;
    Ok(Value::Undef)
}

/// What a template has rendered so far.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    text: EcoString,
    is_sensitive: bool,
}
