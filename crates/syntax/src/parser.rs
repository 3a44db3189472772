//! Tokens to syntax tree.
//!
//! A recursive descent parser that never fails: it returns a tree and a list of what is wrong. The first error is the
//! one the reference implementation reports. What could not be read leaves a hole, [`ExprKind::Missing`], in the
//! innermost list around it; where there is none, reading goes on where a statement may begin.

mod cause;
mod collection;
mod definition;
mod epp;
mod expression;
mod list;
mod literal;
mod primary;
mod recover;
mod resource;
mod statement;

use ecow::EcoString;

use crate::ast::{Definition, Expr, ExprKind, Ident, Program};
use crate::grammar::Grammar;
use crate::issues;
use crate::lexer::{self, Lexed};
use crate::token::{Token, TokenKind};
use bunraku_diagnostic::{At, Diagnostic, FileId, Issue, Label, Severity, Source, Span};
use list::Lists;

pub use literal::is_raised_zero;

/// How deep a tree may be. Every level costs stack in whoever walks the tree, so input must not choose the depth.
pub const MAX_DEPTH: u32 = 1000;

/// How deep expressions may be nested in brackets. A level costs the parser up to 8 KiB of stack without optimisation,
/// so that it fits the 2 MiB which threads have.
const MAX_NESTING: u32 = 200;

/// After so many errors the rest of a file is not worth reading.
const MAX_ERRORS: usize = 100;

/// What a source says, and what is wrong with it.
#[derive(Debug)]
pub struct Parsed {
    /// The tree, with holes for what could not be read.
    pub program: Program,
    /// The tokens, in the order the parser reads them: the text of a heredoc follows its header.
    pub tokens: Vec<Token>,
    /// The comments, in the order of the source; those within a heredoc come before those after its header.
    pub comments: Vec<Span>,
    /// The lines of each heredoc, in the order of their headers: its text and the line that ends it.
    pub heredocs: Vec<Span>,
    /// Errors in the order they were found, after warnings about escape sequences.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The error the reference reports; it stops at the first.
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Parses a manifest.
pub fn parse(source: &Source) -> Parsed {
    parse_as(source, Grammar::MANIFEST)
}

/// Parses a template.
pub fn parse_epp(source: &Source) -> Parsed {
    parse_as(source, Grammar::TEMPLATE)
}

/// Parses a source in any form of the language.
pub fn parse_as(source: &Source, grammar: Grammar) -> Parsed {
    let lexed = lexer::lex(source, grammar);
    let is_open = lexed.has_open_string;
    let parsed = parse_tokens(lexed, grammar);
    if parsed.diagnostics.is_empty() || parsed.first_error().is_none() {
        return parsed;
    }
    // What a lost quote makes of the rest of the file is what the reference reports, but no tree to work with.
    let lexed = lexer::lex_broken(source, grammar);
    let Some(lost) = lexed.lost_quote else { return parsed };
    let repaired = parse_tokens(lexed, grammar);
    // A string that was cut though it is whole has made a mistake more. Where the last string of all has no end, a quote
    // is lost all the same, and everything behind it was taken for text and text for code.
    let is_cut_well = repaired.diagnostics.len() <= parsed.diagnostics.len();
    if !is_cut_well && !is_open {
        return parsed;
    }
    let mut diagnostics = parsed.diagnostics;
    let first = diagnostics.iter_mut().find(|diagnostic| diagnostic.severity == Severity::Error);
    first.into_iter().filter(|_| is_cut_well).for_each(|first| blame_quote(first, lost, source));
    Parsed { diagnostics, ..repaired }
}

/// The tokens of a source, for who has its tree already.
pub fn tokens(source: &Source, grammar: Grammar) -> Vec<Token> {
    lexer::lex(source, grammar).into_parts().0
}

/// People are shown the string that lacks its quote or brace, not where the rest of the file stopped making sense.
fn blame_quote(diagnostic: &mut Diagnostic, quote: Span, source: &Source) {
    let line = source.line_number(quote.start);
    let end = source.line_start(line) + source.line(line).len() as u32;
    let text = source.slice(Span { end, ..quote });
    let brace = text.rfind("${").filter(|at| !text.get(*at..).is_some_and(|rest| rest.contains('}')));
    let (headline, at) = match brace {
        Some(at) => {
            let start = quote.start + at as u32;
            ("this `${` is not closed", Span { start, end: start + 2, ..quote })
        }
        None => ("this string is not closed", quote),
    };
    diagnostic.headline = Some(headline.into());
    diagnostic.labels.clear();
    diagnostic.labels.push(Label { at: At::Code(at), message: "never closed".into(), is_primary: true });
}

fn parse_tokens(lexed: Lexed<'_>, grammar: Grammar) -> Parsed {
    let mut parser = Parser::new(&lexed);
    let body = if grammar.template { parser.template() } else { parser.program() };
    let program = Program { body, definitions: parser.definitions, has_odd_variables: lexed.has_odd_variables };
    let read = parser.first_error.unwrap_or(usize::MAX);
    let errors = parser.diagnostics;
    let warnings = lexed.warnings.iter().filter(|&&(token, _)| token <= read);
    let mut diagnostics: Vec<Diagnostic> = warnings.map(|(_, warning)| warning.clone()).collect();
    diagnostics.extend(errors);
    let (tokens, comments, heredocs) = lexed.into_parts();
    Parsed { program, tokens, comments, heredocs, diagnostics }
}

/// A part of the program could not be read; why has been recorded.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'l, 's> {
    lexed: &'l Lexed<'s>,
    tokens: &'l [Token],
    /// The text of the source.
    source: &'l str,
    file: FileId,
    position: usize,
    /// The token at the position.
    token: Token,
    diagnostics: Vec<Diagnostic>,
    /// The index of the token at which the first error was found.
    first_error: Option<usize>,
    /// The index of the token at which the last error was found.
    last_error: Option<usize>,
    definitions: Vec<Definition>,
    /// The names of the classes around the current position.
    namespace: Vec<EcoString>,
    /// The brackets that are open.
    openers: Vec<Token>,
    lists: Lists,
    /// How many brackets were open where the innermost condition begins.
    condition: Option<usize>,
    /// Whether parameters of a definition are being read.
    is_in_parameters: bool,
    /// How often braces were read again.
    returns: u32,
    /// How many expressions are around the current position.
    depth: u32,
    /// The greatest depth within what was read last.
    deepest: u32,
}

impl<'l, 's> Parser<'l, 's> {
    fn new(lexed: &'l Lexed<'s>) -> Self {
        let end = Token { kind: TokenKind::EndOfInput, start: 0, end: 0 };
        Self {
            lexed,
            tokens: &lexed.tokens,
            source: &lexed.source.text,
            file: lexed.source.id,
            position: 0,
            token: lexed.tokens.first().copied().unwrap_or(end),
            diagnostics: Vec::new(),
            first_error: None,
            last_error: None,
            definitions: Vec::new(),
            namespace: Vec::new(),
            openers: Vec::with_capacity(16),
            lists: Lists::default(),
            condition: None,
            is_in_parameters: false,
            returns: 0,
            depth: 0,
            deepest: 0,
        }
    }

    /// A whole manifest.
    fn program(&mut self) -> Expr {
        let first = self.statements_until(TokenKind::EndOfInput);
        let end = self.source.len() as u32;
        let span = match self.lists.expressions.get(first..) {
            Some([only]) => only.span,
            Some([first, .., last]) => first.span.to(last.span),
            _ => Span::new(self.file, end, end),
        };
        self.block_or_single(first, span)
    }

    #[inline]
    fn kind(&self) -> TokenKind {
        self.token.kind
    }

    /// The kind of the token after the current one.
    #[inline]
    fn next_kind(&self) -> TokenKind {
        let next = self.tokens.get(self.position + 1);
        next.map_or(TokenKind::EndOfInput, |token| token.kind)
    }

    /// The current token, which is left behind.
    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.token;
        if let Some(&next) = self.tokens.get(self.position + 1) {
            self.position += 1;
            self.token = next;
        }
        token
    }

    /// Leaves the current token behind if it is of this kind.
    #[inline]
    fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.bump())
    }

    /// Leaves the current token behind, which must be of this kind.
    #[inline]
    fn expect(&mut self, kind: TokenKind) -> Parse<Token> {
        if self.kind() == kind { Ok(self.bump()) } else { self.unexpected_instead_of(Some(kind)) }
    }

    /// Leaves the current token behind, a bracket that must be closed.
    fn open(&mut self) -> Token {
        self.openers.push(self.token);
        self.bump()
    }

    /// Leaves behind the current token, which must close the last bracket. Where it does not, what is between is
    /// skipped; a bracket that is never closed ends with the token before.
    fn close(&mut self, kind: TokenKind) -> Token {
        let openers = self.openers.len().saturating_sub(1);
        let token = if self.kind() == kind { self.bump() } else { self.close_late(kind, openers) };
        self.openers.truncate(openers);
        token
    }

    #[inline]
    fn text(&self, token: Token) -> &'l str {
        // Almost all tokens lie in the source itself.
        let text = self.source.get(token.start as usize..token.end as usize);
        text.unwrap_or_else(|| self.lexed.text(token))
    }

    #[inline]
    fn name(&self, token: Token) -> EcoString {
        self.text(token).into()
    }

    /// A token as a written name.
    fn ident(&self, token: Token) -> Ident {
        Ident { name: self.name(token), span: self.span(token) }
    }

    /// The place of the token before the current one.
    fn previous_span(&self) -> Span {
        let previous = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        self.span(previous.copied().unwrap_or(self.token))
    }

    #[inline]
    fn span(&self, token: Token) -> Span {
        if token.end as usize <= self.source.len() {
            Span::new(self.file, token.start, token.end)
        } else {
            self.lexed.span(token)
        }
    }

    fn expr(&self, kind: ExprKind, token: Token) -> Expr {
        Expr { kind, span: self.span(token) }
    }

    /// Goes one level deeper, if that is still allowed.
    #[inline]
    fn enter(&mut self) -> Parse<()> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.check_depth(self.depth, MAX_NESTING)
    }

    /// Notes that an expression, the depth of which is given, became part of another together with the last one read.
    fn wrap(&mut self, deepest: u32) -> Parse<()> {
        self.deepest = self.deepest.max(deepest) + 1;
        self.check_depth(self.deepest, MAX_DEPTH)
    }

    #[inline]
    fn check_depth(&mut self, depth: u32, limit: u32) -> Parse<()> {
        if depth <= limit { Ok(()) } else { self.too_deep(limit) }
    }

    #[cold]
    fn too_deep(&mut self, limit: u32) -> Parse<()> {
        let span = self.span(self.token);
        let result = self.fail(issues::nesting_too_deep(limit), span);
        self.give_up();
        result
    }

    /// Records an error about the current token.
    #[cold]
    fn unexpected<T>(&mut self) -> Parse<T> {
        self.unexpected_instead_of(None)
    }

    /// The same where only one kind of token can stand.
    #[cold]
    fn unexpected_instead_of<T>(&mut self, expected: Option<TokenKind>) -> Parse<T> {
        // One token is only wrong once, however many rules fail over it.
        if self.last_error != Some(self.position) {
            let diagnostic = self.unexpected_token(expected);
            self.record(diagnostic);
        }
        Err(Failed)
    }

    /// The reference has read the next token when it finds what a whole construct has wrong.
    fn check_lookahead(&mut self) -> Parse<()> {
        match self.kind() {
            TokenKind::Error => self.unexpected(),
            _ => Ok(()),
        }
    }

    /// Records an error and stops reading the current statement.
    fn fail<T>(&mut self, issue: Issue, span: Span) -> Parse<T> {
        self.record(issue.at(span));
        Err(Failed)
    }

    fn record(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.first_error.get_or_insert(self.position);
            self.diagnostics.push(diagnostic);
        } else {
            self.give_up();
        }
        self.last_error = Some(self.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pn;

    fn check(code: &str, expected: &str) {
        let parsed = parse(&Source::string(FileId(0), code));
        assert_eq!(parsed.diagnostics, [], "{code}");
        assert_eq!(pn::program(&parsed.program).to_compact(), expected, "{code}");
    }

    /// The error that comes first, with its line and column.
    fn check_error(code: &str, expected: &str) {
        let source = Source::string(FileId(0), code);
        let parsed = parse(&source);
        let error = parsed.first_error().map(|error| match error.span() {
            Some(span) => {
                let (line, column) = source.line_column(span.start);
                format!("{line}:{column} {}", error.issue)
            }
            None => error.issue.message().to_owned(),
        });
        assert_eq!(error.as_deref(), Some(expected), "{code}");
    }

    #[test]
    fn operators_bind_as_in_the_manual() {
        check("1 + 2 * 3", "(+ 1 (* 2 3))");
        check("1 < 2 == 3 > 4", "(> (< 1 (== 2 3)) 4)");
        check("!$a in $b", "(in (! (var \"a\")) (var \"b\"))");
        check("-$a.f", "(- (call-method {:functor (. (var \"a\") (qn \"f\")) :args []}))");
        check("$a = $b -> $c", "(= (var \"a\") (-> (var \"b\") (var \"c\")))");
        check("$a or $b and $c", "(or (var \"a\") (and (var \"b\") (var \"c\")))");
        check("$a ? 1 => 2 + 3", "(? (var \"a\") [(=> 1 (+ 2 3))])");
        check("$a ? { 1 => 2 }[0]", "(access (? (var \"a\") [(=> 1 2)]) 0)");
    }

    #[test]
    fn statement_calls() {
        check("notice 1, 2", "(invoke {:functor (qn \"notice\") :args [1 2]})");
        check("include foo bar", "(block (invoke {:functor (qn \"include\") :args [(qn \"foo\")]}) (qn \"bar\"))");
        check("notice[1]", "(access (qn \"notice\") 1)");
        check("notice [1]", "(invoke {:functor (qn \"notice\") :args [(array 1)]})");
        check("notice\n(1)", "(invoke {:functor (qn \"notice\") :args [(paren 1)]})");
        check("$x = notice 1", "(block (= (var \"x\") (qn \"notice\")) 1)");
    }

    #[test]
    fn interpolation() {
        check("\"${x}\"", "(concat (str (var \"x\")))");
        check("\"${x + 1}\"", "(concat (str (+ (qn \"x\") 1)))");
        check("\"$a::b-${if[1]}$\"", "(concat (str (var \"a::b\")) \"-\" (str (access (var \"if\") 1)) \"$\")");
        check("@(\"E\"/t)\n  a\\t${b}\n  | E\n", "(heredoc {:text (concat \"a\\t\" (str (var \"b\")) \"\\n\")})");
        check("'''", "\"'\"");
    }

    #[test]
    fn braces_after_an_operand() {
        check("foo { a => 1 }", "(block (qn \"foo\") (hash (=> \"a\" 1)))");
        check("@File { a => 1 }", "(resource-defaults {:type (qr \"File\") :ops [(=> \"a\" 1)] :form \"virtual\"})");
        check(
            "$x { 'a': * => $h; 'b': }",
            concat!(
                "(resource {:type (var \"x\") :bodies [{:title \"a\" :ops [(splat-hash (var \"h\"))]} ",
                "{:title \"b\" :ops []}]})",
            ),
        );
        check(
            "f(a => 1, b => 2, 3)",
            "(invoke {:functor (qn \"f\") :args [(hash (=> (qn \"a\") 1) (=> (qn \"b\") 2)) 3]})",
        );
    }

    #[test]
    fn definitions_are_collected() {
        let parsed = parse(&Source::string(FileId(0), "class a { class b { define c { } } function d() { } }"));
        let names: Vec<_> = parsed.program.definitions.iter().filter_map(Definition::name).collect();
        assert_eq!(names, ["a::b::c", "a::b", "d", "a"]);
    }

    #[test]
    fn errors_are_those_of_the_reference() {
        check_error("$x = )", "1:6 Syntax error at ')'");
        check_error("f(1", "Syntax error at end of input");
        check_error(
            "foo 1, 2",
            "1:6 attempt to pass argument list to the function 'foo' which cannot be called without parentheses",
        );
        check_error("@$x", "1:1 Virtual (@) can only be applied to a Resource Expression");
        check_error("1; 08", "1:4 Not a valid octal number 08");
        check_error("\"a ${b} c", "1:8 Unclosed quote after 'b' followed by ' c...'");
        check_error("@(E)\ntext", "2:1 Heredoc without end-tagged line");
        check_error("1 ,", "Syntax error at end of input");
        check_error("a.b(1,)", "1:7 Syntax error at ')'");
    }
}
