//! Text in YAML: which form it needs, and how long lines are broken.

use bunraku_hiera::yaml::is_plain_text;

/// The column after which a line is broken at the next blank.
const WIDTH: usize = 80;

/// A text and the form it is written in.
pub(super) struct Scalar<'t> {
    text: &'t str,
    style: Style,
    may_break: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

impl<'t> Scalar<'t> {
    /// A text that stands as a value.
    pub(super) fn of_value(text: &'t str) -> Scalar<'t> {
        Scalar { text, style: allowed(text, wanted(text), false), may_break: true }
    }

    /// A text that stands as a key, which is on one line.
    pub(super) fn of_key(text: &'t str) -> Scalar<'t> {
        Scalar { text, style: allowed(text, wanted(text), true), may_break: false }
    }

    /// Writes the text; further lines start at a column.
    pub(super) fn write(&self, out: &mut String, column: usize) {
        match self.style {
            Style::Plain => self.write_broken(out, column, self.text),
            Style::SingleQuoted => {
                out.push('\'');
                self.write_broken(out, column, &self.text.replace('\'', "''"));
                out.push('\'');
            }
            Style::DoubleQuoted => {
                out.push('"');
                self.write_broken(out, column, &escaped(self.text));
                out.push('"');
            }
            Style::Literal => self.write_literal(out, column),
        }
    }

    /// Writes a text on one line, or on several if it is long.
    fn write_broken(&self, out: &mut String, column: usize, text: &str) {
        let mut letters = text.chars().peekable();
        let mut previous = None;
        while let Some(letter) = letters.next() {
            let is_single_blank =
                letter == ' ' && previous != Some(' ') && letters.peek().is_some_and(|next| *next != ' ');
            if self.may_break && is_single_blank && previous.is_some() && current_column(out) > WIDTH {
                out.push('\n');
                out.push_str(&" ".repeat(column));
            } else if letter == '\n' && self.style == Style::SingleQuoted {
                out.push_str("\n\n");
                out.push_str(&" ".repeat(column));
            } else {
                out.push(letter);
            }
            previous = Some(letter);
        }
    }

    fn write_literal(&self, out: &mut String, column: usize) {
        out.push('|');
        if self.text.starts_with([' ', '\n']) {
            out.push_str(&column.min(9).to_string());
        }
        let line_ends = self.text.chars().rev().take_while(|letter| *letter == '\n').count();
        out.push_str(match line_ends {
            0 => "-",
            1 => "",
            _ => "+",
        });
        let body = self.text.strip_suffix('\n').unwrap_or(self.text);
        for line in body.split('\n') {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(&" ".repeat(column));
                out.push_str(line);
            }
        }
    }
}

fn current_column(out: &str) -> usize {
    out.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// The form Psych asks for.
fn wanted(text: &str) -> Style {
    let starts_without_word = |line: &str| {
        line.chars().next().is_some_and(|first| !(first.is_alphanumeric() || first == '_')) && !line.contains('"')
    };
    if text.trim_end_matches('\n').contains('\n') || text.ends_with("\n\n") {
        Style::Literal
    } else if text == "<<" {
        Style::SingleQuoted
    } else if matches!(text, "y" | "Y" | "n" | "N") || text.split('\n').any(starts_without_word) {
        Style::DoubleQuoted
    } else if !is_plain_text(text) {
        Style::SingleQuoted
    } else {
        Style::Plain
    }
}

/// The form that can hold the text.
fn allowed(text: &str, wanted: Style, is_key: bool) -> Style {
    let analysis = Analysis::of(text);
    let mut style = wanted;
    if is_key && analysis.has_lines {
        return Style::DoubleQuoted;
    }
    if style == Style::Plain && !analysis.may_be_plain {
        style = Style::SingleQuoted;
    }
    if style == Style::SingleQuoted && !analysis.may_be_single_quoted {
        style = Style::DoubleQuoted;
    }
    if style == Style::Literal && !analysis.may_be_literal {
        style = Style::DoubleQuoted;
    }
    style
}

/// What a text has that some forms cannot hold.
struct Analysis {
    has_lines: bool,
    may_be_plain: bool,
    may_be_single_quoted: bool,
    may_be_literal: bool,
}

impl Analysis {
    fn of(text: &str) -> Analysis {
        let is_break = |letter: char| matches!(letter, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
        let has_lines = text.contains(is_break);
        let has_special = text.chars().any(|letter| !is_break(letter) && !is_printable(letter));
        let edges_blank = text.starts_with([' ', '\n']) || text.ends_with([' ', '\n']);
        let (blank_after_line, line_after_blank) = (text.contains("\n "), text.contains(" \n"));
        Analysis {
            has_lines,
            may_be_plain: !(has_lines || has_special || edges_blank || has_indicators(text)),
            may_be_single_quoted: !(has_special || blank_after_line || line_after_blank),
            may_be_literal: !(has_special || line_after_blank || text.ends_with(' ')),
        }
    }
}

fn is_printable(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        && letter != '\u{feff}'
}

/// Whether a text has characters that mean something else where they stand.
fn has_indicators(text: &str) -> bool {
    if text.starts_with("---") || text.starts_with("...") {
        return true;
    }
    let mut letters = text.chars().peekable();
    let mut previous = None;
    while let Some(letter) = letters.next() {
        let is_followed_by_blank = letters.peek().is_none_or(|next| next.is_ascii_whitespace());
        let is_indicator = match (letter, previous) {
            ('#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`', None) => {
                true
            }
            ('?' | '-', None) | (':', _) => is_followed_by_blank,
            ('#', Some(before)) => before == ' ' || before == '\t' || before == '\n',
            _ => false,
        };
        if is_indicator {
            return true;
        }
        previous = Some(letter);
    }
    false
}

/// The text with the escapes of double quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            '\0' => escaped.push_str("\\0"),
            '\u{7}' => escaped.push_str("\\a"),
            '\u{8}' => escaped.push_str("\\b"),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\u{b}' => escaped.push_str("\\v"),
            '\u{c}' => escaped.push_str("\\f"),
            '\r' => escaped.push_str("\\r"),
            '\u{1b}' => escaped.push_str("\\e"),
            '\u{85}' => escaped.push_str("\\N"),
            '\u{a0}' => escaped.push_str("\\_"),
            '\u{2028}' => escaped.push_str("\\L"),
            '\u{2029}' => escaped.push_str("\\P"),
            other if is_printable(other) => escaped.push(other),
            other if u32::from(other) <= 0xff => escaped.push_str(&format!("\\x{:02X}", u32::from(other))),
            other => escaped.push_str(&format!("\\u{:04X}", u32::from(other))),
        }
    }
    escaped
}
