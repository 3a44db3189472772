//! Problems as lines for people, in puppet-lint's form or as a log format asks, and GitHub's annotations after them.

use bunraku_lint::{Kind, Problem};

use super::options::Options;
use super::shown::Shown;

/// A problem as lines.
pub(super) fn text(shown: Shown<'_>, options: &Options) -> String {
    let problem = shown.problem;
    let format = match (options.log_format.as_str(), options.with_filename) {
        ("", false) => "%{KIND}: %{message} on line %{line} (check: %{check})",
        ("", true) => "%{path} - %{KIND}: %{message} on line %{line} (check: %{check})",
        (given, _) => given,
    };
    let mut text = formatted(format, shown) + "\n";
    if problem.kind == Kind::Ignored {
        text += &format!("  {}\n", problem.reason.as_deref().unwrap_or_default());
    }
    if options.with_context && problem.kind != Kind::Fixed {
        let line = shown.line();
        let indent = line.chars().take_while(|it| it.is_whitespace()).count();
        let column = (problem.column as usize).saturating_sub(indent) + 2;
        text += &format!("\n  {}\n{:>column$}\n\n", line.trim(), "^");
    }
    if std::env::var_os("GITHUB_ACTION").is_some() {
        let message = problem.message.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D");
        let Problem { kind, line, column, check, .. } = problem;
        text += &format!("\n::{kind} file={},line={line},col={column}::{message} (check: {check})\n", shown.file.path);
    }
    text
}

/// A log format with its placeholders replaced, as Ruby does it.
fn formatted(format: &str, shown: Shown<'_>) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text += before;
        let value = placeholder(after).and_then(|it| Some((shown.named(it.name)?, it)));
        match value {
            Some((value, Placeholder { width, is_left, length, .. })) => {
                text += &if is_left { format!("{value:<width$}") } else { format!("{value:>width$}") };
                rest = after.get(length..).unwrap_or_default();
            }
            None => {
                text.push('%');
                rest = after.strip_prefix('%').unwrap_or(after);
            }
        }
    }
    text + rest
}

/// `{name}`, or `-10<name>s`.
struct Placeholder<'f> {
    name: &'f str,
    width: usize,
    /// Whether it is padded on the right.
    is_left: bool,
    length: usize,
}

fn placeholder(text: &str) -> Option<Placeholder<'_>> {
    if let Some(inside) = text.strip_prefix('{') {
        let name = inside.split_once('}')?.0;
        return Some(Placeholder { name, width: 0, is_left: true, length: name.len() + 2 });
    }
    let (flags, inside) = text.split_once('<')?;
    let (name, after) = inside.split_once('>')?;
    after.starts_with(['s', 'd']).then_some(())?;
    let width = flags.trim_start_matches('-');
    let width = if width.is_empty() { 0 } else { width.parse::<u16>().ok()?.into() };
    Some(Placeholder { name, width, is_left: flags.starts_with('-'), length: flags.len() + name.len() + 3 })
}
