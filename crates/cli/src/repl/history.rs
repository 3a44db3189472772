//! The lines that were typed, kept for the next session without what looks like a secret.

use std::path::PathBuf;

use rustyline::Editor;
use rustyline::history::FileHistory;

use super::Words;

/// Words that stand near secrets.
const TELLING: [&str; 10] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "sensitive",
    "private_key",
    "privatekey",
    "credential",
    "enc[",
];

/// Where lines are kept.
pub(super) struct History(Option<PathBuf>);

impl History {
    /// Reads the lines of sessions before. A history that cannot be read is no reason not to start.
    pub(super) fn load(editor: &mut Editor<Words, FileHistory>) -> Self {
        let path = file();
        if let Some(path) = &path {
            _ = editor.load_history(path);
        }
        History(path)
    }

    /// Keeps a line, unless it looks like one with a secret in it.
    pub(super) fn add(&self, editor: &mut Editor<Words, FileHistory>, line: &str) {
        if is_public(line) {
            _ = editor.add_history_entry(line);
        }
    }

    /// Writes the lines for the next session.
    pub(super) fn save(&self, editor: &mut Editor<Words, FileHistory>) {
        if let Some(path) = &self.0 {
            _ = path.parent().map(std::fs::create_dir_all);
            _ = editor.save_history(path);
        }
    }
}

/// Whether a line may be kept: not if it names something secret, and, as in shells, not if it begins with a space.
fn is_public(line: &str) -> bool {
    let lower = line.to_lowercase();
    !line.starts_with(' ') && !TELLING.iter().any(|word| lower.contains(word))
}

fn file() -> Option<PathBuf> {
    let directory = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let directory = directory.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(directory.join("bunraku/history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_kept() {
        let check = |line: &str, expected| assert_eq!(is_public(line), expected, "{line}");
        check("notice(1)", true);
        check(" notice(1)", false);
        check("$db_password = 'x'", false);
        check("Sensitive('x')", false);
        check("user { 'a': passWord => 'x' }", false);
    }
}
