//! Code or data together with where it came from, and the way from byte offsets to lines and columns.

use std::sync::OnceLock;

use ecow::EcoString;

use crate::diagnostic::Diagnostic;
use crate::issue::Issue;
use crate::span::{FileId, Span};

/// The text of one manifest, template or file of data.
#[derive(Debug)]
pub struct Source {
    /// How spans refer to this source.
    pub id: FileId,
    /// The path as messages show it; none for code given as a string.
    pub path: Option<EcoString>,
    /// The text itself.
    pub text: String,
    /// Where the lines begin, once somebody asks for it.
    starts: OnceLock<Box<[u32]>>,
}

impl Source {
    /// A source read from a file.
    pub fn file(id: FileId, path: impl Into<EcoString>, text: impl Into<String>) -> Self {
        Self { id, path: Some(path.into()), text: text.into(), starts: OnceLock::new() }
    }

    /// A source that is not in any file.
    pub fn string(id: FileId, text: impl Into<String>) -> Self {
        Self { id, path: None, text: text.into(), starts: OnceLock::new() }
    }

    /// A source from bytes that may not be UTF-8. Its text ends where they are not, and the diagnostic says so.
    pub fn from_bytes(id: FileId, path: Option<EcoString>, bytes: Vec<u8>) -> (Self, Option<Diagnostic>) {
        let mut diagnostic = byte_order_mark(&bytes).map(|issue| issue.nowhere());
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let valid = error.utf8_error().valid_up_to();
            diagnostic.get_or_insert_with(|| {
                let at = u32::try_from(valid).unwrap_or(u32::MAX);
                Issue::new("INVALID_UTF8", "invalid byte sequence in UTF-8").at(Span::new(id, at, at))
            });
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            String::from_utf8(bytes).unwrap_or_default()
        });
        let source = Self { id, path, text, starts: OnceLock::new() };
        (source, diagnostic)
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_number(offset);
        let start = self.start(line).unwrap_or(0);
        let bytes = self.text.as_bytes();
        let before = bytes.get(start as usize..(offset as usize).min(bytes.len())).unwrap_or_default();
        // Every byte that does not continue a character begins one.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (line, column as u32 + 1)
    }

    /// The text of a span of this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The text of a line, counted from 1, without its line break.
    pub fn line(&self, number: u32) -> &str {
        let Some(start) = self.start(number) else {
            return "";
        };
        let end = self.start(number.saturating_add(1)).map_or(self.text.len(), |end| end as usize);
        let line = self.text.get(start as usize..end).unwrap_or_default();
        line.trim_end_matches(['\n', '\r'])
    }

    /// The byte that a line, counted from 1, begins with; the end of the text if there is no such line.
    pub fn line_start(&self, number: u32) -> u32 {
        self.start(number).unwrap_or(self.text.len() as u32)
    }

    /// The line of a byte, from 1.
    pub fn line_number(&self, offset: u32) -> u32 {
        self.starts().partition_point(|&start| start <= offset).max(1) as u32
    }

    /// The byte that a line, counted from 1, begins with.
    fn start(&self, number: u32) -> Option<u32> {
        self.starts().get(number.checked_sub(1)? as usize).copied()
    }

    fn starts(&self) -> &[u32] {
        self.starts.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(breaks.map(|at| at as u32 + 1)).collect()
        })
    }
}

/// The byte order marks that are not UTF-8; that one is for the lexer to refuse.
fn byte_order_mark(bytes: &[u8]) -> Option<Issue> {
    const MARKS: [(&str, &[u8]); 9] = [
        ("UTF-32", &[0x00, 0x00, 0xFE, 0xFF]),
        ("UTF-32", &[0xFF, 0xFE, 0x00, 0x00]),
        ("GB-18030", &[0x84, 0x31, 0x95, 0x33]),
        ("UTF-EBCDIC", &[0xDD, 0x73, 0x66, 0x73]),
        ("SCSU", &[0x0E, 0xFE, 0xFF]),
        ("UTF-1", &[0xF7, 0x64, 0x4C]),
        ("BOCU", &[0xFB, 0xEE, 0x28]),
        ("UTF-16", &[0xFE, 0xFF]),
        ("UTF-16", &[0xFF, 0xFE]),
    ];
    let (format, mark) = MARKS.iter().find(|(_, mark)| bytes.starts_with(mark))?;
    let shown: Vec<String> = mark.iter().map(|byte| format!("{byte:X}")).collect();
    Some(illegal_byte_order_mark(format, &format!("[{}]", shown.join(" "))))
}

/// A source that begins with a byte order mark, which Puppet refuses.
pub fn illegal_byte_order_mark(format: &str, bytes: &str) -> Issue {
    let what = format!("Illegal {format} Byte Order mark at beginning of input");
    Issue::new("ILLEGAL_BOM", format!("{what}: {bytes} - remove these from the puppet source"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, offset: u32, expected: (u32, u32)) {
        let source = Source::string(FileId(0), text);
        assert_eq!(source.line_column(offset), expected, "{text:?} at {offset}");
    }

    #[test]
    fn columns_count_characters() {
        check("", 0, (1, 1));
        check("ab\ncd", 2, (1, 3));
        check("ab\ncd", 3, (2, 1));
        check("é=1", 2, (1, 2));
        check("a\n", 2, (2, 1));
        check("a", 99, (1, 2));
    }

    #[test]
    fn lines_come_without_their_break() {
        let source = Source::string(FileId(0), "one\r\ntwo\n");
        assert_eq!(source.line(1), "one");
        assert_eq!(source.line(2), "two");
        assert_eq!(source.line(3), "");
        assert_eq!(source.line(9), "");
    }
}
