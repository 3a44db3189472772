//! One file with the settings of all tools: `bunraku.toml` in the current directory or the nearest one above it. Environment
//! variables win over the file, flags over both.

mod keys;
mod read;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bunraku::render::Checked;
use bunraku::{FileId, Issue, Source};
use bunraku_lint::{Kind, Settings};

use crate::output::on_terminal;
use crate::report::{self, Format};
use keys::{KEYS, Key, Takes};

/// The name of the file.
const NAME: &str = "bunraku.toml";

/// The variable that names another file, or none if it is empty.
const VARIABLE: &str = "BUNRAKU_CONFIG";

/// The value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Given {
    Boolean(bool),
    Number(u64),
    String(String),
    Strings(Vec<String>),
}

/// What becomes of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Off,
    On,
    /// It is on, and its problems are of this kind.
    As(Kind),
}

/// Checks and what becomes of them.
type Levels = Vec<(&'static str, Level)>;

/// What holds for some paths.
#[derive(Debug, Default)]
struct PathRule {
    patterns: Vec<String>,
    checks: Levels,
}

/// What the file and the environment say.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// Later values win.
    values: Vec<(&'static Key, Given)>,
    checks: Levels,
    paths: Vec<PathRule>,
    /// The directory of the file, which its paths begin at.
    directory: Option<PathBuf>,
}

/// Why the configuration cannot be used.
#[derive(Debug)]
pub(crate) struct Refused(Box<Checked>);

impl Refused {
    fn new(name: &str, text: String, issue: Issue) -> Self {
        let source = Source::file(FileId(0), name, text);
        Self(Box::new(Checked { name: name.to_owned(), diagnostics: vec![issue.nowhere()], source, is_fatal: true }))
    }

    /// Shows all that is wrong, with places.
    pub(crate) fn show(&self) -> ExitCode {
        let format = if on_terminal() { Format::Human } else { Format::Plain };
        report::show(&self.0, format, "");
        ExitCode::FAILURE
    }

    /// The first thing that is wrong, for those who can tell of one.
    pub(crate) fn issue(&self) -> Issue {
        let first = self.0.diagnostics.first();
        Issue::new("", first.map_or_else(String::new, |it| it.located(Some(&self.0.source))))
    }
}

impl Configuration {
    /// Reads what holds in the current directory.
    pub(crate) fn load() -> Result<Self, Refused> {
        let mut configuration = match file() {
            Some(path) => Self::read(&path)?,
            None => Self::default(),
        };
        configuration.add_variables(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )?;
        Ok(configuration)
    }

    fn read(path: &Path) -> Result<Self, Refused> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Refused::new(&name, String::new(), unreadable(&name, &error)))?;
        let source = Source::file(FileId(0), name.as_str(), text);
        match read::read(&source) {
            Ok(read::Read { values, checks, paths }) => {
                let directory = Some(path.parent().unwrap_or(Path::new("")).to_path_buf());
                Ok(Self { values, checks, paths, directory })
            }
            Err(diagnostics) => Err(Refused(Box::new(Checked { name, source, diagnostics, is_fatal: true }))),
        }
    }

    /// Adds what environment variables say. One that could only be meant for this program, and is no key, is refused.
    fn add_variables(&mut self, variables: impl Iterator<Item = (String, String)>) -> Result<(), Refused> {
        for (name, text) in variables {
            let is_ours = ["BUNRAKU_PUPPET_", "BUNRAKU_LINT_", "BUNRAKU_FMT_"].iter().any(|it| name.starts_with(it));
            if !is_ours {
                continue;
            }
            let refused = |message| Refused::new(&name, String::new(), Issue::new("INVALID_CONFIGURATION", message));
            let Some(key) = KEYS.iter().find(|key| key.variable() == name) else {
                let meant = bunraku::nearest(&name, KEYS.iter().map(Key::variable));
                let hint = meant.map_or(String::new(), |it| format!("; did you mean {it}?"));
                return Err(refused(format!("Unknown environment variable {name}{hint}")));
            };
            let given = read::from_variable(key, &text).map_err(|message| refused(format!("{name}: {message}")))?;
            // The paths of a variable begin where the program is started.
            let given = match (key.takes, given) {
                (Takes::Paths, Given::String(paths)) => Given::String(from_here(&paths)),
                (_, given) => given,
            };
            self.values.push((key, given));
        }
        Ok(())
    }

    /// The values of a table: names with what is given, paths from the root or the current directory on.
    pub(crate) fn table(&self, table: &str) -> impl Iterator<Item = (&'static str, Given)> {
        self.values.iter().filter(move |(key, _)| key.table == table).map(|(key, given)| {
            let given = match given {
                Given::String(paths) if key.takes == Takes::Paths => Given::String(self.resolved(paths)),
                given => given.clone(),
            };
            (key.name, given)
        })
    }

    /// The value of a key.
    pub(crate) fn value(&self, table: &str, name: &str) -> Option<Given> {
        self.table(table).filter(|(key, _)| *key == name).map(|(_, given)| given).last()
    }

    fn resolved(&self, paths: &str) -> String {
        let one = |path: &str| match path.starts_with('$') {
            // The value of a setting stands there.
            true => path.to_owned(),
            false => self.directory.as_deref().unwrap_or(Path::new("")).join(path).display().to_string(),
        };
        paths.split(':').map(one).collect::<Vec<_>>().join(":")
    }

    /// Switches the checks that hold everywhere.
    pub(crate) fn switch_checks(&self, settings: &mut Settings) {
        switch(&self.checks, settings);
    }

    /// The settings of `lint` for a path, where they are others than those of all.
    pub(crate) fn for_path(&self, path: &str, settings: &Settings) -> Option<Settings> {
        let path = self.within(path)?;
        let is_meant = |rule: &&PathRule| rule.patterns.iter().any(|pattern| crate::lint::matches(pattern, &path));
        let mut rules = self.paths.iter().filter(is_meant).peekable();
        rules.peek()?;
        let mut settings = settings.clone();
        rules.for_each(|rule| switch(&rule.checks, &mut settings));
        Some(settings)
    }

    /// A path from the directory of the file on, if there is a file.
    fn within(&self, path: &str) -> Option<String> {
        Some(relative_to(self.directory.as_deref()?, path))
    }

    /// Whether a path is like one of some patterns, as it is given or from the directory of the file on.
    pub(crate) fn is_like(&self, path: &str, patterns: &[String]) -> bool {
        let within = self.within(path);
        let paths = || std::iter::once(path).chain(within.as_deref());
        patterns.iter().any(|pattern| paths().any(|path| crate::lint::matches(pattern, path)))
    }
}

/// A path from a directory on, if it is in there.
pub(crate) fn relative_to(directory: &Path, path: &str) -> String {
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // The current directory is written as nothing.
    let directory = full(if directory.as_os_str().is_empty() { Path::new(".") } else { directory });
    let path = Path::new(path);
    let all = full(path);
    all.strip_prefix(&directory).unwrap_or(path).display().to_string()
}

fn switch(levels: &Levels, settings: &mut Settings) {
    for (check, level) in levels {
        settings.set(check, *level != Level::Off);
        if let Level::As(kind) = level {
            settings.set_kind(check, *kind);
        }
    }
}

/// The file that holds in the current directory.
fn file() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(given)).filter(|path| !path.as_os_str().is_empty());
    }
    let here = PathBuf::from(NAME);
    if here.is_file() {
        return Some(here);
    }
    let current = std::env::current_dir().ok()?;
    current.ancestors().skip(1).map(|directory| directory.join(NAME)).find(|path| path.is_file())
}

/// Paths of the environment from the root on, so that the directory of the file does not come before them.
fn from_here(paths: &str) -> String {
    let one = |path: &str| match path.starts_with('$') {
        true => path.to_owned(),
        false => std::path::absolute(path).map_or_else(|_| path.to_owned(), |it| it.display().to_string()),
    };
    paths.split(':').map(one).collect::<Vec<_>>().join(":")
}

fn unreadable(name: &str, error: &std::io::Error) -> Issue {
    Issue::new("INVALID_CONFIGURATION", format!("Could not read {name}: {}", bunraku::reason(error)))
}
