//! A call as a native function sees it: the place it comes from, the arguments, and the block.

use bunraku_pcore::{Type, Value};
use bunraku_syntax::Span;
use bunraku_syntax::ast::Lambda;

use crate::eval;
use crate::eval::lambda::{self, Parameters};
use crate::frame::Frame;
use crate::function::Arguments;
use crate::issues;
use crate::scope::{LayerId, ScopeId};
use crate::unwind::{Outcome, Unwind};

/// A call of a native function.
#[derive(Debug)]
pub struct Call<'c, 'e> {
    /// Where the call is made.
    pub frame: Frame<'c, 'e>,
    /// The name of the function.
    pub name: &'c str,
    /// The arguments, which the signature accepts.
    pub args: &'c [Value],
    /// The lambda that is given to the function.
    pub block: Option<&'c Block<'c>>,
    /// The call expression.
    pub span: Span,
}

/// A lambda and the place it sees.
#[derive(Debug)]
pub struct Block<'a> {
    /// The lambda.
    pub lambda: &'a Lambda,
    /// The types of its parameters.
    pub(crate) parameters: Parameters,
    pub(crate) scope: ScopeId,
    pub(crate) layer: Option<LayerId>,
}

impl Block<'_> {
    /// The type of the block, by which a function accepts it.
    pub fn data_type(&self) -> Type {
        self.parameters.callable_type()
    }

    /// Whether it can be called with `count` arguments, counting all that it can take.
    pub fn takes(&self, count: usize) -> bool {
        self.parameters.takes(count)
    }

    /// How many parameters are written, `*$rest` counting as one.
    pub fn parameter_count(&self) -> usize {
        self.lambda.parameters.len()
    }
}

impl<'c, 'e> Call<'c, 'e> {
    /// The arguments, to be taken one after the other.
    pub fn arguments(&self) -> Arguments<'c> {
        Arguments::new(self.args)
    }

    /// Calls another function from the place of this call.
    pub fn function(&mut self, name: &str, args: Vec<Value>, block: Option<&Block<'_>>) -> Outcome {
        eval::call::function(name, args, block, self.span, &mut self.frame)
    }

    /// Calls the block; `next` in it gives the value.
    pub fn yield_to_block(&mut self, args: Vec<Value>) -> Outcome {
        let Some(block) = self.block else {
            return Err(issues::runtime(format!("'{}' expects a block", self.name)).into());
        };
        lambda::call(block, args, &mut self.frame)
    }

    /// Calls the block with one element after the other until it is done or says `break()`.
    pub fn each_until_break<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        mut step: impl FnMut(&mut Self, T) -> Outcome<()>,
    ) -> Outcome<()> {
        for element in elements {
            match step(self, element) {
                Err(Unwind::Break(_)) => break,
                outcome => outcome?,
            }
        }
        Ok(())
    }
}
