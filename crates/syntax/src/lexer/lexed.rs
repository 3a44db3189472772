//! What the lexer hands to the parser, and the way from tokens back to the text and place they stand for.

use std::sync::Arc;

use ecow::EcoString;

use super::escape::Escapes;
use crate::token::Token;
use bunraku_diagnostic::{Diagnostic, Source, Span};

/// What the lexer found in a source.
pub(crate) struct Lexed<'s> {
    pub(crate) source: &'s Source,
    /// Whether the source is in the language of plans.
    pub(super) tasks: bool,
    /// Whether strings that seem to lack their closing quote end with their line.
    pub(super) repairs: bool,
    /// The quote of the first that did.
    pub(crate) lost_quote: Option<Span>,
    /// Whether a string has no closing quote.
    pub(crate) has_open_string: bool,
    /// In the order the parser reads them: the text of a heredoc comes directly after its header.
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Span>,
    /// The diagnostics of the [`TokenKind::Error`] tokens, by index of the token.
    pub(crate) errors: Vec<(usize, Diagnostic)>,
    /// Warnings about escape sequences, by index of the token.
    pub(crate) warnings: Vec<(usize, Diagnostic)>,
    /// What the headers of heredocs say, by index of the token.
    pub(crate) heredocs: Vec<(usize, HeredocHeader)>,
    /// What the text of templates renders to, by index of the token.
    pub(crate) rendered: Vec<(usize, EcoString)>,
    pub(super) unindented: Vec<Unindented>,
    /// Whether the name of some variable is not well-formed.
    pub(crate) has_odd_variables: bool,
    /// Whether some single-quoted string has a backslash.
    pub(crate) has_backslashes: bool,
}

/// What the parser needs to know of the header of a heredoc.
pub(crate) struct HeredocHeader {
    pub(crate) tag: Token,
    /// The line that ends the text, without its line break.
    pub(crate) end_line: Token,
    /// All lines that follow the line of the header: the text and the line that ends it, with their line breaks.
    pub(crate) lines: Token,
    pub(crate) syntax: EcoString,
    pub(crate) escapes: Escapes,
}

/// The text of a heredoc without its margin. Its tokens lie in a range of offsets of its own, beyond the source.
pub(super) struct Unindented {
    pub(super) text: Arc<str>,
    /// The first of its offsets.
    pub(super) base: u32,
    /// Where the text begins in what it was taken from.
    pub(super) origin: u32,
    /// Per line: where it begins in `text`, and how many bytes of margin were removed up to and including it.
    pub(super) lines: Vec<(u32, u32)>,
}

impl Lexed<'_> {
    /// The text of a token.
    pub(crate) fn text(&self, token: Token) -> &str {
        let (text, base) = if (token.start as usize) < self.source.text.len() || self.unindented.is_empty() {
            (self.source.text.as_str(), 0)
        } else {
            match self.unindented_at(token.start) {
                Some(unindented) => (&*unindented.text, unindented.base),
                None => (self.source.text.as_str(), 0),
            }
        };
        let start = token.start.saturating_sub(base) as usize;
        let end = token.end.saturating_sub(base) as usize;
        text.get(start..end).unwrap_or_default()
    }

    /// The place of a token in the source.
    pub(crate) fn span(&self, token: Token) -> Span {
        Span::new(self.source.id, self.offset(token.start), self.offset(token.end))
    }

    /// The place in the source of an offset that may lie in a text without margin.
    fn offset(&self, mut offset: u32) -> u32 {
        while offset as usize > self.source.text.len() {
            let Some(unindented) = self.unindented_at(offset) else {
                break;
            };
            let local = offset - unindented.base;
            let line = unindented.lines.partition_point(|&(start, _)| start <= local);
            let removed = unindented.lines.get(line.saturating_sub(1)).map_or(0, |line| line.1);
            // Compatibility: the very start of the text is located before its margin.
            offset = unindented.origin + local + if local == 0 { 0 } else { removed };
        }
        offset
    }

    fn unindented_at(&self, offset: u32) -> Option<&Unindented> {
        let after = self.unindented.partition_point(|unindented| unindented.base <= offset);
        self.unindented.get(after.checked_sub(1)?)
    }

    /// The tokens, the comments and the lines of heredocs, with offsets in the source only.
    pub(crate) fn into_parts(mut self) -> (Vec<Token>, Vec<Span>, Vec<Span>) {
        let heredocs = self.heredocs.iter().map(|(_, header)| self.span(header.lines)).collect();
        let mut tokens = std::mem::take(&mut self.tokens);
        let mut comments = std::mem::take(&mut self.comments);
        if !self.unindented.is_empty() {
            for token in &mut tokens {
                (token.start, token.end) = (self.offset(token.start), self.offset(token.end));
            }
            for comment in &mut comments {
                (comment.start, comment.end) = (self.offset(comment.start), self.offset(comment.end));
            }
        }
        (tokens, comments, heredocs)
    }

    /// The first offset beyond the source and all texts without margin, if so many more bytes have offsets too.
    pub(super) fn next_base(&self, length: usize) -> Option<u32> {
        let end = match self.unindented.last() {
            Some(last) => last.base as usize + last.text.len(),
            None => self.source.text.len(),
        };
        u32::try_from(end + 1 + length).ok()?;
        u32::try_from(end + 1).ok()
    }
}
