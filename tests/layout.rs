//! The same program with other white space and comments between its tokens: what a formatter may change, and more.

use bunraku::syntax::{FileId, Source, Token, TokenKind, parse};

/// Where white space stood already, any of these may stand instead.
const SPACES: [&str; 6] = [" ", "   ", "\t", "\n", " /* c */ ", " # c\n  "];

/// How the space between two tokens is written.
pub trait Layout {
    /// One of so many ways.
    fn choose(&mut self, ways: usize) -> usize;

    /// Whether what stands between tokens is written by the nesting of brackets, and not by choice.
    fn is_tidy(&self) -> bool {
        false
    }
}

/// Every token that may begin a line does, indented by the nesting of brackets.
pub struct Tidy;

impl Layout for Tidy {
    fn choose(&mut self, _ways: usize) -> usize {
        0
    }

    fn is_tidy(&self) -> bool {
        true
    }
}

/// Choices given as numbers, used again and again.
pub struct Chosen<'c> {
    choices: std::iter::Cycle<std::slice::Iter<'c, u8>>,
}

impl<'c> Chosen<'c> {
    pub fn new(choices: &'c [u8]) -> Self {
        Self { choices: choices.iter().cycle() }
    }
}

impl Layout for Chosen<'_> {
    fn choose(&mut self, ways: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or_default()) % ways
    }
}

/// The program in another layout. `None` if it has a syntax error, or what depends on the lines around it: a heredoc, or a
/// slash after a brace, which begins a regular expression if there is another one on its line.
pub fn lay_out(text: &str, layout: &mut dyn Layout) -> Option<String> {
    let parsed = parse(&Source::string(FileId(0), text));
    let is_heredoc = |token: &Token| matches!(token.kind, TokenKind::Heredoc | TokenKind::HeredocText);
    let is_after_brace = |pair: &[Token]| matches!(pair, [brace, slash] if brace.kind == TokenKind::RightBrace && slash.kind == TokenKind::Divide);
    let depends_on_lines = parsed.tokens.iter().any(is_heredoc) || parsed.tokens.windows(2).any(is_after_brace);
    if parsed.first_error().is_some() || depends_on_lines {
        return None;
    }
    let mut written = String::new();
    let mut strings = 0_usize;
    let mut brackets = 0_usize;
    let mut before: Option<Token> = None;
    for token in &parsed.tokens {
        let gap = text.get(before.map_or(0, |before| before.end as usize)..token.start as usize)?;
        if token.kind == TokenKind::RightBrace {
            brackets = brackets.saturating_sub(1);
        }
        // Within a string the marks of interpolation stand between the tokens.
        if strings > 0 {
            written.push_str(gap);
        } else {
            written.push_str(&space(gap, before.map(|before| before.kind), token.kind, brackets, layout));
        }
        match token.kind {
            TokenKind::StringStart => strings += 1,
            TokenKind::StringEnd => strings = strings.saturating_sub(1),
            TokenKind::LeftBrace | TokenKind::SelectorBrace => brackets += 1,
            _ => {}
        }
        written.push_str(text.get(token.start as usize..token.end as usize)?);
        before = Some(*token);
    }
    Some(written)
}

fn space(gap: &str, before: Option<TokenKind>, after: TokenKind, brackets: usize, layout: &mut dyn Layout) -> String {
    // A parenthesis at the start of a line groups; elsewhere it may hold the arguments of a call.
    let is_line_sensitive = matches!(after, TokenKind::LeftParenthesis | TokenKind::LineStartParenthesis);
    if gap.is_empty() {
        let may_be_apart = !is_line_sensitive
            && !matches!(after, TokenKind::LeftBracket)
            && (is_sign(after) || before.is_some_and(is_sign));
        return if may_be_apart && layout.choose(2) == 1 { " ".to_owned() } else { String::new() };
    }
    let may_break = !is_line_sensitive || gap.contains('\n');
    match (is_line_sensitive, may_break) {
        (true, true) => "\n".to_owned(),
        (true, false) => " ".to_owned(),
        _ if layout.is_tidy() => format!("\n{}", "  ".repeat(brackets)),
        _ => SPACES[layout.choose(SPACES.len())].to_owned(),
    }
}

/// Signs that mean the same with and without space around them.
fn is_sign(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::FatArrow
            | TokenKind::PlusArrow
            | TokenKind::LeftBrace
            | TokenKind::RightBrace
            | TokenKind::Assign
            | TokenKind::Equal
            | TokenKind::NotEqual
            | TokenKind::Match
            | TokenKind::NoMatch
    )
}
