//! Where something stands in a source: a file and a range of bytes.
//! Lines and columns are worked out only when a place is shown, by [`Source`](crate::Source).

/// Identifies a [`Source`](crate::Source) within one environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The source.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The span that starts where this one does and ends where `last` does.
    #[inline]
    pub fn to(self, last: Span) -> Self {
        Self { end: last.end.max(self.start), ..self }
    }

    /// The point at which this span starts.
    pub fn at_start(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The point at which this span ends.
    pub fn at_end(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// Whether all of the other span is in this one.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both.
    #[inline]
    pub fn join(self, other: Span) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
