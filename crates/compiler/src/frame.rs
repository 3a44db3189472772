//! The frame: where an evaluation is, and what it may reach from there.

use ecow::EcoString;

use bunraku_hiera::Missing;
use bunraku_pcore::Value;
use bunraku_syntax::{Issue, Severity, Span};

use crate::compilation::{Callee, Compilation};
use crate::eval::variable;
use crate::issues;
use crate::log::{Level, Log};
use crate::number::is_numeric_name;
use crate::scope::{Content, LayerId, Locals, Lookup, Match, ScopeId, ScopeKind, TOP};
use crate::settings::Strict;
use crate::unwind::{Outcome, Unwind};

/// A place in a compilation: a scope and the layers on it.
#[derive(Debug)]
pub struct Frame<'c, 'e> {
    /// The compilation.
    pub compilation: &'c mut Compilation<'e>,
    /// The scope whose variables are seen.
    pub scope: ScopeId,
    /// The innermost layer on the scope.
    pub(crate) layer: Option<LayerId>,
}

/// Where a frame is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    scope: ScopeId,
    layer: Option<LayerId>,
}

impl<'c, 'e> Frame<'c, 'e> {
    /// The frame of the top scope.
    pub fn top(compilation: &'c mut Compilation<'e>) -> Frame<'c, 'e> {
        Frame { compilation, scope: TOP, layer: None }
    }

    /// Moves to the top scope; gives the place to return to.
    pub fn move_to_top(&mut self) -> Place {
        let place = Place { scope: self.scope, layer: self.layer };
        self.move_to(Place { scope: TOP, layer: None });
        place
    }

    /// Moves to another place.
    pub fn move_to(&mut self, place: Place) {
        (self.scope, self.layer) = (place.scope, place.layer);
    }

    /// A frame of the same place, for a while.
    pub fn reborrow(&mut self) -> Frame<'_, 'e> {
        Frame { compilation: self.compilation, scope: self.scope, layer: self.layer }
    }

    /// A frame of another place in the same compilation, for a while.
    pub(crate) fn elsewhere(&mut self, scope: ScopeId, layer: Option<LayerId>) -> Frame<'_, 'e> {
        Frame { compilation: self.compilation, scope, layer }
    }

    /// Runs `body` and removes the layers it leaves behind: match results and locals end with the construct.
    pub(crate) fn guarded<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (layer, height) = (self.layer, self.compilation.scopes.height());
        let result = body(self);
        self.layer = layer;
        self.compilation.scopes.pop_to(height);
        result
    }

    /// Puts local variables on top.
    pub(crate) fn push_locals(&mut self, variables: Locals) {
        self.layer = Some(self.compilation.scopes.push(self.scope, self.layer, Content::Local(variables)));
    }

    /// Takes the value of a local variable away, when nothing will ask for it any more.
    pub(crate) fn forget_local(&mut self, name: &str) {
        self.compilation.scopes.forget(name, self.layer);
    }

    /// Puts a match on top: its groups are seen as `$0`, `$1`, ….
    pub(crate) fn push_match(&mut self, found: Match) {
        self.layer = Some(self.compilation.scopes.push(self.scope, self.layer, Content::Match(found)));
    }

    /// The value of a variable that is seen from here; the name may be qualified.
    pub fn variable(&mut self, name: &str) -> Outcome<Option<Value>> {
        variable::find(name, self)
    }

    /// The value of a variable as functions ask for it by name: an unknown one is treated as `strict` says.
    pub fn look_up(&mut self, name: &str) -> Outcome {
        if let Some(value) = variable::find(name, self)? {
            return Ok(value);
        }
        let Some(Missing { name, reason }) = self.missing_variable(name) else { return Ok(Value::Undef) };
        let message = ecow::eco_format!("Undefined variable '{name}'; {reason}");
        match self.compilation.settings.strict {
            Strict::Error => return Err(issues::runtime(message).into()),
            Strict::Warning => {
                let message = ecow::eco_format!("{message}\n   (file & line not available)");
                if self.compilation.logs.iter().all(|log| log.message != message) {
                    self.compilation.log(Level::Warning, &message);
                }
            }
            Strict::Off => {}
        }
        Ok(Value::Undef)
    }

    /// What messages say of a variable that nothing sets; nothing if the language has it all the same.
    pub fn missing_variable(&mut self, name: &str) -> Option<Missing> {
        if variable::is_built_in(name) || is_numeric_name(name) {
            return None;
        }
        if !name.contains("::") {
            return Some(Missing { name: name.into(), reason: EcoString::new() });
        }
        let name = name.trim_start_matches("::");
        let Some((class, variable)) = name.rsplit_once("::") else {
            return Some(Missing { name: ecow::eco_format!("::{name}"), reason: EcoString::new() });
        };
        let reason = self.reason_of_missing(class);
        if !reason.is_empty() {
            return Some(Missing { name: name.into(), reason });
        }
        // Compatibility: where no class is to blame, the last class that was asked is, as one of the top scope.
        let class = self.oldest_ancestor(class);
        Some(Missing { name: ecow::eco_format!("::{class}::{variable}"), reason })
    }

    /// The class at the end of the chain that an evaluated class inherits from.
    fn oldest_ancestor(&self, class: &str) -> EcoString {
        let compilation = &self.compilation;
        let parent = |id| match &compilation.scopes.get(id).kind {
            ScopeKind::Class { inherits, .. } => *inherits,
            _ => None,
        };
        let mut last = compilation.class_scope(class);
        while let Some(parent) = last.and_then(parent) {
            last = Some(parent);
        }
        match last.map(|id| &compilation.scopes.get(id).kind) {
            Some(ScopeKind::Class { name, .. }) => name.clone(),
            _ => class.into(),
        }
    }

    /// Why a variable of a class is not known.
    fn reason_of_missing(&mut self, class: &str) -> EcoString {
        if self.compilation.class_scope(class).is_some() {
            EcoString::new()
        } else if matches!(self.compilation.definitions.class(class), Ok(Some(_))) {
            ecow::eco_format!("class {class} has not been evaluated")
        } else {
            ecow::eco_format!("class {class} could not be found")
        }
    }

    /// Whether there is a variable of this name, whatever its value; the name may be qualified.
    pub fn has_variable(&mut self, name: &str) -> Outcome<bool> {
        if variable::is_built_in(name) {
            return Ok(true);
        }
        // Compatibility: a class is asked with everything it sees, not only for its own variables.
        let scopes = &self.compilation.scopes;
        if let Some((class, variable)) = name.trim_start_matches("::").rsplit_once("::")
            && let Some(scope) = self.compilation.class_scope(&class.to_lowercase())
        {
            return Ok(!matches!(scopes.lookup(variable, scope, scopes.innermost(scope)), Lookup::Unknown));
        }
        Ok(variable::find(name, self)?.is_some())
    }

    /// Whether there is a function with this name.
    pub fn has_function(&mut self, name: &str) -> Outcome<bool> {
        Ok(!matches!(self.compilation.callee(name)?, Callee::Unknown))
    }

    /// Says something at a level, as the scope does it.
    pub fn log(&mut self, level: Level, message: EcoString, span: Option<Span>) {
        let source = Some(self.compilation.scope_label(self.scope));
        self.compilation.say(Log { level, message, source, issue: None, span });
    }

    /// Warns of an issue at a place.
    pub fn warn(&mut self, issue: Issue, span: Span) {
        self.compilation.warn(issue, span);
    }

    /// Treats an issue as `strict` says: an error, a warning, or nothing.
    pub fn strictly(&mut self, issue: Issue, span: Span) -> Outcome<()> {
        match self.compilation.settings.strict {
            Strict::Error => Err(error_at(issue, span)),
            Strict::Warning => {
                self.warn(issue, span);
                Ok(())
            }
            Strict::Off => Ok(()),
        }
    }
}

/// An evaluation error at a place.
pub fn error_at(issue: Issue, span: Span) -> Unwind {
    issue.after(issues::EVALUATION).at(span).with_severity(Severity::Error).into()
}
