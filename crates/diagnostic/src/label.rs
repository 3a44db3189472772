//! What a diagnostic says besides its sentence: labels at places, notes, and changes that would mend the code.

use std::ops::Range;
use std::sync::Arc;

use ecow::EcoString;

use crate::source::Source;
use crate::span::Span;

/// Where a label or a note is.
#[derive(Debug, Clone)]
pub enum At {
    /// In code, which the environment has.
    Code(Span),
    /// In a file of data, which the diagnostic brings along.
    Data(Arc<Source>, Range<u32>),
}

impl PartialEq for At {
    fn eq(&self, other: &At) -> bool {
        match (self, other) {
            (At::Code(one), At::Code(other)) => one == other,
            (At::Data(one, at), At::Data(other, other_at)) => one.path == other.path && at == other_at,
            (At::Code(_), At::Data(..)) | (At::Data(..), At::Code(_)) => false,
        }
    }
}

impl Eq for At {}

impl At {
    /// What stands on a line of data, without the blanks around it; from a column on, if one is given. Both are counted
    /// from 1.
    pub fn line(source: Arc<Source>, line: u32, column: Option<u32>) -> At {
        let text = source.line(line);
        let indent = match column {
            Some(column) => text.char_indices().nth(column.max(1) as usize - 1).map_or(text.len(), |(at, _)| at),
            None => text.len() - text.trim_start().len(),
        };
        let begin = source.line_start(line);
        let (start, end) = (begin + indent as u32, begin + text.trim_end().len() as u32);
        At::Data(source, start..end.max(start))
    }
}

impl From<Span> for At {
    fn from(span: Span) -> At {
        At::Code(span)
    }
}

/// A place of a diagnostic with a few words about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where it is.
    pub at: At,
    /// What there is to say about it; may be empty.
    pub message: EcoString,
    /// Whether this is where the fault is, and not only the place that the reference reports.
    pub is_primary: bool,
}

/// A remark of a diagnostic, such as a step of the way to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub message: EcoString,
    /// The place it is about, if any.
    pub at: Option<At>,
}

impl Note {
    /// A remark about a place in code.
    pub fn at(message: impl Into<EcoString>, span: Span) -> Note {
        Note { message: message.into(), at: Some(At::Code(span)) }
    }

    /// Whether its message says all there is: it is about no code that could be shown.
    pub fn is_remark(&self) -> bool {
        !matches!(self.at, Some(At::Code(_)))
    }

    /// The place in code that it is about.
    pub fn span(&self) -> Option<Span> {
        match self.at {
            Some(At::Code(span)) => Some(span),
            Some(At::Data(..)) | None => None,
        }
    }
}

/// A change of the source that would mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the change does.
    pub message: EcoString,
    /// What to replace, in the order of the source and without overlaps.
    pub edits: Vec<Edit>,
}

/// A piece of source to replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty for a pure insertion.
    pub span: Span,
    /// What comes.
    pub replacement: EcoString,
}
