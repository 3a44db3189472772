//! A call as a native function sees it: the place it comes from, the arguments, and the block.

use std::fmt::Debug;

use bunraku_pcore::{Type, Value, limits};
use bunraku_syntax::Span;
use bunraku_syntax::ast::{Lambda, Parameter};

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
    /// How often the block was called.
    pub(crate) yields: u64,
}

/// What a call is given to run, with the place it sees: a lambda, or code that is not Puppet.
#[derive(Debug)]
pub struct Block<'a> {
    pub(crate) code: BlockCode<'a>,
    /// The types of its parameters.
    pub(crate) parameters: Parameters,
    pub(crate) scope: ScopeId,
    pub(crate) layer: Option<LayerId>,
}

/// The code of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockCode<'a> {
    Lambda(&'a Lambda),
    Foreign(&'a dyn ForeignBlock),
}

/// A block whose code is not Puppet.
pub trait ForeignBlock: Debug {
    /// Calls the block.
    fn call(&self, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome;

    /// How many arguments it needs, and how many it takes if that has an end.
    fn arity(&self) -> (usize, Option<usize>);
}

impl<'a> Block<'a> {
    /// A block of foreign code.
    pub fn foreign(block: &'a dyn ForeignBlock, frame: &Frame<'_, '_>) -> Block<'a> {
        let (least, most) = block.arity();
        let parameters = Parameters::untyped(least, most);
        Block { code: BlockCode::Foreign(block), parameters, scope: frame.scope, layer: frame.layer }
    }

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
        match self.code {
            BlockCode::Lambda(lambda) => lambda.parameters.len(),
            BlockCode::Foreign(block) => block.arity().0,
        }
    }

    /// The parameters of a lambda, as they are written.
    pub fn written_parameters(&self) -> &'a [Parameter] {
        match self.code {
            BlockCode::Lambda(lambda) => &lambda.parameters,
            BlockCode::Foreign(_) => &[],
        }
    }
}

impl<'c, 'e> Call<'c, 'e> {
    /// The arguments, to be taken one after the other.
    pub fn arguments(&self) -> Arguments<'c> {
        Arguments::new(self.args)
    }

    /// Calls another function from the place of this call.
    pub fn function(&mut self, name: &str, args: Vec<Value>, block: Option<&Block<'_>>) -> Outcome {
        eval::call::function(name, args, block, self.span, &mut self.frame).map_err(|unwind| match unwind {
            // What it is about is a part of this call, which nobody has written.
            Unwind::Issue(issue) => issue.with_about(None).into(),
            other => other,
        })
    }

    /// Calls another function from the top scope, as a function in Ruby does that is not given its caller's.
    pub fn function_from_top(&mut self, name: &str, args: Vec<Value>) -> Outcome {
        let place = self.frame.move_to_top();
        let result = self.function(name, args, None);
        self.frame.move_to(place);
        result
    }

    /// Calls the block; `next` in it gives the value.
    pub fn yield_to_block(&mut self, args: Vec<Value>) -> Outcome {
        let Some(block) = self.block else {
            return Err(issues::runtime(format!("'{}' expects a block", self.name)).into());
        };
        self.yields += 1;
        if self.yields > limits::ELEMENTS {
            let message = format!("'{}' calls its block more than {} times", self.name, limits::ELEMENTS);
            return Err(issues::runtime(message).into());
        }
        lambda::call(block, args, &mut self.frame)
    }

    /// The first argument of the block that was just left with `break()`.
    pub fn abandoned_argument(&mut self) -> Value {
        std::mem::take(&mut self.frame.compilation.abandoned)
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
