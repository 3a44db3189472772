//! What to tell people about a token that cannot stand where it does: what is missing, and which bracket is open.
//!
//! The reference says no more than where it stopped. Its text and place stay those of the diagnostic; all here is added.

use ecow::eco_format;

use super::Parser;
use super::recover::{is_brace, is_closer, is_opener, is_other_closer};
use crate::issues;
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::{Diagnostic, Span};

impl Parser<'_, '_> {
    /// The error about the current token, where only a token of some kind could have stood if one is given.
    pub(super) fn unexpected_token(&self, expected: Option<TokenKind>) -> Diagnostic {
        if self.kind() == TokenKind::Error
            && let Ok(found) = self.lexed.errors.binary_search_by_key(&self.position, |error| error.0)
            && let Some((_, diagnostic)) = self.lexed.errors.get(found)
        {
            return diagnostic.clone();
        }
        if self.kind() == TokenKind::EndOfInput {
            return self.unexpected_end();
        }
        let diagnostic = issues::syntax_error(&self.describe(self.token)).at(self.reported_span(self.token));
        match self.openers.last() {
            Some(&opener) if is_other_closer(opener.kind, self.kind()) => diagnostic
                .with_headline(eco_format!("`{}` does not close `{}`", self.text(self.token), self.text(opener)))
                .with_primary(eco_format!("expected `{}`", closer_of(opener.kind)), self.span(self.token))
                .with_label("opened here", self.span(opener)),
            None if is_closer(self.kind()) => diagnostic
                .with_headline(eco_format!("`{}` closes nothing", self.text(self.token)))
                .with_primary("no bracket is open here", self.span(self.token)),
            Some(opener) if self.lacks_comma(opener.kind) => {
                let gap = self.previous_span().at_end();
                diagnostic
                    .with_headline(eco_format!("expected `,` before `{}`", self.text(self.token)))
                    .with_primary("expected `,`", gap)
                    .with_fix("add a comma", gap, ",")
            }
            _ => match expected.and_then(sign) {
                Some(sign) => {
                    let found = self.text(self.token).lines().next().unwrap_or_default();
                    diagnostic
                        .with_headline(eco_format!("expected `{sign}`, found `{found}`"))
                        .with_primary(eco_format!("expected `{sign}`"), self.span(self.token))
                }
                None => diagnostic,
            },
        }
    }

    /// The error about a text that ends too early, with the bracket that was not closed.
    fn unexpected_end(&self) -> Diagnostic {
        let diagnostic = issues::unexpected_end().in_file(self.file);
        let (opener, closer) = match (self.badly_indented(), self.openers.last()) {
            (Some((opener, closer)), Some(_)) => (opener, Some(closer)),
            (_, Some(opener)) => (*opener, None),
            (_, None) => return diagnostic.with_primary("the code ends here", self.end_of_code()),
        };
        let bracket = self.text(opener);
        let diagnostic = diagnostic
            .with_headline(eco_format!("this `{bracket}` is not closed"))
            .with_primary("never closed", self.span(opener));
        match closer {
            Some(closer) => {
                let message =
                    eco_format!("this `{}` closes it, but is indented like one further out", self.text(closer));
                diagnostic.with_label(message, self.span(closer))
            }
            None => diagnostic,
        }
    }

    /// The place behind the last token.
    fn end_of_code(&self) -> Span {
        match self.tokens.iter().rev().find(|token| token.kind != TokenKind::EndOfInput) {
            Some(last) => self.span(*last).at_end(),
            None => Span::new(self.file, 0, 0),
        }
    }

    /// Whether an element of a list begins where the one before has not been ended.
    fn lacks_comma(&self, opener: TokenKind) -> bool {
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        if !previous.is_some_and(|previous| ends_operand(previous.kind)) || !begins_operand(self.kind()) {
            return false;
        }
        match opener {
            kind if is_brace(kind) => matches!(self.next_kind(), TokenKind::FatArrow | TokenKind::PlusArrow),
            TokenKind::LeftBracket | TokenKind::ListStart | TokenKind::LeftParenthesis => true,
            _ => false,
        }
    }

    /// The first brace whose closing brace stands further left than the line it was opened on, with that: usually the one
    /// that lacks its own.
    fn badly_indented(&self) -> Option<(Token, Token)> {
        let mut open: Vec<Token> = Vec::new();
        for &token in self.tokens {
            if is_opener(token.kind) {
                open.push(token);
            } else if is_closer(token.kind) {
                let opener = open.pop()?;
                let is_suspect = is_brace(opener.kind) && self.is_line_start(token) && self.is_outside(opener, token);
                if is_suspect {
                    return Some((opener, token));
                }
            }
        }
        None
    }

    /// Whether a token stands further left than the line of another begins.
    fn is_outside(&self, opener: Token, closer: Token) -> bool {
        self.line_of(opener) != self.line_of(closer) && self.indentation(closer) < self.indentation(opener)
    }

    fn line_of(&self, token: Token) -> u32 {
        self.lexed.source.line_number(token.start)
    }

    fn indentation(&self, token: Token) -> usize {
        let line = self.lexed.source.line(self.line_of(token));
        line.len() - line.trim_start().len()
    }

    /// Whether nothing but blanks stands before a token on its line.
    fn is_line_start(&self, token: Token) -> bool {
        let line = self.lexed.source.line_start(self.line_of(token));
        self.source.get(line as usize..token.start as usize).is_some_and(|before| before.trim().is_empty())
    }
}

/// Whether a value may end with a token.
fn ends_operand(kind: TokenKind) -> bool {
    begins_operand(kind) && kind != TokenKind::StringStart
        || matches!(
            kind,
            TokenKind::RightBracket | TokenKind::RightBrace | TokenKind::RightParenthesis | TokenKind::StringEnd
        )
}

/// Whether a value may begin with a token, and nothing else.
fn begins_operand(kind: TokenKind) -> bool {
    kind.is_keyword()
        || matches!(
            kind,
            TokenKind::True
                | TokenKind::False
                | TokenKind::Name
                | TokenKind::Word
                | TokenKind::ClassReference
                | TokenKind::Variable
                | TokenKind::Number
                | TokenKind::Regexp
                | TokenKind::SingleQuoted
                | TokenKind::DoubleQuoted
                | TokenKind::StringStart
        )
}

fn closer_of(opener: TokenKind) -> &'static str {
    match opener {
        kind if is_brace(kind) => "}",
        TokenKind::LeftBracket | TokenKind::ListStart => "]",
        _ => ")",
    }
}

/// How a sign is written that the grammar asks for.
fn sign(kind: TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::LeftBrace | TokenKind::SelectorBrace => "{",
        TokenKind::RightBrace => "}",
        TokenKind::LeftParenthesis | TokenKind::LineStartParenthesis => "(",
        TokenKind::RightParenthesis => ")",
        TokenKind::RightBracket => "]",
        TokenKind::FatArrow => "=>",
        TokenKind::Colon => ":",
        TokenKind::Comma => ",",
        TokenKind::Pipe => "|",
        TokenKind::Assign => "=",
        TokenKind::CollectEnd => "|>",
        TokenKind::ExportedCollectEnd => "|>>",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use bunraku_diagnostic::{At, FileId, Source};

    use crate::parse;

    /// The first error in words for people, with what each label marks.
    fn check(code: &str, expected: &str) {
        let source = Source::string(FileId(0), code);
        let parsed = parse(&source);
        let shown = parsed.first_error().map(|error| {
            let labels: String = error
                .labels
                .iter()
                .map(|label| match &label.at {
                    At::Code(span) => {
                        let (line, column) = source.line_column(span.start);
                        format!("; {line}:{column} {}", label.message)
                    }
                    At::Data(..) => String::new(),
                })
                .collect();
            format!("{}{labels}", error.headline())
        });
        assert_eq!(shown.as_deref(), Some(expected), "{code}");
    }

    #[test]
    fn the_missing_sign_is_named() {
        check("file { a:\n  b => 1\n  c => 2,\n}", "expected `,` before `c`; 2:9 expected `,`");
        check("$x = [1 2]", "expected `,` before `2`; 1:8 expected `,`");
        check("f($a $b)", "expected `,` before `$b`; 1:5 expected `,`");
        check("class a($x $y) { }", "expected `,` before `$y`; 1:11 expected `,`");
        check("{ 'a' => 1 'b' => 2 }", "expected `,` before `'b'`; 1:11 expected `,`");
    }

    #[test]
    fn the_open_bracket_is_named() {
        check("f(1, [2)", "`)` does not close `[`; 1:8 expected `]`; 1:6 opened here");
        check("class a {\n}\n}\n", "`}` closes nothing; 3:1 no bracket is open here");
        check("class a {\n  if $x {\n  }\n", "this `{` is not closed; 1:9 never closed");
        check(
            "class a {\n  if $x {\n    f()\n}\nclass b {\n}\n",
            "this `{` is not closed; 2:9 never closed; 4:1 this `}` closes it, but is indented like one further out",
        );
    }

    #[test]
    fn the_open_quote_is_named() {
        check("$x = 'a\nfile { 'b': c => 'd' }\n", "this string is not closed; 1:6 never closed");
        check("notice(\"a ${b\")\n$c = 1\n", "this `${` is not closed; 1:11 never closed");
    }
}
