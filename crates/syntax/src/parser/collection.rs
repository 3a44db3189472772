//! What stands between brackets, parentheses and braces: keys, arguments, arrays and hashes.

use super::list::finish;
use super::{Failed, Parse, Parser};
use crate::ast::{Expr, ExprKind, HashEntry};
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::Span;

impl Parser<'_, '_> {
    /// Values between brackets or parentheses; pairs that follow each other make one hash.
    ///
    /// The function that reads them is told where the pairs begin.
    #[inline]
    fn values(&mut self, read: impl FnOnce(&mut Self, usize) -> Parse<()>) -> Parse<Box<[Expr]>> {
        let pairs = self.lists.entries.len();
        let values = self.list(
            |lists| &mut lists.expressions,
            |parser| {
                read(parser, pairs)?;
                parser.end_hash(pairs);
                Ok(())
            },
        );
        self.lists.entries.truncate(pairs);
        values
    }

    /// Makes a hash of the pairs that have been read.
    #[inline]
    fn end_hash(&mut self, pairs: usize) {
        if let Some(first) = self.lists.entries.get(pairs) {
            let span = self.lists.entries.last().map_or(first.span(), |last| first.span().join(last.span()));
            let kind = ExprKind::Hash(finish(&mut self.lists.entries, pairs));
            self.lists.expressions.push(Expr { kind, span });
        }
    }

    /// `[a, b => c]` with the opening bracket as the current token; gives the brackets too.
    pub(super) fn access_keys(&mut self, trailing_comma: bool) -> Parse<(Box<[Expr]>, Span)> {
        let open = self.open();
        let keys = self.values(|parser, pairs| {
            loop {
                parser.access_key(pairs)?;
                if parser.eat(TokenKind::Comma).is_none()
                    || (trailing_comma && parser.kind() == TokenKind::RightBracket)
                {
                    return Ok(());
                }
            }
        })?;
        let close = self.close(TokenKind::RightBracket);
        Ok((keys, self.span(open).to(self.span(close))))
    }

    /// A key is an expression; only before `=>` may it be more.
    fn access_key(&mut self, pairs: usize) -> Parse<()> {
        if self.is_keyword_entry() {
            return self.argument(pairs);
        }
        let key = self.or_missing(Self::assignment);
        let is_expression = !matches!(
            key.kind,
            ExprKind::Assignment(_)
                | ExprKind::Relationship(_)
                | ExprKind::Resource(_)
                | ExprKind::ResourceDefaults(_)
                | ExprKind::ResourceOverride(_)
                | ExprKind::Block(_)
        );
        if !is_expression && self.kind() != TokenKind::FatArrow {
            let _ = self.unexpected::<()>();
        }
        self.value_or_pair(key, pairs)
    }

    /// `(a, b => c)` with the opening parenthesis as the current token; gives the parentheses too.
    pub(super) fn arguments(&mut self, trailing_comma: bool) -> Parse<(Box<[Expr]>, Span)> {
        let open = self.open();
        let args = self.values(|parser, pairs| {
            if parser.kind() == TokenKind::RightParenthesis {
                return Ok(());
            }
            loop {
                parser.argument(pairs)?;
                if parser.eat(TokenKind::Comma).is_none()
                    || (trailing_comma && parser.kind() == TokenKind::RightParenthesis)
                {
                    return Ok(());
                }
            }
        })?;
        let close = self.close(TokenKind::RightParenthesis);
        Ok((args, self.span(open).to(self.span(close))))
    }

    fn argument(&mut self, pairs: usize) -> Parse<()> {
        if self.is_keyword_entry() && self.next_kind() != TokenKind::FatArrow {
            self.bump();
            return self.unexpected();
        }
        let value = self.or_missing(Self::hash_entry);
        self.value_or_pair(value, pairs)
    }

    /// `[a, b => c]` as an array, with the opening bracket as the current token.
    pub(super) fn array(&mut self) -> Parse<Expr> {
        let open = self.open();
        let values = self.values(|parser, pairs| {
            while parser.kind() != TokenKind::RightBracket {
                let value = parser.or_missing(Self::hash_entry);
                parser.value_or_pair(value, pairs)?;
                if parser.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            Ok(())
        })?;
        let close = self.close(TokenKind::RightBracket);
        Ok(Expr { kind: ExprKind::Array(values), span: self.span(open).to(self.span(close)) })
    }

    /// `{a => 1}` with the opening brace as the current token.
    pub(super) fn hash(&mut self) -> Parse<Expr> {
        let (hash, statements) = self.or_statements(|parser| {
            let open = parser.open();
            parser.hash_after(open, None)
        });
        statements.unwrap_or(hash)
    }

    /// The rest of a hash; its first key may have been read already.
    pub(super) fn hash_after(&mut self, open: Token, first: Option<Expr>) -> Parse<Expr> {
        let entries = self.list(
            |lists| &mut lists.entries,
            |parser| {
                if let Some(key) = first {
                    parser.pair(key)?;
                    if parser.eat(TokenKind::Comma).is_none() {
                        return Ok(());
                    }
                }
                while parser.kind() != TokenKind::RightBrace {
                    let key = parser.or_missing(Self::hash_entry);
                    parser.pair(key)?;
                    if parser.eat(TokenKind::Comma).is_none() {
                        break;
                    }
                }
                Ok(())
            },
        )?;
        let close = self.close(TokenKind::RightBrace);
        Ok(Expr { kind: ExprKind::Hash(entries), span: self.span(open).to(self.span(close)) })
    }

    /// Adds a value, or the pair it begins, which becomes part of a hash of its own.
    #[inline]
    fn value_or_pair(&mut self, value: Expr, pairs: usize) -> Parse<()> {
        if self.kind() == TokenKind::FatArrow {
            return self.pair(value);
        }
        if self.lists.entries.len() > pairs {
            self.end_hash(pairs);
        }
        self.lists.expressions.push(value);
        Ok(())
    }

    /// Adds a pair, of which `=> value` is still to be read.
    fn pair(&mut self, key: Expr) -> Parse<()> {
        let (arrow, value) = match self.expect(TokenKind::FatArrow) {
            Ok(arrow) => (self.span(arrow), self.or_missing(Self::hash_entry)),
            Err(_) => {
                let value = self.or_missing(|_| Err(Failed));
                (value.span.at_start(), value)
            }
        };
        self.lists.entries.push(HashEntry { key, value, arrow });
        Ok(())
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
