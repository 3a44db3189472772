//! The one layout of Puppet code: [`format`] writes a manifest in it, [`format_lines`] a part of one.
//!
//! Three promises, in this order: the program means the same, no comment is lost, well-kept code hardly changes. Line breaks
//! are the author's, white space inside a line is ours; `style` says the rest. Whatever is handed out has been split into
//! tokens again and compared with the source.

mod ignored;
mod items;
mod print;
mod range;
mod roles;
mod same;
mod style;
mod verbatim;

use bunraku_syntax::trivia::Trivia;
use bunraku_syntax::{Diagnostic, Grammar, Parsed, Severity, Source, parse_as};

use items::Items;

pub use range::Lines;

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// How many blanks a step of indentation has.
    pub indent: u32,
    /// What becomes of double quotes that are not needed.
    pub quotes: Quotes,
}

impl Default for Style {
    fn default() -> Self {
        Self { indent: 2, quotes: Quotes::Single }
    }
}

/// What becomes of double quotes that are not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// They become single quotes.
    Single,
    /// They stay.
    Keep,
}

/// Why there is no other layout.
#[derive(Debug)]
pub enum Failure {
    /// The source cannot be read.
    Syntax(Vec<Diagnostic>),
    /// The source is a template, whose text must stay as it is.
    Template,
    /// The result would mean something else; this is a fault of the formatter.
    Meaning,
}

/// The text of a manifest in the one layout.
pub fn format(source: &Source, style: &Style) -> Result<String, Failure> {
    write(source, style, None)
}

/// The text of a manifest with the statements on some of its lines in the one layout, and all others as they are.
pub fn format_lines(source: &Source, lines: Lines, style: &Style) -> Result<String, Failure> {
    write(source, style, Some(lines))
}

fn write(source: &Source, style: &Style, lines: Option<Lines>) -> Result<String, Failure> {
    let (parsed, grammar) = read(source);
    if grammar.template {
        return Err(Failure::Template);
    }
    let errors = |it: &Diagnostic| it.severity == Severity::Error;
    if parsed.diagnostics.iter().any(errors) {
        return Err(Failure::Syntax(parsed.diagnostics.into_iter().filter(errors).collect()));
    }
    let mut items = Items::new(source, Trivia::of(source, &parsed));
    verbatim::join(&mut items, &parsed.program);
    style::lay_out(&mut items, &parsed.program, style);
    let printed = print::print(&items, style);
    let text = match lines {
        Some(lines) => range::only(lines, &items, &parsed.program, &printed),
        None => printed.text,
    };
    if text == source.text {
        return Ok(text);
    }
    let written = Source::string(source.id, text);
    if same::is_same(source, &parsed, &written, grammar) { Ok(written.text) } else { Err(Failure::Meaning) }
}

/// Reads a source in the form of the language that it is written in: what is no manifest may still be a plan.
fn read(source: &Source) -> (Parsed, Grammar) {
    let grammar = Grammar::of(source);
    let parsed = parse_as(source, grammar);
    if grammar == Grammar::MANIFEST && parsed.first_error().is_some() {
        let plan = parse_as(source, Grammar::PLAN);
        if plan.first_error().is_none() {
            return (plan, Grammar::PLAN);
        }
    }
    (parsed, grammar)
}
