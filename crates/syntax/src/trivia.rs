//! The text piece by piece: tokens and comments in the order of the source, with the line breaks and blanks before them.
//!
//! The tree says what code means; this says how it is written. Whoever lays code out anew, moves it or looks for the
//! comment above it starts here.

use std::ops::Range;

use crate::lexer::spaces_length;
use crate::parser::Parsed;
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::{Source, Span};

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// A token. A string with interpolations is one piece, from its first quote to its last, of the kind of its first token;
    /// of a heredoc the header is a piece.
    Token(TokenKind),
    /// `# …` to the end of its line
    LineComment,
    /// `/* … */`
    BlockComment,
}

impl PieceKind {
    /// Whether it is a comment.
    pub fn is_comment(self) -> bool {
        !matches!(self, Self::Token(_))
    }
}

/// A token or a comment, and what separates it from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// How many line breaks are before it; those in heredocs do not count. Two are a blank line.
    pub breaks: u32,
    /// How many bytes of blanks are directly before it on its line.
    pub blanks: u32,
    /// Whether the lines of a heredoc are before it.
    pub follows_heredoc: bool,
}

impl Piece {
    /// Where it is.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The lines of a heredoc and the piece that its header is, or is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeredocLines {
    /// The index of the piece.
    pub piece: usize,
    /// The text and the line that ends it, with their line breaks.
    pub lines: Span,
}

/// How a source is written.
#[derive(Debug, Default)]
pub struct Trivia {
    /// The tokens and comments in the order of the source, without the end of input.
    pub pieces: Vec<Piece>,
    /// The heredocs in the order of their headers.
    pub heredocs: Vec<HeredocLines>,
}

impl Trivia {
    /// Reads a source that has been parsed.
    pub fn of(source: &Source, parsed: &Parsed) -> Self {
        let mut reader = Reader {
            text: source.text.as_bytes(),
            trivia: Self { pieces: Vec::with_capacity(parsed.tokens.len() + parsed.comments.len()), ..Self::default() },
            end: 0,
            skipped: None,
        };
        let mut comments = parsed.comments.as_slice();
        let mut heredocs = parsed.heredocs.iter().copied();
        let mut tokens = parsed.tokens.iter().copied();
        while let Some(token) = tokens.next() {
            while let [comment, others @ ..] = comments
                && comment.start < token.start
            {
                reader.comment(*comment);
                comments = others;
            }
            if token.kind == TokenKind::EndOfInput {
                break;
            }
            let (headers, end) = match token.kind {
                TokenKind::Heredoc => (1 + text_of_heredoc(&mut tokens), token.end),
                TokenKind::StringStart => rest_of_string(&mut tokens),
                _ => (0, token.end),
            };
            reader.push(PieceKind::Token(token.kind), token.start, end);
            if headers > 0 {
                heredocs.by_ref().take(headers).for_each(|lines| reader.heredoc(lines));
            }
        }
        comments.iter().for_each(|comment| reader.comment(*comment));
        reader.trivia
    }
}

/// Passes over the lines of a heredoc; how many headers of heredocs are in it.
fn text_of_heredoc(tokens: &mut impl Iterator<Item = Token>) -> usize {
    match tokens.next().map(|token| token.kind) {
        Some(TokenKind::StringStart) => rest_of_string(tokens).0,
        _ => 0,
    }
}

/// Passes over a string after its first token; how many headers of heredocs are in it, and where it ends.
fn rest_of_string(tokens: &mut impl Iterator<Item = Token>) -> (usize, u32) {
    let (mut depth, mut headers, mut end) = (1_usize, 0, 0);
    for token in tokens {
        match token.kind {
            TokenKind::StringStart => depth += 1,
            TokenKind::StringEnd => depth -= 1,
            TokenKind::Heredoc => headers += 1,
            _ => {}
        }
        end = token.end;
        if depth == 0 {
            break;
        }
    }
    (headers, end)
}

/// How many line breaks are in a gap, and how many bytes after the last.
#[inline(never)]
fn breaks_and_blanks(gap: &[u8]) -> (u32, u32) {
    // Gaps are short: to look at each byte is cheaper than to search.
    gap.iter()
        .fold((0, 0), |(breaks, blanks), byte| if *byte == b'\n' { (breaks + 1, 0) } else { (breaks, blanks + 1) })
}

struct Reader<'s> {
    text: &'s [u8],
    trivia: Trivia,
    /// Where the last piece ends.
    end: u32,
    /// The lines of heredocs that the next line break leads to.
    skipped: Option<(u32, u32)>,
}

impl Reader<'_> {
    fn comment(&mut self, comment: Span) {
        let is_in_heredoc = self.skipped.is_some_and(|(start, end)| (start..end).contains(&comment.start));
        if comment.start < self.end || is_in_heredoc {
            return;
        }
        let is_block = self.text.get(comment.start as usize) == Some(&b'/');
        let kind = if is_block { PieceKind::BlockComment } else { PieceKind::LineComment };
        self.push(kind, comment.start, comment.end);
    }

    #[inline(always)]
    fn push(&mut self, kind: PieceKind, start: u32, end: u32) {
        let follows_heredoc = self.skipped.is_some_and(|(lines, _)| lines <= start);
        let (breaks, blanks) = if follows_heredoc { self.gap_with_heredoc(start) } else { self.gap(self.end, start) };
        self.trivia.pieces.push(Piece { kind, start, end, breaks, blanks, follows_heredoc });
        self.end = end;
    }

    /// The same as [`Self::gap`] from the last piece on, with the lines of heredocs in between.
    #[cold]
    fn gap_with_heredoc(&mut self, start: u32) -> (u32, u32) {
        let (lines, next) = self.skipped.take().unwrap_or((start, start));
        let (breaks, _) = self.gap(self.end, lines);
        let (more, blanks) = self.gap(next, start);
        (breaks + more, blanks)
    }

    /// How many line breaks are between two offsets, and how many bytes after the last.
    #[inline]
    fn gap(&self, start: u32, end: u32) -> (u32, u32) {
        let text = self.text.get(start as usize..).unwrap_or_default();
        // Between most tokens there are only a few spaces, or a line break with a little indentation.
        match (end.saturating_sub(start), text) {
            (0, _) => (0, 0),
            (length, [b' ', ..]) if spaces_length(text) >= length as usize => (0, length),
            (length, [b'\n', rest @ ..]) if spaces_length(rest) >= length as usize - 1 => (1, length - 1),
            (length, _) => breaks_and_blanks(text.get(..length as usize).unwrap_or_default()),
        }
    }

    /// Lines of a heredoc, whose header is or is in the last piece.
    fn heredoc(&mut self, lines: Span) {
        // Those in an interpolation of a string or of another heredoc are within what is already there.
        let is_within = self.skipped.is_some_and(|(start, end)| (start..end).contains(&lines.start));
        if lines.start < self.end || is_within {
            return;
        }
        self.trivia.heredocs.push(HeredocLines { piece: self.trivia.pieces.len().saturating_sub(1), lines });
        let start = self.skipped.map_or(lines.start, |(start, _)| start);
        self.skipped = Some((start, lines.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use bunraku_diagnostic::FileId;

    fn check(code: &str, expected: &[(&str, u32, u32)]) {
        let source = Source::string(FileId(0), code);
        let trivia = Trivia::of(&source, &parse(&source));
        let pieces: Vec<_> =
            trivia.pieces.iter().map(|it| (code.get(it.range()).unwrap_or_default(), it.breaks, it.blanks)).collect();
        assert_eq!(pieces, expected, "{code}");
    }

    #[test]
    fn tokens_and_comments_have_what_separates_them() {
        check("$a = 1 # one\n\n  $b", &[("$a", 0, 0), ("=", 0, 1), ("1", 0, 1), ("# one", 0, 1), ("$b", 2, 2)]);
        check("\n/* a\n b */f( )\n# c", &[("/* a\n b */", 1, 0), ("f", 0, 0), ("(", 0, 0), (")", 0, 1), ("# c", 1, 0)]);
        check("\"a ${b # no\n} c\" + 'x'", &[("\"a ${b # no\n} c\"", 0, 0), ("+", 0, 1), ("'x'", 0, 1)]);
        check("$a # end", &[("$a", 0, 0), ("# end", 0, 1)]);
    }

    #[test]
    fn heredocs_are_behind_the_line_of_their_header() {
        let code = "f(@(A), @(\"B\")) # c\n a\n A\n ${b # d\n} @(\n | B\n\n 1";
        check(
            code,
            &[
                ("f", 0, 0),
                ("(", 0, 0),
                ("@(A)", 0, 0),
                (",", 0, 0),
                ("@(\"B\")", 0, 1),
                (")", 0, 0),
                ("# c", 0, 1),
                ("1", 2, 1),
            ],
        );
        let source = Source::string(FileId(0), code);
        let trivia = Trivia::of(&source, &parse(&source));
        let heredocs: Vec<_> = trivia.heredocs.iter().map(|it| (it.piece, source.slice(it.lines))).collect();
        assert_eq!(heredocs, [(2, " a\n A\n"), (4, " ${b # d\n} @(\n | B\n")]);
    }
}
