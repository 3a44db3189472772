//! Where custom facts come from: code in Ruby, which somebody else runs.

use bunraku_pcore::Hash;

use crate::collect::Timing;
use crate::message::Message;

/// Runs custom facts.
pub trait CustomFacts {
    /// The custom facts of some directories, given the facts that they may ask for.
    fn resolve(&self, request: &CustomRequest<'_>) -> CustomResult;
}

/// What custom facts are asked with.
#[derive(Debug)]
pub struct CustomRequest<'r> {
    /// Files with facts, in the order in which they are loaded.
    pub files: &'r [String],
    /// The facts that are known already, legacy ones included.
    pub known: &'r Hash,
    /// The weights of those that are no core facts; one of more weight takes the place of such a fact.
    pub weights: &'r Hash,
    /// The names or paths of facts that are asked for; none ask for all.
    pub queries: &'r [String],
    /// Whether somebody looks for a mistake.
    pub is_debugging: bool,
}

/// Custom facts, and what was said about them.
#[derive(Debug, Default)]
pub struct CustomResult {
    /// Facts by name. One takes the place of what was known.
    pub facts: Hash,
    /// What was said.
    pub messages: Vec<Message>,
    /// How long each fact took.
    pub timings: Vec<Timing>,
}

/// No custom facts at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCustomFacts;

impl CustomFacts for NoCustomFacts {
    fn resolve(&self, _: &CustomRequest<'_>) -> CustomResult {
        CustomResult::default()
    }
}
