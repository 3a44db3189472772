//! What stands between brackets, parentheses and braces: keys, arguments, arrays and hashes.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, HashEntry};
use crate::span::Span;
use crate::token::{Token, TokenKind};

/// One of the values between brackets or parentheses.
enum Entry {
    Value(Expr),
    Pair(HashEntry),
}

/// Values between brackets or parentheses; pairs that follow each other make one hash.
#[derive(Default)]
struct Entries {
    values: Vec<Expr>,
    pairs: Vec<HashEntry>,
}

impl Entries {
    fn push(&mut self, entry: Entry) {
        match entry {
            Entry::Value(value) => {
                self.end_hash();
                // Most lists have a single value, and no room for more.
                if self.values.capacity() == 0 {
                    self.values.reserve_exact(1);
                }
                self.values.push(value);
            }
            Entry::Pair(pair) => self.pairs.push(pair),
        }
    }

    fn end_hash(&mut self) {
        if let Some(first) = self.pairs.first() {
            let span = first.span;
            let kind = ExprKind::Hash(std::mem::take(&mut self.pairs).into_boxed_slice());
            self.values.push(Expr { kind, span });
        }
    }

    fn finish(mut self) -> Box<[Expr]> {
        self.end_hash();
        self.values.into_boxed_slice()
    }
}

impl Parser<'_, '_> {
    /// `[a, b => c]` with the opening bracket as the current token; gives the closing bracket too.
    pub(super) fn access_keys(&mut self, trailing_comma: bool) -> Parse<(Box<[Expr]>, Span)> {
        self.open();
        let mut keys = Entries::default();
        loop {
            keys.push(self.access_key()?);
            if self.eat(TokenKind::Comma).is_none() || (trailing_comma && self.kind() == TokenKind::RightBracket) {
                break;
            }
        }
        let close = self.close(TokenKind::RightBracket)?;
        Ok((keys.finish(), self.span(close)))
    }

    /// A key is an expression; only before `=>` may it be more.
    fn access_key(&mut self) -> Parse<Entry> {
        if self.is_keyword_entry() {
            return self.argument();
        }
        let key = self.assignment()?;
        let is_expression = !matches!(
            key.kind,
            ExprKind::Assignment(_)
                | ExprKind::Relationship(_)
                | ExprKind::Resource(_)
                | ExprKind::ResourceDefaults(_)
                | ExprKind::ResourceOverride(_)
                | ExprKind::Block(_)
        );
        match self.kind() {
            TokenKind::FatArrow => Ok(Entry::Pair(self.hash_pair(key)?)),
            _ if is_expression => Ok(Entry::Value(key)),
            _ => self.unexpected(),
        }
    }

    /// `(a, b => c)` with the opening parenthesis as the current token; gives the closing parenthesis too.
    pub(super) fn arguments(&mut self, trailing_comma: bool) -> Parse<(Box<[Expr]>, Span)> {
        self.open();
        let mut args = Entries::default();
        if self.kind() != TokenKind::RightParenthesis {
            loop {
                args.push(self.argument()?);
                if self.eat(TokenKind::Comma).is_none()
                    || (trailing_comma && self.kind() == TokenKind::RightParenthesis)
                {
                    break;
                }
            }
        }
        let close = self.close(TokenKind::RightParenthesis)?;
        Ok((args.finish(), self.span(close)))
    }

    fn argument(&mut self) -> Parse<Entry> {
        if self.is_keyword_entry() && self.next_kind() != TokenKind::FatArrow {
            self.bump();
            return self.unexpected();
        }
        self.entry()
    }

    /// `[a, b => c]` as an array, with the opening bracket as the current token.
    pub(super) fn array(&mut self) -> Parse<Expr> {
        let open = self.open();
        let mut values = Entries::default();
        while self.kind() != TokenKind::RightBracket {
            values.push(self.entry()?);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        let close = self.close(TokenKind::RightBracket)?;
        Ok(Expr { kind: ExprKind::Array(values.finish()), span: self.span(open).to(self.span(close)) })
    }

    /// `{a => 1}` with the opening brace as the current token.
    pub(super) fn hash(&mut self) -> Parse<Expr> {
        let open = self.open();
        self.hash_after(open, None)
    }

    /// The rest of a hash; its first key may have been read already.
    pub(super) fn hash_after(&mut self, open: Token, first: Option<Expr>) -> Parse<Expr> {
        let mut entries = Vec::new();
        let mut key = first;
        while key.is_some() || self.kind() != TokenKind::RightBrace {
            let key = match key.take() {
                Some(key) => key,
                None => self.hash_entry()?,
            };
            entries.push(self.hash_pair(key)?);
            if self.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        let close = self.close(TokenKind::RightBrace)?;
        Ok(Expr { kind: ExprKind::Hash(entries.into_boxed_slice()), span: self.span(open).to(self.span(close)) })
    }

    /// A value, or a pair that becomes a hash of its own.
    fn entry(&mut self) -> Parse<Entry> {
        let value = self.hash_entry()?;
        match self.kind() {
            TokenKind::FatArrow => Ok(Entry::Pair(self.hash_pair(value)?)),
            _ => Ok(Entry::Value(value)),
        }
    }

    /// `=> value` after a key.
    fn hash_pair(&mut self, key: Expr) -> Parse<HashEntry> {
        let arrow = self.expect(TokenKind::FatArrow)?;
        let value = self.hash_entry()?;
        Ok(HashEntry { key, value, span: self.span(arrow) })
    }

    /// A key or value; the words `type` and `function` stand for themselves.
    pub(super) fn hash_entry(&mut self) -> Parse<Expr> {
        if self.is_keyword_entry() {
            let token = self.bump();
            let word = self.name(token);
            return Ok(self.expr(ExprKind::String(word), token));
        }
        self.assignment()
    }

    /// Whether the current token is `type` or `function` and does not begin a call or a definition.
    fn is_keyword_entry(&self) -> bool {
        match self.kind() {
            TokenKind::Type => !matches!(self.next_kind(), TokenKind::LeftParenthesis | TokenKind::ClassReference),
            TokenKind::Function => !matches!(
                self.next_kind(),
                TokenKind::Name
                    | TokenKind::Word
                    | TokenKind::ClassReference
                    | TokenKind::Class
                    | TokenKind::SingleQuoted
                    | TokenKind::DoubleQuoted
            ),
            _ => false,
        }
    }
}
