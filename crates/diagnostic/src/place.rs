//! Places as messages show them: the one writer of `(file: F, line: L, column: C)`.

use std::borrow::Cow;
use std::fmt;

use crate::source::Source;
use crate::span::{FileId, Span};

/// A place as people read it. What is not known is left out; nothing at all is written if nothing is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place<'p> {
    /// The path of the file.
    pub file: Option<&'p str>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
}

impl<'p> Place<'p> {
    /// A file as a whole.
    pub fn file(path: &'p str) -> Self {
        Self { file: Some(path), ..Self::default() }
    }

    /// The same place on a line.
    pub fn on_line(self, line: impl Into<u64>) -> Self {
        Self { line: Some(line.into()), ..self }
    }

    /// The line that a byte of a source is on.
    pub fn line_of(source: &'p Source, offset: u32) -> Self {
        Self { file: source.path.as_deref(), line: Some(source.line_number(offset).into()), column: None }
    }

    /// Line and column of a byte of a source.
    pub fn of(source: &'p Source, offset: u32) -> Self {
        let (line, column) = source.line_column(offset);
        Self { file: source.path.as_deref(), line: Some(line.into()), column: Some(column.into()) }
    }

    /// A message with this place after it.
    pub fn after(self, message: impl fmt::Display) -> String {
        if self == Self::default() { message.to_string() } else { format!("{message} {self}") }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "(";
        let mut part = |formatter: &mut fmt::Formatter<'_>, name: &str, value: Option<&dyn fmt::Display>| {
            let Some(value) = value else { return Ok(()) };
            write!(formatter, "{}{name}: {value}", std::mem::replace(&mut before, ", "))
        };
        part(formatter, "file", self.file.as_ref().map(|file| file as _))?;
        part(formatter, "line", self.line.as_ref().map(|line| line as _))?;
        part(formatter, "column", self.column.as_ref().map(|column| column as _))?;
        if *self == Self::default() { Ok(()) } else { formatter.write_str(")") }
    }
}

/// Where a diagnostic belongs, as the reference reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// Not known.
    Unknown,
    /// A file, but no line of it: the reference says no more about an unexpected end of input.
    File(FileId),
    /// The line a range of bytes begins on; messages show no column.
    Line(Span),
    /// A range of bytes.
    Span(Span),
}

impl Location {
    /// This place in a source.
    pub fn place(self, source: &Source) -> Place<'_> {
        match self {
            Location::Unknown => Place::default(),
            Location::File(_) => Place { file: source.path.as_deref(), ..Place::default() },
            Location::Line(span) => Place::line_of(source, span.start),
            Location::Span(span) => Place::of(source, span.start),
        }
    }

    /// A message with this place in a source after it. Of a message that nobody would read to its end, the beginning and
    /// the end are left.
    pub fn after(self, message: &str, source: Option<&Source>) -> String {
        source.map(|source| self.place(source)).unwrap_or_default().after(shortened(message))
    }
}

/// How many bytes of a long message are shown from its beginning and from its end.
const SHOWN: (usize, usize) = (8_000, 1_000);

/// A message without its middle, if it is too long to be read: values that a program makes can be of any size.
pub fn shortened(message: &str) -> Cow<'_, str> {
    let (head, tail) = SHOWN;
    if message.len() <= 2 * head {
        return Cow::Borrowed(message);
    }
    let is_boundary = |at: &usize| message.is_char_boundary(*at);
    let head = (0..=head).rev().find(is_boundary).unwrap_or(0);
    let tail = (message.len() - tail..=message.len()).find(is_boundary).unwrap_or(message.len());
    let (beginning, end) = (message.get(..head).unwrap_or_default(), message.get(tail..).unwrap_or_default());
    Cow::Owned(format!("{beginning} … [{} bytes left out] … {end}", tail - head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_what_is_known() {
        let check = |place: Place<'_>, expected: &str| assert_eq!(place.after("no"), expected);
        check(Place::default(), "no");
        check(Place::file("/a.pp"), "no (file: /a.pp)");
        check(Place::file("/a.pp").on_line(3_u32), "no (file: /a.pp, line: 3)");
        check(Place { file: None, line: Some(3), column: Some(5) }, "no (line: 3, column: 5)");
        check(Place { file: Some("/a.pp"), line: Some(3), column: Some(5) }, "no (file: /a.pp, line: 3, column: 5)");
    }
}
