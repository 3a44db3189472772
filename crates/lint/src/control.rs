//! Control comments: `# lint:ignore:CHECK reason` at the end of a line hides problems of that line; on a line of its own
//! it hides them until `# lint:endignore`.

use rustc_hash::FxHashMap;

use crate::problem::{Kind as ProblemKind, Problem};
use crate::token::{Cursor, Kind, Tokens};

/// What control comments hide.
#[derive(Debug, Default)]
pub(crate) struct Ignored<'s> {
    /// For each check the lines, from one to another, and why: in order, none of them in two.
    lines: FxHashMap<&'s str, Vec<(u32, u32, String)>>,
    /// What is wrong with the comments themselves.
    pub(crate) warnings: Vec<String>,
}

/// A comment that waits for its end: its line, its reason, and the checks.
type Open<'s> = (u32, String, Vec<&'s str>);

impl<'s> Ignored<'s> {
    /// Reads the control comments.
    pub(crate) fn read(tokens: &'s Tokens<'s>) -> Self {
        let mut ignored = Self::default();
        let mut open: Vec<Open<'s>> = Vec::new();
        for token in tokens.iter().filter(|token| token.kind.is_comment()) {
            let text = comment_text(token);
            if is_control(text) {
                ignored.comment(token, text, &mut open);
            }
        }
        for (line, _, checks) in open {
            let check = checks.first().copied().unwrap_or_default();
            ignored.warnings.push(format!(
                "WARNING: lint:ignore:{check} comment on line {line} with no closing lint:endignore comment"
            ));
        }
        ignored
    }

    fn comment(&mut self, token: Cursor<'s>, text: &'s str, open: &mut Vec<Open<'s>>) {
        let words: Vec<&'s str> = text.split_ascii_whitespace().collect();
        let is_command = |word: &&&str| word.starts_with("lint:ignore") || word.starts_with("lint:endignore");
        let commands = words.iter().take_while(is_command).count();
        let (commands, reason) = words.split_at_checked(commands).unwrap_or_default();
        let reason = reason.join(" ");
        let is_alone = token.prev().is_none_or(|before| matches!(before.kind, Kind::Newline | Kind::Indent));
        let mut checks = Vec::new();
        for command in commands {
            match command.strip_prefix("lint:ignore:") {
                Some(check) => {
                    let check = check.split(':').next().unwrap_or_default();
                    if is_alone {
                        checks.push(check);
                    } else {
                        self.add(check, token.line, token.line, &reason);
                    }
                }
                None if command.starts_with("lint:endignore") => self.end(token.line, open),
                None => {}
            }
        }
        if !checks.is_empty() {
            open.push((token.line, reason, checks));
        }
    }

    fn end(&mut self, line: u32, open: &mut Vec<Open<'s>>) {
        match open.pop() {
            Some((start, reason, checks)) => {
                checks.iter().for_each(|check| self.add(check, start, line, &reason));
            }
            None => self.warnings.push(format!(
                "WARNING: lint:endignore comment with no opening lint:ignore:<check> comment found on line {line}"
            )),
        }
    }

    /// Hides a check from one line to another; what was hidden there before is hidden for this reason now. Comments come in
    /// order, so that nothing reaches beyond the last line yet.
    fn add(&mut self, check: &'s str, start: u32, end: u32, reason: &str) {
        let lines = self.lines.entry(check).or_default();
        while lines.pop_if(|(before, ..)| *before >= start).is_some() {}
        if let Some((_, before, _)) = lines.last_mut() {
            *before = start.saturating_sub(1).min(*before);
        }
        lines.push((start, end, reason.to_owned()));
    }

    /// Marks the problem if it is ignored.
    pub(crate) fn apply(&self, problem: &mut Problem) {
        let lines = self.lines.get(problem.check).map(Vec::as_slice).unwrap_or_default();
        let last = lines.partition_point(|(start, ..)| *start <= problem.line).checked_sub(1);
        let covering = last.and_then(|last| lines.get(last)).filter(|(_, end, _)| problem.line <= *end);
        if let Some((_, _, reason)) = covering {
            problem.kind = ProblemKind::Ignored;
            problem.reason = Some(reason.clone());
            problem.fix = None;
        }
    }
}

/// The text of a comment without its delimiters and the white space around it.
fn comment_text(token: Cursor<'_>) -> &str {
    let text = token.value().trim();
    // A line of a `/* */` comment may begin with a star.
    if token.kind == Kind::StarComment { text.trim_start_matches('*').trim() } else { text }
}

fn is_control(text: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    match text.strip_prefix("lint:ignore:") {
        Some(check) => check.starts_with(is_name),
        None => text.starts_with("lint:endignore"),
    }
}
