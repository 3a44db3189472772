//! Places as messages of the reference show them, and errors that know a line but no column.

use ecow::{EcoString, eco_format};

use bunraku_syntax::{Diagnostic, Issue, Location, Note, Span};

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
        let line = code.line_number(span.start);
        match &code.path {
            Some(path) => eco_format!("(file: {path}, line: {line})"),
            None if is_from_stack => eco_format!("(file: unknown, line: {line})"),
            None => eco_format!("(line: {line})"),
        }
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
        let (Location::Span(span) | Location::Line(span)) = diagnostic.location else { return message.into() };
        let Some(source) = self.environment.source(span.file) else { return message.into() };
        let (line, column) = source.line_column(span.start);
        let file = source.path.as_ref().map(|path| eco_format!("file: {path}, ")).unwrap_or_default();
        match diagnostic.location {
            Location::Span(_) => eco_format!("{message} ({file}line: {line}, column: {column})"),
            _ => eco_format!("{message} ({file}line: {line})"),
        }
    }

    /// An error of a body that is evaluated late is quoted by one at the place where its resource was declared.
    pub(super) fn late_error(&self, unwind: Unwind, place: Option<Place>) -> Unwind {
        let mut notes = Vec::new();
        let detail = match unwind {
            Unwind::Issue(issue) => issue.message().into(),
            Unwind::Error(mut diagnostic) => {
                notes.extend(diagnostic.span().map(|span| Note::at("it happens here", span)));
                notes.append(&mut diagnostic.notes);
                self.text_of(&diagnostic)
            }
            Unwind::Break(span) => {
                let detail = "Error while evaluating an Object, break() from context where this is illegal";
                return at_line(issues::runtime(eco_format!("Evaluation Error: {detail}")), span);
            }
            other => return other,
        };
        let message = eco_format!("Evaluation Error: Error while evaluating a Resource Statement, {detail}");
        let error = match place {
            Some(place) => issues::runtime(message).on_line(place.span),
            None => issues::runtime(message).nowhere(),
        };
        // The place of the error is also the last step of the way to it.
        notes.retain(|note| note.span().is_none() || note.span() != place.map(|place| place.span));
        Diagnostic { notes, ..error }.into()
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
