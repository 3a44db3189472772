//! Variables: from a name to its value.

use ecow::{EcoString, eco_format};

use bunraku_pcore::Value;
use bunraku_syntax::{Issue, Span};

use crate::eval::fail;
use crate::frame::{Frame, error_at};
use crate::issues;
use crate::number::is_numeric_name;
use crate::scope::{Lookup, ScopeKind, TOP};
use crate::settings::Strict;
use crate::unwind::{Outcome, Unwind};

/// Variables that are `undef` rather than unknown where nothing sets them.
const BUILT_IN: [&str; 2] = ["module_name", "caller_module_name"];

/// The value of `$name`; an unknown one is treated as the settings say.
pub(super) fn get(name: &EcoString, span: Span, frame: &mut Frame<'_, '_>) -> Outcome {
    if let Some(value) = find(name, frame)? {
        return Ok(value);
    }
    if is_numeric_name(name) || is_built_in(name) {
        return Ok(Value::Undef);
    }
    let issue = issues::unknown_variable(name);
    let (strict, is_fatal) = (frame.compilation.settings.strict, frame.compilation.settings.strict_variables);
    let issue = if is_fatal || strict == Strict::Error { suggest(issue, name, frame) } else { issue };
    match strict {
        _ if frame.compilation.settings.strict_variables => fail(issue, span),
        Strict::Error => Err(error_at(issue, span)),
        Strict::Warning => {
            frame.warn(issue, span);
            Ok(Value::Undef)
        }
        Strict::Off => Ok(Value::Undef),
    }
}

/// An unknown variable together with the one that was probably meant.
#[cold]
fn suggest(issue: Issue, name: &str, frame: &Frame<'_, '_>) -> Issue {
    let scopes = &frame.compilation.scopes;
    match name.rsplit_once("::") {
        Some((class, variable)) => match frame.compilation.class_scope(without_colons(class)) {
            Some(scope) => {
                let known = scopes.get(scope).variables.keys();
                issue.with_nearest(variable, known, |meant| eco_format!("${class}::{meant}"))
            }
            None => issue,
        },
        None => {
            let visible = scopes.visible(frame.scope, frame.layer);
            issue.with_nearest(name, visible.keys(), |meant| eco_format!("${meant}"))
        }
    }
}

/// Whether the variable is there even if nothing sets it.
pub(crate) fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&without_colons(name))
}

/// A name without `::` before it, however often it is there. A search would prepare itself for longer texts than this.
fn without_colons(mut name: &str) -> &str {
    while let Some(rest) = name.strip_prefix("::") {
        name = rest;
    }
    name
}

/// The value of a variable, if there is one; the name may be qualified.
pub(crate) fn find(name: &str, frame: &mut Frame<'_, '_>) -> Outcome<Option<Value>> {
    // Most names are not qualified, and looking for one byte is cheaper than looking for a text.
    if name.as_bytes().contains(&b':')
        && let Some((class, variable)) = name.rsplit_once(':')
        && let Some(class) = class.strip_suffix(':')
    {
        return qualified(without_colons(class), variable, frame);
    }
    match frame.compilation.scopes.lookup(name, frame.scope, frame.layer) {
        Lookup::Found(value) => Ok(Some(value.clone())),
        Lookup::Unknown => Ok(None),
        Lookup::Unevaluated => Err(Unwind::Unevaluated(name.into())),
    }
}

/// `$class::variable`, or `$::variable` of the top scope.
fn qualified(class: &str, variable: &str, frame: &mut Frame<'_, '_>) -> Outcome<Option<Value>> {
    if class.is_empty() {
        return Ok(frame.compilation.scopes.get(TOP).variables.get(variable).cloned());
    }
    if class == "settings"
        && let Some(value) = frame.compilation.setting(variable)
    {
        return Ok(Some(value));
    }
    let mut scope = frame.compilation.class_scope(class);
    while let Some(id) = scope {
        // Compatibility: what lies on the scope counts as its own, such as the parameters whose defaults are evaluated.
        match frame.compilation.scopes.lookup_here(variable, id) {
            Lookup::Found(value) => return Ok(Some(value.clone())),
            Lookup::Unevaluated => return Err(Unwind::Unevaluated(variable.into())),
            Lookup::Unknown => {}
        }
        scope = match &frame.compilation.scopes.get(id).kind {
            ScopeKind::Class { inherits, .. } => *inherits,
            _ => None,
        };
    }
    // Facts, and parameters that a classifier gives, may have qualified names.
    let name = eco_format!("{class}::{variable}");
    Ok(frame.compilation.scopes.get(TOP).variables.get(&name).cloned())
}
