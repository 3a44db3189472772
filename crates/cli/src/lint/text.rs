//! Problems as lines for people, in puppet-lint's form or as a log format asks, and GitHub's annotations after them.

use bunraku_lint::{Kind, Problem};

use super::options::Options;
use super::shown::Shown;

/// A problem as lines.
pub(super) fn text(shown: Shown<'_>, options: &Options) -> String {
    let problem = shown.problem;
    let mut text = match options.log_format.is_empty() {
        true => usual(shown, options.with_filename),
        false => options.log_format.line(shown),
    };
    text.push('\n');
    if problem.kind == Kind::Ignored {
        text += &format!("  {}\n", problem.reason.as_deref().unwrap_or_default());
    }
    if options.with_context && problem.kind != Kind::Fixed {
        let line = shown.line();
        let indent = line.chars().take_while(|it| it.is_whitespace()).count();
        // Of a problem with the indentation, the mark stands at the beginning.
        let column = (problem.column as usize).saturating_sub(indent).max(1) + 2;
        text += &format!("\n  {}\n{:>column$}\n\n", line.trim(), "^");
    }
    if std::env::var_os("GITHUB_ACTION").is_some() {
        let message = problem.message.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D");
        let Problem { kind, line, column, check, .. } = problem;
        text += &format!("\n::{kind} file={},line={line},col={column}::{message} (check: {check})\n", shown.file.path);
    }
    text
}

/// The line of a problem if no other form is asked for.
fn usual(shown: Shown<'_>, with_filename: bool) -> String {
    let Problem { message, line, check, kind, .. } = shown.problem;
    let kind = kind.to_string().to_uppercase();
    let path = if with_filename { format!("{} - ", shown.file.path) } else { String::new() };
    format!("{path}{kind}: {message} on line {line} (check: {check})")
}
