//! The oldest text form of a syntax tree, which `parser dump` prints unless another is asked for.

mod transform;

use crate::ast::Program;

/// A program as `(name part …)`, with line breaks where the reference has them.
pub fn dump(program: &Program) -> String {
    let mut parts = Parts::default();
    parts.add(&transform::program(program));
    parts.text
}

/// A part of the output.
enum Part {
    Text(String),
    /// `( … )`
    List(Vec<Part>),
    /// A line break.
    Break,
    Indent,
    Dedent,
}

/// The output so far.
#[derive(Default)]
struct Parts {
    text: String,
    indent: usize,
    /// Whether the last part ended so that no space is needed after it.
    is_open: bool,
}

impl Parts {
    fn add(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.push(text),
            Part::List(parts) => {
                self.push("(");
                for part in parts {
                    self.add(part);
                }
                self.push(")");
            }
            Part::Break => self.push(&format!("\n{}", "  ".repeat(self.indent))),
            Part::Indent => self.indent += 1,
            Part::Dedent => self.indent = self.indent.saturating_sub(1),
        }
    }

    /// Adds text, after a space unless white space or a parenthesis makes it needless.
    fn push(&mut self, text: &str) {
        if !self.text.is_empty() && text != ")" && !self.is_open && !has_indented_line(text) {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.is_open = has_open_line(text);
    }
}

/// Compatibility: the reference looks at the start of every line, and an empty line counts as white space.
fn has_indented_line(text: &str) -> bool {
    let starts = std::iter::once('\n').chain(text.chars());
    starts.zip(text.chars()).any(|(before, first)| before == '\n' && first.is_ascii_whitespace())
}

/// Compatibility: the reference looks at the end of every line, and an empty line counts as white space.
fn has_open_line(text: &str) -> bool {
    let ends = text.chars().skip(1).chain(std::iter::once('\n'));
    text.chars().zip(ends).any(|(last, after)| after == '\n' && (last.is_ascii_whitespace() || last == '('))
}
