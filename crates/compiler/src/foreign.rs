//! The border to code that is neither Puppet nor Rust: what it offers the compiler, and what it may reach in turn.

use std::fmt::Debug;
use std::sync::Arc;

use bunraku_catalog::ResourceType;
use bunraku_pcore::parse::parse_type;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::Span;

use crate::compilation::{Callee, Compilation};
use crate::eval::{call, lambda};
use crate::frame::Frame;
use crate::function::Block;
use crate::issues;
use crate::scope::Variables;
use crate::unwind::{Outcome, Unwind};

/// Runs foreign functions and templates, and knows foreign resource types.
pub trait Foreign: Debug + Send + Sync {
    /// The resource type of this name that a module defines.
    fn resource_type(&self, name: &str) -> Option<&ResourceType>;

    /// Whether there is such a function.
    fn has_function(&self, name: &str) -> bool;

    /// What a function says it returns for these arguments.
    fn returned(&self, name: &str, args: &[Value], frame: &mut Frame<'_, '_>) -> Outcome<Returned>;

    /// Calls a function.
    fn call(
        &self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Block<'_>>,
        span: Span,
        frame: &mut Frame<'_, '_>,
    ) -> Outcome;

    /// Renders an ERB template.
    fn render(&self, template: Template<'_>, span: Span, frame: &mut Frame<'_, '_>) -> Outcome;
}

/// What a function says it returns.
#[derive(Clone, Debug)]
pub enum Returned {
    /// A value of this type.
    Type(Type),
    /// Nothing is said.
    Undeclared,
    /// The function cannot be called with the arguments.
    NoDispatch,
}

/// An ERB template.
#[derive(Clone, Copy, Debug)]
pub enum Template<'t> {
    /// A text that is not in any file.
    Inline(&'t str),
    /// The text of a file.
    File {
        /// How the program refers to it: `module/file`.
        name: &'t str,
        /// Where it is.
        path: &'t str,
        /// Its text.
        text: &'t Arc<str>,
    },
}

impl Frame<'_, '_> {
    /// Every variable that is seen from here by its plain name.
    pub fn visible_variables(&self) -> Variables {
        self.compilation.scopes.visible(self.scope, self.layer)
    }

    /// Sets a variable that is not set yet.
    pub fn set_variable(&mut self, name: &str, value: Value) -> Outcome<()> {
        if self.compilation.scopes.is_bound(name, self.scope, self.layer) {
            return Err(issues::illegal_reassignment(name).into());
        }
        self.compilation.scopes.set(name.into(), value, self.scope, self.layer);
        Ok(())
    }

    /// Gives a variable another value where it is set, and the parameter it comes from too.
    ///
    /// Compatibility: templates in Ruby can change values in place, and both are the same object there.
    pub fn replace_variable(&mut self, name: &str, value: Value) {
        if let Some(scope) = self.compilation.scopes.replace(name, &value, self.scope, self.layer) {
            self.compilation.replace_parameter(scope, name, value);
        }
    }

    /// Calls a function by name.
    pub fn call_function(&mut self, name: &str, args: Vec<Value>, block: Option<&Block<'_>>, span: Span) -> Outcome {
        call::function(name, args, block, span, self)
    }

    /// Calls a block.
    pub fn call_block(&mut self, block: &Block<'_>, args: Vec<Value>) -> Outcome {
        lambda::call(block, args, self)
    }

    /// The data type a text stands for, as code here would write it; `aliases` are known to that code alone.
    pub fn data_type(&mut self, text: &str, aliases: &[Type]) -> Outcome<Type> {
        parse_type::<Unwind>(text, &mut |name| match aliases
            .iter()
            .find(|alias| alias.name().eq_ignore_ascii_case(name))
        {
            Some(alias) => Ok(Some(alias.clone())),
            None => self.compilation.data_type(name),
        })
    }
}

impl Compilation<'_> {
    /// Whether there is a function of this name.
    pub fn has_function(&mut self, name: &str) -> Outcome<bool> {
        Ok(!matches!(self.callee(name)?, Callee::Unknown))
    }

    /// Whether the function of this name is one of the library's.
    pub fn has_native_function(&mut self, name: &str) -> Outcome<bool> {
        Ok(matches!(self.callee(name)?, Callee::Native(_)))
    }
}
