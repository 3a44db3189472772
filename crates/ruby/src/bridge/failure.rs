//! How Ruby code in a session ends without a value.

use std::path::Path;

use bunraku_syntax::Issue;

use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Stop, Vm};
use crate::sidecar::{RubyError, RubyErrorKind};

/// Why there is no value.
pub(crate) enum Failure {
    /// An error, as the helper would tell it.
    Error(RubyError),
    /// Something that is not known here: what, and where.
    Unsupported {
        /// What is not known, with its place.
        reason: String,
        /// Whether nothing has happened yet that a second run would repeat.
        is_clean: bool,
        /// What there is to say where there is no Ruby: Ruby would only say it better.
        otherwise: Option<Box<RubyError>>,
    },
}

impl Failure {
    /// The same, where it is known whether anything has happened.
    pub(super) fn clean(self, now: bool) -> Failure {
        match self {
            Failure::Unsupported { reason, otherwise, .. } => Failure::Unsupported { reason, is_clean: now, otherwise },
            other => other,
        }
    }

    /// What is said if nobody else can do it; `missing` is the Ruby that is not there.
    pub(crate) fn into_error(self, missing: Option<&Path>) -> RubyError {
        match self {
            Failure::Error(error) => error,
            Failure::Unsupported { otherwise: Some(error), .. } => *error,
            Failure::Unsupported { reason, .. } => RubyError::needs_ruby(&reason, missing),
        }
    }
}

impl From<RubyError> for Failure {
    fn from(error: RubyError) -> Failure {
        Failure::Error(error)
    }
}

impl From<Issue> for Failure {
    fn from(issue: Issue) -> Failure {
        Failure::Error(RubyError::new(RubyErrorKind::Raised, issue.message()))
    }
}

/// What ended code of a file.
pub(super) fn of(vm: &mut Vm, stop: Stop, path: &str) -> Failure {
    match stop {
        Stop::Raise(exception) => {
            let error = raised(vm, &exception, path);
            match has_suggestion(error.class.as_deref()) {
                // Ruby knows which name was meant.
                true => {
                    let reason = error.message.clone();
                    Failure::Unsupported { reason, is_clean: true, otherwise: Some(Box::new(error)) }
                }
                false => Failure::Error(error),
            }
        }
        Stop::Unwind => RubyError::new(RubyErrorKind::Unwound, "the call was left").into(),
        Stop::Throw(Value::Sym(tag), _) if tag.as_str() == "no_such_key" => {
            RubyError::new(RubyErrorKind::NotFound, "no value was found").into()
        }
        Stop::Limit(reason) => {
            let error = RubyError::new(RubyErrorKind::Limit, reason);
            RubyError { file: Some(path.to_string()), line: Some(vm.line), ..error }.into()
        }
        Stop::Unsupported(what) => {
            Failure::Unsupported { reason: format!("{what} ({path}:{})", vm.line), is_clean: true, otherwise: None }
        }
        other => {
            let (class, message) = vm.told(other);
            RubyError { class: Some(class), ..RubyError::new(RubyErrorKind::Raised, message) }.into()
        }
    }
}

fn has_suggestion(class: Option<&str>) -> bool {
    matches!(class, Some("NameError" | "NoMethodError" | "KeyError"))
}

fn raised(vm: &mut Vm, exception: &Value, path: &str) -> RubyError {
    let class = vm.class_name(exception);
    let message = vm.message_of(exception).unwrap_or_default();
    let kind = match class.as_str() {
        "NoMemoryError" | "SystemStackError" => RubyErrorKind::Limit,
        "Bunraku::NoValue" => RubyErrorKind::NoValue,
        _ if vm.is_a(exception, &vm.core.standard_error.clone()) => RubyErrorKind::Raised,
        _ => RubyErrorKind::Fatal,
    };
    let message = if class == "SystemExit" { "exit is not allowed here".to_string() } else { message };
    let (file, line) = place(vm, exception).unwrap_or_else(|| (path.to_string(), vm.line));
    let number = match exception.variable(Sym::new("@number")) {
        Some(Value::Int(number)) => usize::try_from(number).ok(),
        _ => None,
    };
    vm.puppet.raised = Some((message.clone(), file.clone(), line));
    let error = RubyError::new(kind, message);
    RubyError { class: Some(class), file: Some(file), line: Some(line), number, ..error }
}

/// The place of an exception in the code of a module rather than in the shim.
fn place(vm: &mut Vm, exception: &Value) -> Option<(String, u32)> {
    let lines = vm.send(exception, Sym::new("backtrace"), &[]).ok()?;
    let lines = vm.items(&lines).ok()?;
    lines.iter().find_map(|line| {
        let line = vm.to_s(line).ok()?;
        if line.starts_with("bunraku/") || line.starts_with("<internal:") {
            return None;
        }
        let before = line.rsplit_once(":in ").map_or(line.as_str(), |(before, _)| before);
        let (file, number) = before.rsplit_once(':')?;
        Some((file.to_string(), number.parse().ok()?))
    })
}
