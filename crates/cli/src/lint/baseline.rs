//! Old findings, which are passed over until somebody gets to them. A finding is known by its file, its check and its line's
//! text, so that it stays known when other lines come and go; a line that changes makes it new.

use std::collections::BTreeMap;
use std::path::Path;

use bunraku::whole_file;
use bunraku_lint::{Kind, Problem, SYNTAX};
use serde_json::{Value, json};

use super::files::Linted;
use super::json::pretty;
use crate::configuration::relative_to;

/// The name of the file if there is no other.
pub(super) const NAME: &str = "lint-baseline.json";

/// How much of a line is kept.
const LONGEST: usize = 200;

/// How many findings there are: by file, check and line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Baseline(BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>);

impl Baseline {
    /// What was found in some files. Their paths are from the directory of the baseline on.
    pub(super) fn of(files: &[Linted], path: &Path) -> Self {
        let mut all = Self::default();
        for file in files {
            for problem in file.report.problems.iter().filter(|it| is_open(it)) {
                let of_file = all.0.entry(name(file, path)).or_default();
                let of_check = of_file.entry(problem.check.to_owned()).or_default();
                *of_check.entry(line(file, problem)).or_default() += 1;
            }
        }
        all
    }

    /// Reads a baseline.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let failed = |why: &str| format!("could not read the baseline {}: {why}", path.display());
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(failed("there is no such file; --write-baseline writes one"));
            }
            Err(error) => return Err(failed(&bunraku::reason(&error))),
        };
        let value: Value = serde_json::from_str(&text).map_err(|error| failed(&error.to_string()))?;
        let mut all = Self::default();
        let files = value.get("files").and_then(Value::as_object).ok_or_else(|| failed("\"files\" is missing"))?;
        for (file, checks) in files {
            for (check, lines) in checks.as_object().into_iter().flatten() {
                for (line, count) in lines.as_object().into_iter().flatten() {
                    let count = count.as_u64().ok_or_else(|| failed("a line needs a number"))?;
                    let of_file = all.0.entry(file.clone()).or_default();
                    of_file.entry(check.clone()).or_default().insert(line.clone(), count);
                }
            }
        }
        Ok(all)
    }

    /// Writes it; how many findings there are in it.
    pub(super) fn write(&self, path: &Path) -> Result<u64, String> {
        let text = pretty(&json!({"files": self.0}));
        let public = |file: &std::fs::File| readable(file);
        let written = whole_file::write_for(path, text.as_bytes(), public);
        written.map_err(|error| format!("could not write {}: {}", path.display(), bunraku::reason(&error)))?;
        Ok(self.0.values().flat_map(BTreeMap::values).flat_map(BTreeMap::values).sum())
    }

    /// Marks what is known as ignored; how many findings of these files are gone.
    pub(super) fn apply(mut self, files: &mut [Linted], path: &Path) -> u64 {
        let mut gone = 0;
        for file in files {
            let mut known = self.0.remove(&name(file, path)).unwrap_or_default();
            let mut problems = std::mem::take(&mut file.report.problems);
            for problem in problems.iter_mut().filter(|it| is_open(it)) {
                let left = known.get_mut(problem.check).and_then(|lines| lines.get_mut(&line(file, problem)));
                if let Some(left) = left.filter(|left| **left > 0) {
                    *left -= 1;
                    problem.kind = Kind::Ignored;
                    problem.reason = Some("baseline".to_owned());
                }
            }
            file.report.problems = problems;
            gone += known.values().flat_map(BTreeMap::values).sum::<u64>();
        }
        gone
    }
}

/// Whether something is still to be done about a problem. A syntax error is never passed over.
fn is_open(problem: &Problem) -> bool {
    matches!(problem.kind, Kind::Error | Kind::Warning) && problem.check != SYNTAX
}

fn name(file: &Linted, baseline: &Path) -> String {
    relative_to(baseline.parent().unwrap_or(Path::new("")), &file.path)
}

fn line(file: &Linted, problem: &Problem) -> String {
    file.line(problem.line).trim().chars().take(LONGEST).collect()
}

/// The file is one of the project, for everybody to read.
#[cfg(unix)]
fn readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// The file is one of the project, for everybody to read.
#[cfg(not(unix))]
fn readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
