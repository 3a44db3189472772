//! Why an evaluation ended early: an error, or one of the jumps `break`, `next` and `return`.

use ecow::EcoString;

use bunraku_pcore::Value;
use bunraku_syntax::{Diagnostic, Issue, Span};

/// What travels on the `Err` side of an evaluation, so that `?` carries it to the one who may catch it.
#[derive(Debug)]
pub enum Unwind {
    /// An error that knows its place.
    Error(Box<Diagnostic>),
    /// An error that does not know its place yet; the innermost expression adds it.
    Issue(Issue),
    /// `break()`: ends the innermost iteration.
    Break(Span),
    /// `next(value)`: ends the innermost lambda, function, class or defined type.
    Next(Box<Jump>),
    /// The default of a parameter uses this parameter, which has no value yet.
    Unevaluated(EcoString),
    /// `return(value)`: ends the enclosing function, class or defined type.
    Return(Box<Jump>),
}

const _: () = assert!(size_of::<Unwind>() <= 24);

/// The value a jump carries and where it was made.
#[derive(Debug)]
pub struct Jump {
    /// What the ended body yields.
    pub value: Value,
    /// The call of `next` or `return`.
    pub span: Span,
}

impl From<Issue> for Unwind {
    fn from(issue: Issue) -> Unwind {
        Unwind::Issue(issue)
    }
}

impl From<Diagnostic> for Unwind {
    fn from(diagnostic: Diagnostic) -> Unwind {
        Unwind::Error(Box::new(diagnostic))
    }
}

/// What every step of an evaluation gives.
pub type Outcome<T = Value> = Result<T, Unwind>;
