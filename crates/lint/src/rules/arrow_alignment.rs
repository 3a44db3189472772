//! The arrows of a resource stand in one column.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    name: "arrow_alignment",
    kind: ProblemKind::Warning,
    is_on: true,
    description: "The arrows of a resource stand in one column.",
    help: Some("style_guide.html#spacing-indentation-and-whitespace"),
    check,
};

fn check<'t>(cx: &mut Context<'t>) -> Checked {
    for resource in cx.resources()? {
        let tokens = resource.tokens(cx.tokens).filter(|token| !token.kind.is_comment());
        let arrows = || tokens.clone().filter(|token| token.is(Kind::FArrow));
        if arrows().next().map(|it| it.line) == arrows().next_back().map(|it| it.line) {
            continue;
        }
        let mut levels = vec![Level::default()];
        for token in tokens.clone() {
            match token.kind {
                Kind::FArrow => levels.iter_mut().rev().take(1).for_each(|level| level.arrow(token)),
                Kind::LBrace => levels.push(Level::default()),
                Kind::RBrace | Kind::Semicolon => {
                    let level = levels.pop().unwrap_or_default();
                    level.report(cx);
                    if levels.is_empty() {
                        levels.push(Level::default());
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The arrows between two braces.
#[derive(Default)]
struct Level<'t> {
    arrows: Vec<Cursor<'t>>,
    /// The column that they should stand in, and that of the first key.
    column: u32,
    first_key: Option<u32>,
}

impl<'t> Level<'t> {
    fn arrow(&mut self, arrow: Cursor<'t>) {
        let Some(key) = arrow.prev_code() else { return };
        // A string with interpolations is measured as a whole.
        let start = if key.is(Kind::DqPost) { key.before().find(|it| it.is(Kind::DqPre)).unwrap_or(key) } else { key };
        let width: usize =
            std::iter::once(key).chain(key.before().take(key.index - start.index)).map(Cursor::width).sum();
        let first_key = *self.first_key.get_or_insert(start.column);
        let on_same_line = self.arrows.iter().rev().any(|it| it.line == arrow.line);
        let column = if on_same_line { first_key + width as u32 + 1 } else { key.column + key.width() as u32 + 1 };
        self.column = self.column.max(column);
        self.arrows.push(arrow);
    }

    fn report(&self, cx: &mut Context<'t>) {
        let first = self.arrows.first().map(|it| it.line);
        if self.arrows.iter().all(|arrow| Some(arrow.line) == first) {
            return;
        }
        let mut last_line = 0;
        for arrow in &self.arrows {
            let is_first_of_line = std::mem::replace(&mut last_line, arrow.line) != arrow.line;
            if arrow.column == self.column {
                continue;
            }
            let message = format!(
                "indentation of => is not properly aligned (expected in column {}, but found it in column {})",
                self.column, arrow.column
            );
            cx.report_fix(*arrow, message, || {
                let key = arrow.prev_code()?;
                if !is_first_of_line {
                    // It gets a line of its own, where it will be aligned.
                    let (blank, indent) = (key.prev()?, self.first_key?.saturating_sub(1));
                    let text = format!("\n{}", " ".repeat(indent as usize));
                    return layout(if blank.is(Kind::Whitespace) {
                        blank.replace(text)
                    } else {
                        key.insert_before(text)
                    });
                }
                let end = key.column + key.width() as u32;
                let blanks = self.column.checked_sub(end).filter(|_| key.line == arrow.line)?;
                layout(Edit::new(key.end, arrow.start, " ".repeat(blanks as usize)))
            });
            let newline_indent = self.first_key.map_or(0, |column| column.saturating_sub(1));
            cx.details([
                ("arrow_column", Detail::Number(self.column as usize)),
                ("newline", Detail::Boolean(!is_first_of_line)),
                ("newline_indent", Detail::Number(newline_indent as usize)),
            ]);
        }
    }
}
