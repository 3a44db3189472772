//! A problem of a file as reports show it: what they call its parts, and the line it is about.

use bunraku_lint::Problem;

use super::files::Linted;

/// A problem, its file, and the directory that paths are relative to.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) problem: &'a Problem,
    pub(super) file: &'a Linted,
    pub(super) current_dir: &'a str,
}

/// What a log format may name; the last of these only some checks have.
pub(super) const NAMES: &[&str] = &[
    "message",
    "line",
    "column",
    "kind",
    "KIND",
    "check",
    "path",
    "fullpath",
    "filename",
    "reason",
    "fact_name",
    "indent",
    "actual",
    "arrow_column",
    "newline",
    "newline_indent",
];

impl<'a> Shown<'a> {
    /// What a log format calls by a name.
    pub(super) fn named(self, name: &str) -> Option<String> {
        Some(match name {
            "message" => self.problem.message.to_string(),
            "line" => self.problem.line.to_string(),
            "column" => self.problem.column.to_string(),
            "kind" => self.problem.kind.to_string(),
            "KIND" => self.problem.kind.to_string().to_uppercase(),
            "check" => self.problem.check.to_owned(),
            "path" => self.file.path.clone(),
            "fullpath" => full_path(&self.file.path, self.current_dir),
            "filename" => self.file.path.rsplit('/').next().unwrap_or_default().to_owned(),
            "reason" => self.problem.reason.clone()?,
            detail => self.problem.details.iter().find(|(name, _)| *name == detail)?.1.to_string(),
        })
    }

    /// The line that it is about.
    pub(super) fn line(self) -> &'a str {
        self.file.line(self.problem.line)
    }
}

/// A path from the root on.
pub(super) fn full_path(path: &str, current_dir: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{current_dir}/{path}") }
}
