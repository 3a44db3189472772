//! The border to code that is neither Puppet nor Rust: functions and templates in Ruby.

use std::fmt::Debug;

use bunraku_catalog::ResourceType;
use bunraku_pcore::Value;
use bunraku_syntax::Span;

use crate::frame::Frame;
use crate::function::Block;
use crate::unwind::Outcome;

/// Runs foreign functions and templates.
pub trait Foreign: Debug + Send + Sync {
    /// The resource type of this name that a module defines.
    fn resource_type(&self, name: &str) -> Option<&ResourceType>;

    /// Whether there is such a function.
    fn has_function(&self, name: &str) -> bool;

    /// Calls a function.
    fn call(
        &self,
        name: &str,
        args: Vec<Value>,
        block: Option<&Block<'_>>,
        span: Span,
        frame: &mut Frame<'_, '_>,
    ) -> Outcome;

    /// Renders an ERB template: its text and, where it has one, its path.
    fn render(&self, text: &str, path: Option<&str>, span: Span, frame: &mut Frame<'_, '_>) -> Outcome;
}
