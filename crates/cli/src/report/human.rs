//! A diagnostic with an excerpt of the source.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, Style};
use bunraku_syntax::{Diagnostic, FileId, Severity, Source, Span};

pub(super) const ERROR: Style = bold(AnsiColor::Red);
pub(super) const WARNING: Style = bold(AnsiColor::Yellow);
pub(super) const NOTICE: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Cyan)));
const PLACE: Style = bold(AnsiColor::Blue);

/// How much of a long line is shown.
const MAX_WIDTH: usize = 160;

const fn bold(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

/// The text for a terminal; whoever prints it removes the colours where they do not belong.
pub(super) fn render<'s>(diagnostic: &Diagnostic, source_of: impl Fn(FileId) -> Option<&'s Source>) -> String {
    let (style, word) = match diagnostic.severity {
        Severity::Error => (ERROR, "error"),
        Severity::Warning => (WARNING, "warning"),
        Severity::Deprecation => (WARNING, "deprecation"),
    };
    let code = match diagnostic.issue.code() {
        "" => String::new(),
        code => format!("[{code}]"),
    };
    let mut text = format!("{style}{word}{code}{style:#}: {}\n", diagnostic.issue);
    let source = diagnostic.file().and_then(&source_of);
    match (diagnostic.span(), source) {
        (Some(span), Some(source)) => excerpt(&mut text, source, span, style),
        (None, Some(Source { path: Some(path), .. })) => {
            let _ = writeln!(text, "  {PLACE}-->{PLACE:#} {path}");
        }
        _ => {}
    }
    for note in &diagnostic.notes {
        let _ = writeln!(text, "{PLACE}note{PLACE:#}: {}", note.message);
        if let Some(span) = note.span
            && let Some(source) = source_of(span.file)
        {
            excerpt(&mut text, source, span, PLACE);
        }
    }
    text.push('\n');
    text
}

/// The line of a span, with marks below the span.
fn excerpt(text: &mut String, source: &Source, span: Span, style: Style) {
    let (line, column) = source.line_column(span.start);
    let path = source.path.as_deref().unwrap_or("<stdin>");
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let start = column.saturating_sub(1) as usize;
    let (last_line, last_column) = source.line_column(span.end.max(span.start));
    let full = source.line(line);
    let length = full.chars().count();
    let end = if last_line == line { last_column.saturating_sub(1) as usize } else { length };
    // Only a part of a very long line is shown.
    let first = if length > MAX_WIDTH { start.saturating_sub(MAX_WIDTH / 2) } else { 0 };
    let shown: String = full.chars().skip(first).take(MAX_WIDTH).map(printable).collect();
    let marks = end.clamp(start + 1, first + MAX_WIDTH).saturating_sub(start).max(1);
    let _ = writeln!(text, "{margin} {PLACE}-->{PLACE:#} {path}:{line}:{column}");
    let _ = writeln!(text, "{margin} {PLACE}|{PLACE:#}");
    let _ = writeln!(text, "{PLACE}{number} |{PLACE:#} {shown}");
    let indent = " ".repeat(start - first.min(start));
    let _ = writeln!(text, "{margin} {PLACE}|{PLACE:#} {indent}{style}{}{style:#}", "^".repeat(marks));
}

/// A character as wide as the mark below it, without power over the terminal.
fn printable(character: char) -> char {
    match character {
        '\t' => ' ',
        control if control.is_control() => '\u{FFFD}',
        other => other,
    }
}
