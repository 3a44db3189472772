//! Templates: text with `<% code %>` in it.

use ecow::EcoString;

use super::{EppMode, Lexer, Produced, Step, fail};
use crate::issues;
use crate::token::TokenKind;

/// What a stretch of template text comes to.
struct Text {
    /// What it renders to; none if nothing is to be rendered at all.
    rendered: Option<EcoString>,
    /// What follows it.
    next: Next,
    /// Where that begins.
    end: usize,
}

#[derive(PartialEq, Eq)]
enum Next {
    EndOfInput,
    Code,
    Expr,
    /// The input ends with `<%`.
    OpenTag,
    /// A comment is not closed.
    OpenComment,
}

impl Lexer<'_, '_, '_> {
    /// Reads text up to and including the tag that begins code.
    pub(super) fn epp_text(&mut self) -> Step<Produced> {
        self.render_text(false)?;
        Ok(Produced::Several)
    }

    /// Ends code, and reads the text that follows.
    pub(super) fn epp_end(&mut self, kind: TokenKind, length: usize) -> Step<Produced> {
        let tokens = self.out.tokens.len();
        let start = self.position;
        self.position += length;
        if self.epp == EppMode::Expr {
            self.push(kind, start, self.position);
        }
        self.render_text(kind == TokenKind::EppEndTrim)?;
        Ok(match self.out.tokens.len() - tokens {
            0 => Produced::Trivia,
            _ => Produced::Several,
        })
    }

    fn render_text(&mut self, trim: bool) -> Step<()> {
        let start = self.position;
        let text = read_text(self.slice(start, self.bytes.len()), trim);
        self.position = start + text.end;
        self.epp = match text.next {
            Next::EndOfInput => EppMode::Text,
            Next::Code => EppMode::Code,
            Next::Expr => EppMode::Expr,
            Next::OpenTag => return Err(self.unbalanced(issues::epp_unbalanced_expression())),
            Next::OpenComment => return Err(self.unbalanced(issues::epp_unbalanced_comment())),
        };
        // Rendering nothing before code would keep parameters from coming first.
        let rendered = text.rendered.filter(|text| self.epp == EppMode::Text || !text.is_empty());
        let is_rendered = rendered.is_some();
        let tag_length = match self.epp {
            EppMode::Expr => "<%=".len(),
            EppMode::Code if self.slice(start, self.position).ends_with("<%-") => "<%-".len(),
            EppMode::Code => "<%".len(),
            EppMode::Text | EppMode::Off => 0,
        };
        let tag = self.position - tag_length;
        if let Some(rendered) = rendered {
            self.out.rendered.push((self.out.tokens.len(), rendered));
            self.push(TokenKind::RenderString, start, tag);
        }
        if self.epp == EppMode::Expr {
            // Nothing is rendered for a comment, which is left to the tag.
            self.push(TokenKind::RenderExpr, if is_rendered { tag } else { start }, self.position);
        }
        Ok(())
    }

    fn unbalanced(&self, issue: bunraku_diagnostic::Issue) -> Box<super::Failure> {
        fail(self.error_at(issue, self.position), self.bytes.len())
    }

    /// A template must not end within code.
    pub(super) fn check_epp_closed(&mut self) {
        if matches!(self.epp, EppMode::Code | EppMode::Expr) {
            let end = self.bytes.len();
            let diagnostic = self.error_at(issues::epp_unbalanced_tag(), end);
            self.push_error(end, diagnostic);
        }
    }
}

/// Reads text, with its comments and escaped tags, up to and including the tag that begins code.
fn read_text(text: &str, mut trim: bool) -> Text {
    let mut rendered = EcoString::new();
    let mut rest = text;
    let ends =
        |rest: &str, next: Next, rendered: Option<EcoString>| Text { rendered, next, end: text.len() - rest.len() };
    while !rest.is_empty() {
        let (part, tag) = match rest.split_once("<%") {
            Some((part, after)) => (part, Some(after)),
            None => (rest, None),
        };
        // Blanks are trimmed even if no line break follows them.
        let part = if std::mem::take(&mut trim) { trim_line(part) } else { part };
        push_unescaped(&mut rendered, part);
        let Some(after) = tag else {
            return ends("", Next::EndOfInput, Some(rendered));
        };
        rest = after;
        match after.bytes().next() {
            None => return ends(rest, Next::OpenTag, None),
            Some(b'%') => {
                rendered.push_str("<%");
                rest = skip_one(after);
            }
            Some(b'#') => {
                let Some(end) = comment_end(after) else {
                    return ends(rest, Next::OpenComment, None);
                };
                let comment = after.get(..end).unwrap_or_default();
                if comment.starts_with("#-") {
                    trim_blanks(&mut rendered);
                }
                trim = comment.ends_with("-%>");
                rest = after.get(end..).unwrap_or_default();
            }
            Some(b'-') => {
                trim_blanks(&mut rendered);
                return ends(skip_one(after), Next::Code, Some(rendered));
            }
            Some(b'=') => return ends(skip_one(after), Next::Expr, Some(rendered)),
            Some(_) => return ends(after, Next::Code, Some(rendered)),
        }
    }
    // Compatibility: text before an escaped tag or a comment at the very end of the input is lost.
    ends("", Next::EndOfInput, None)
}

fn skip_one(text: &str) -> &str {
    text.get(1..).unwrap_or_default()
}

/// `%%>` stands for `%>`.
fn push_unescaped(rendered: &mut EcoString, part: &str) {
    let mut pieces = part.split("%%>");
    rendered.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        rendered.push_str("%>");
        rendered.push_str(piece);
    }
}

/// The rest of a line after `-%>`: blanks and the line break, if it comes next, are dropped.
fn trim_line(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

fn trim_blanks(rendered: &mut EcoString) {
    while rendered.ends_with([' ', '\t']) {
        rendered.pop();
    }
}

/// The end of a comment that begins with `#`: a `%>` without another `%` before it.
fn comment_end(text: &str) -> Option<usize> {
    memchr::memmem::find_iter(text.as_bytes(), b"%>")
        .find(|&at| at > 0 && text.as_bytes().get(at - 1) != Some(&b'%'))
        .map(|at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, trim: bool, rendered: Option<&str>, end: usize) {
        let read = read_text(text, trim);
        assert_eq!(read.rendered.as_deref(), rendered, "{text:?}");
        assert_eq!(read.end, end, "{text:?}");
    }

    #[test]
    fn tags() {
        check("a <% x", false, Some("a "), 4);
        check("a \t<%- x", false, Some("a"), 6);
        check("a <%= x", false, Some("a "), 5);
        check("a <%% b %%> c %> d", false, Some("a <% b %> c %> d"), 18);
        check("a <%# c %> b", false, Some("a  b"), 12);
        check("a <%#- c -%> \nb", false, Some("ab"), 15);
        check(" \n b", true, Some(" b"), 4);
    }
}
