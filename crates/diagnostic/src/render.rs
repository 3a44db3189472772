//! How diagnostics are shown: Puppet's one line, an excerpt of the source for people, or a form for other programs.

mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod path;
mod plain;
mod sarif;

use crate::{At, Diagnostic, FileId, Severity, Source};

pub use github::github;
pub use gitlab::{fingerprint, gitlab};
pub use human::human;
pub use json::{json, puppet_json};
pub use junit::junit;
pub use plain::plain;
pub use sarif::sarif;

/// Who has the sources that diagnostics are about.
pub trait Sources {
    /// The source of an id, if it is known.
    fn source(&self, file: FileId) -> Option<&Source>;
}

/// A source on its own is the one that its diagnostics are about.
impl Sources for Source {
    fn source(&self, _: FileId) -> Option<&Source> {
        Some(self)
    }
}

/// A diagnostic and the sources it is about.
#[derive(Clone, Copy)]
pub struct Finding<'a> {
    /// What is wrong.
    pub diagnostic: &'a Diagnostic,
    /// What it is wrong with.
    pub sources: &'a dyn Sources,
}

impl<'a> Finding<'a> {
    /// Where the fault is, if that is known.
    fn region(self) -> Option<Region<'a>> {
        let label = self.diagnostic.labels.iter().find(|label| label.is_primary);
        match (label, self.diagnostic.span()) {
            (Some(label), _) => self.region_at(&label.at),
            (None, Some(span)) => Some(Region::new(self.sources.source(span.file)?, span.start, span.end)),
            (None, None) => {
                let source = self.sources.source(self.diagnostic.file()?)?;
                Some(Region { path: source.path.as_deref(), start: (1, 1), end: None })
            }
        }
    }

    /// The lines and columns of a place of the diagnostic.
    fn region_at<'r>(self, at: &'r At) -> Option<Region<'r>>
    where
        'a: 'r,
    {
        match at {
            At::Code(span) => Some(Region::new(self.sources.source(span.file)?, span.start, span.end)),
            At::Data(source, range) => Some(Region::new(source, range.start, range.end)),
        }
    }

    /// The word that programs know for the severity.
    fn level(self) -> &'static str {
        match self.diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning | Severity::Deprecation => "warning",
        }
    }
}

/// A place as programs read it: lines and columns from 1; columns count characters.
struct Region<'a> {
    path: Option<&'a str>,
    start: (u32, u32),
    /// The place after the last character, where more than a beginning is known.
    end: Option<(u32, u32)>,
}

impl<'a> Region<'a> {
    fn new(source: &'a Source, start: u32, end: u32) -> Self {
        let end = (end > start).then(|| source.line_column(end));
        Region { path: source.path.as_deref(), start: source.line_column(start), end }
    }
}

/// A source and what is wrong with it.
#[derive(Debug)]
pub struct Checked {
    /// What the user calls it.
    pub name: String,
    /// The source itself.
    pub source: Source,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the first error keeps the rest from being looked at, as a syntax error does.
    pub is_fatal: bool,
}

impl Checked {
    /// The diagnostics that make it unusable.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether it cannot be used.
    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The diagnostics together with the source they are about.
    pub fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.diagnostics.iter().map(|diagnostic| Finding { diagnostic, sources: &self.source })
    }
}
