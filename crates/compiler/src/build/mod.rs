//! The catalog in the making.

use bunraku_catalog::Reference;
use bunraku_pcore::Value;
use bunraku_syntax::ast::Expr;

use crate::compilation::Compilation;
use crate::frame::Frame;
use crate::issues;
use crate::label;
use crate::scope::ScopeId;
use crate::unwind::Outcome;

/// Everything of the catalog in the making.
#[derive(Debug, Default)]
pub struct Build<'e> {
    classes: rustc_hash::FxHashMap<&'e str, ScopeId>,
}

impl Build<'_> {
    /// The resource whose body a scope is, as logs show it.
    pub fn resource_of(&self, _scope: ScopeId) -> Option<&Reference> {
        None
    }
}

impl Compilation<'_> {
    /// The scope of a class that has been evaluated.
    pub(crate) fn class_scope(&self, name: &str) -> Option<ScopeId> {
        self.build.classes.get(name).copied()
    }

    /// Whether the catalog has the class.
    pub fn is_class_declared(&self, name: &str) -> bool {
        self.build.classes.contains_key(name)
    }

    /// `$settings::name`.
    pub(crate) fn setting(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Whether there is a resource type or defined type of this name.
    pub(crate) fn is_resource_type(&mut self, name: &str) -> Outcome<bool> {
        Ok(bunraku_catalog::resource_types::builtin().contains_key(name))
    }
}

/// Evaluates the expressions that make, change and relate resources.
pub(crate) fn evaluate(expr: &Expr, _frame: &mut Frame<'_, '_>) -> Outcome {
    Err(issues::runtime(format!("{} cannot be evaluated here", label::expression(expr))).into())
}

/// `File['x']['mode']`.
pub(crate) fn parameters_of(_left: &Value, _keys: Vec<Value>, expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome {
    evaluate(expr, frame)
}
