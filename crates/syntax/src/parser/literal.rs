//! Numbers, strings, heredocs and regular expressions.

use ecow::EcoString;

use super::{Parse, Parser};
use crate::ast::{BigInteger, Expr, ExprKind, Heredoc, Radix, StringPart};
use crate::issues;
use crate::lexer::HeredocHeader;
use crate::lexer::escape::Escapes;
use crate::token::{Token, TokenKind};

/// Compatibility: to the reference, zero times a power of ten is no number.
pub fn is_raised_zero(text: &str) -> bool {
    text.split_once(['e', 'E']).is_some_and(|(digits, _)| digits.bytes().all(|digit| matches!(digit, b'0' | b'.')))
}

impl Parser<'_, '_> {
    /// The name of a variable without its dollar sign.
    pub(super) fn variable_name(&self, token: Token) -> EcoString {
        without_dollar(self.text(token)).into()
    }

    pub(super) fn number(&mut self, text: &str) -> ExprKind {
        let (digits, radix) = match text.strip_prefix('0') {
            Some(rest) if rest.starts_with(['x', 'X']) => (rest.get(1..).unwrap_or_default(), Radix::Hexadecimal),
            Some(rest) if !rest.is_empty() && !rest.starts_with('.') => (rest, Radix::Octal),
            _ => (text, Radix::Decimal),
        };
        if radix == Radix::Decimal && text.contains(['.', 'e', 'E']) {
            match text.parse() {
                Ok(value) if f64::is_finite(value) && !is_raised_zero(text) => ExprKind::Float(value),
                _ => {
                    let issue = issues::number_out_of_range(text);
                    self.record(issue.in_file(self.file));
                    ExprKind::Float(0.0)
                }
            }
        } else {
            match i64::from_str_radix(digits, radix.base()) {
                Ok(value) => ExprKind::Integer { value, radix },
                Err(_) => ExprKind::BigInteger(Box::new(BigInteger { digits: digits.into(), radix })),
            }
        }
    }

    /// A string with interpolation, the start of which is the current token.
    pub(super) fn interpolated(&mut self, escapes: Escapes) -> Parse<Expr> {
        let is_quoted = escapes == Escapes::DOUBLE_QUOTED;
        let start = self.bump();
        let mut end = start;
        let parts = self.list(
            |lists| &mut lists.parts,
            |parser| {
                let text = parser.text(start);
                let text = if is_quoted { text.strip_prefix('"').unwrap_or(text) } else { text };
                parser.push_text(escapes, text);
                while end.kind != TokenKind::StringEnd {
                    let expr = parser.assignment()?;
                    parser.lists.parts.push(StringPart::Expr(expr));
                    end = match parser.kind() {
                        TokenKind::StringMiddle | TokenKind::StringEnd => parser.bump(),
                        _ => return parser.unexpected(),
                    };
                    let text = parser.text(end);
                    let is_last = is_quoted && end.kind == TokenKind::StringEnd;
                    let text = if is_last { text.strip_suffix('"').unwrap_or(text) } else { text };
                    parser.push_text(escapes, text);
                }
                Ok(())
            },
        )?;
        Ok(Expr { kind: ExprKind::Interpolated(parts), span: self.span(start).to(self.span(end)) })
    }

    /// Adds literal text to the parts of a string, unless it is empty.
    fn push_text(&mut self, escapes: Escapes, text: &str) {
        let text = escapes.decode(text).text;
        if !text.is_empty() {
            self.lists.parts.push(StringPart::Text(text));
        }
    }

    pub(super) fn heredoc(&mut self) -> Parse<Expr> {
        let token = self.token;
        let (tag, end_line, syntax, escapes) = match self.heredoc_header(self.position) {
            Some(header) => (header.tag, header.end_line, header.syntax.clone(), header.escapes),
            None => (token, token, EcoString::new(), Escapes::default()),
        };
        self.bump();
        let text = match self.kind() {
            TokenKind::HeredocText => {
                let token = self.bump();
                let text = escapes.decode(self.text(token)).text;
                self.expr(ExprKind::String(text), token)
            }
            TokenKind::StringStart => self.interpolated(escapes)?,
            _ => return self.unexpected(),
        };
        let heredoc = Heredoc { tag: self.ident(tag), syntax, text, end_line: self.span(end_line) };
        Ok(self.expr(ExprKind::Heredoc(Box::new(heredoc)), token))
    }

    /// What the header of the heredoc at this token says.
    pub(super) fn heredoc_header(&self, position: usize) -> Option<&HeredocHeader> {
        let headers = &self.lexed.heredocs;
        let found = headers.binary_search_by_key(&position, |header| header.0).ok()?;
        headers.get(found).map(|header| &header.1)
    }

    /// What the text of a template at this token renders to.
    pub(super) fn rendered(&self, position: usize) -> EcoString {
        let rendered = &self.lexed.rendered;
        let found = rendered.binary_search_by_key(&position, |text| text.0).ok();
        found.and_then(|found| rendered.get(found)).map_or_else(EcoString::new, |text| text.1.clone())
    }
}

/// The name of a variable, which has no dollar sign in `${name}`.
pub(super) fn without_dollar(text: &str) -> &str {
    text.strip_prefix('$').unwrap_or(text)
}
