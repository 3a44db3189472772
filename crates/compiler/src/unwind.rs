//! Why an evaluation ended early: an error, or one of the jumps `break`, `next` and `return`.

use ecow::EcoString;

use bunraku_pcore::Value;
use bunraku_syntax::{At, Diagnostic, Issue, Note, Span};

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

/// How many steps of the way to an error are told; recursion has many.
pub(crate) const MOST_STEPS: usize = 16;

impl Unwind {
    /// An error with one more step of the way that led to it: what was called or declared at a place. A place that
    /// contains the one before says nothing new.
    #[cold]
    pub(crate) fn through(mut self, what: impl FnOnce() -> EcoString, place: Span) -> Unwind {
        if let Unwind::Error(diagnostic) = &mut self {
            let before = diagnostic.notes.iter().rev().find_map(Note::span).or_else(|| match diagnostic.primary() {
                Some(At::Code(span)) => Some(span),
                Some(At::Data(..)) | None => None,
            });
            if diagnostic.notes.len() < MOST_STEPS && !before.is_some_and(|before| place.contains(before)) {
                diagnostic.notes.push(Note::at(what(), place));
            }
        }
        self
    }
}

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
