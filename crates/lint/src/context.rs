//! What a check sees, and where it says what it finds.

use std::borrow::Cow;

use crate::index::{Definition, Index, Resource};
use crate::problem::{Detail, Edit, Effect, Fix, Kind, Problem};
use crate::rules::Rule;
use crate::settings::Settings;
use crate::token::{Cursor, Token, Tokens};

/// A check cannot go on: the source has a syntax error, which is all there is to say about it.
pub(crate) type Checked = Result<(), Box<Problem>>;

/// What a check sees of a source.
pub(crate) struct Context<'t> {
    pub(crate) tokens: &'t Tokens<'t>,
    pub(crate) index: &'t Index<'t>,
    pub(crate) settings: &'t Settings,
    /// The path as it was given.
    pub(crate) path: &'t str,
    pub(crate) rule: &'static Rule,
    pub(crate) problems: Vec<Problem>,
}

impl<'t> Context<'t> {
    /// A problem at a token that nobody but a person can put right.
    pub(crate) fn report(&mut self, at: Cursor<'t>, message: impl Into<Cow<'static, str>>) {
        self.report_fix(at, message, || None);
    }

    /// A problem at a token, and how to put it right.
    pub(crate) fn report_fix(
        &mut self,
        at: Cursor<'t>,
        message: impl Into<Cow<'static, str>>,
        fix: impl FnOnce() -> Option<Fix>,
    ) {
        let (line, column) = (at.line, at.column);
        self.problems.push(Problem {
            kind: self.rule.kind,
            check: self.rule.name,
            message: message.into(),
            line,
            column,
            range: (at.start, at.end),
            reason: None,
            details: Vec::new(),
            fix: if self.settings.with_fixes { fix() } else { None },
        });
    }

    /// Gives the last problem another place.
    pub(crate) fn place(&mut self, line: u32, column: u32) {
        if let Some(problem) = self.problems.last_mut() {
            (problem.line, problem.column) = (line, column);
        }
    }

    /// Says more of the last problem.
    pub(crate) fn details(&mut self, details: impl IntoIterator<Item = (&'static str, Detail)>) {
        if let Some(problem) = self.problems.last_mut() {
            problem.details.extend(details);
        }
    }

    /// Makes the last problem an error, whatever the kind of the check.
    pub(crate) fn as_error(&mut self) {
        if let Some(problem) = self.problems.last_mut() {
            problem.kind = Kind::Error;
        }
    }

    pub(crate) fn resources(&self) -> Result<&'t [Resource], Box<Problem>> {
        self.index.resources()
    }

    /// The classes, then the defined types.
    pub(crate) fn definitions(&self) -> &'t [Definition] {
        self.index.definitions()
    }

    /// The resource type of a resource.
    pub(crate) fn type_of(&self, resource: &Resource) -> Option<Cursor<'t>> {
        self.tokens.get(resource.resource_type)
    }

    /// The name of a definition.
    pub(crate) fn name_of(&self, definition: &Definition) -> Option<Cursor<'t>> {
        self.tokens.get(definition.name)
    }
}

/// Another layout.
pub(crate) fn layout(edit: Edit) -> Option<Fix> {
    Some(Fix { edits: vec![edit], effect: Effect::Layout })
}

/// Other code with the same meaning.
pub(crate) fn code(edit: Edit) -> Option<Fix> {
    Some(Fix { edits: vec![edit], effect: Effect::Code })
}

/// Other code, which may mean something else.
pub(crate) fn meaning(edit: Edit) -> Option<Fix> {
    Some(Fix { edits: vec![edit], effect: Effect::Meaning })
}

/// Edits of a token.
impl Token {
    /// Another text in place of the token.
    pub(crate) fn replace(&self, text: impl Into<String>) -> Edit {
        Edit::new(self.start, self.end, text)
    }

    /// Another text in place of what the token says, its delimiters kept.
    pub(crate) fn replace_value(&self, text: impl Into<String>) -> Edit {
        Edit::new(self.value_start, self.value_end, text)
    }

    pub(crate) fn remove(&self) -> Edit {
        self.replace("")
    }

    pub(crate) fn insert_before(&self, text: impl Into<String>) -> Edit {
        Edit::new(self.start, self.start, text)
    }

    pub(crate) fn insert_after(&self, text: impl Into<String>) -> Edit {
        Edit::new(self.end, self.end, text)
    }
}

impl Cursor<'_> {
    /// The token in single quotes.
    pub(crate) fn quoted(self) -> Edit {
        self.replace(format!("'{}'", self.value()))
    }
}
