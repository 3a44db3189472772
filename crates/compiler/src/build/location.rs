//! Places as messages of the reference show them, and errors that know a line but no column.

use ecow::{EcoString, eco_format};

use bunraku_syntax::{Diagnostic, Issue, Place as Written, Span};

use super::resource::Place;
use crate::compilation::Compilation;
use crate::frame::error_at;
use crate::issues;
use crate::unwind::Unwind;

impl Compilation<'_> {
    /// `(file: /a.pp, line: 1)`, or nothing for what has no place.
    pub(super) fn place_text(&self, place: Option<Place>) -> EcoString {
        let Some(Place { span, is_from_stack }) = place else { return EcoString::new() };
        let Some(code) = self.environment.code(span.file) else { return EcoString::new() };
        let file = code.path.as_deref().or(is_from_stack.then_some("unknown"));
        eco_format!("{}", Written { file, line: Some(code.line_number(span.start).into()), column: None })
    }

    /// The text of a place with a blank before it, to be put after a message.
    pub(super) fn place_suffix(&self, place: Option<Place>) -> EcoString {
        match self.place_text(place) {
            text if text.is_empty() => text,
            text => eco_format!(" {text}"),
        }
    }

    /// The whole text of an error: an error around it quotes its place too.
    fn text_of(&self, diagnostic: &Diagnostic) -> EcoString {
        let message = diagnostic.issue.message();
        let source = diagnostic.span().and_then(|span| self.environment.source(span.file));
        let place = source.map(|source| diagnostic.location.place(source)).unwrap_or_default();
        place.after(message).into()
    }

    /// An error of a body that is evaluated late is quoted by one at the place where its resource was declared.
    pub(super) fn late_error(&self, unwind: Unwind, place: Option<Place>) -> Unwind {
        let (detail, inner) = match unwind {
            Unwind::Issue(issue) => (issue.message().into(), issue.nowhere()),
            Unwind::Error(diagnostic) => (self.text_of(&diagnostic), *diagnostic),
            Unwind::Break(span) => {
                let issue = issues::runtime("break() from context where this is illegal");
                return at_line(issue.after("Error while evaluating an Object, ").after(issues::EVALUATION), span);
            }
            other => return other,
        };
        let message = eco_format!("Error while evaluating a Resource Statement, {detail}");
        let issue = issues::runtime(message).after(issues::EVALUATION).with_headline(inner.headline());
        let issue = inner.issue.advice().into_iter().fold(issue, Issue::with_advice);
        let mut outer = match place {
            Some(place) => issue.on_line(place.span),
            None => issue.nowhere(),
        };
        // People are shown where it happens; the place of the declaration is a step of the way there.
        if let (Some(at), false) = (inner.primary(), inner.labels.iter().any(|label| label.is_primary)) {
            outer = outer.with_primary("", at);
        }
        outer.labels.extend(inner.labels);
        let Diagnostic { notes, help, fixes, .. } = inner;
        Diagnostic { notes, help, fixes, ..outer }.into()
    }
}

/// An error that is reported as it is, with a line and no column.
pub(super) fn at_line(issue: Issue, span: Span) -> Unwind {
    issue.on_line(span).into()
}

/// An error that is reported as it is if its line is known; otherwise the expression around it says where.
pub(super) fn at_place(issue: Issue, place: Option<Place>) -> Unwind {
    match place {
        Some(place) => at_line(issue, place.span),
        None => issue.into(),
    }
}

/// An evaluation error at a place.
pub(super) fn evaluation_error<T>(issue: Issue, span: Span) -> Result<T, Unwind> {
    Err(error_at(issue, span))
}

/// A jump out of code that nothing is around which could catch it.
pub(crate) fn illegal_jump(unwind: Unwind) -> Unwind {
    let (name, span) = match &unwind {
        Unwind::Break(span) => ("break", *span),
        Unwind::Next(jump) => ("next", jump.span),
        Unwind::Return(jump) => ("return", jump.span),
        Unwind::Error(_) | Unwind::Issue(_) | Unwind::Unevaluated(_) => return unwind,
    };
    at_line(Issue::new("", eco_format!("{name}() from context where this is illegal")), span)
}
