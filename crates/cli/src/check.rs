//! `parser validate` and `epp validate`: finds files, checks many of them at once, and reports in their order.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use bunraku::render::{Checked, Finding};
use bunraku::syntax::{
    Diagnostic, FileId, Grammar, Issue, Parsed, Severity, Source, ValidateOptions, parse_as, validate,
};
use bunraku::{Disk, RunMode};
use clap::Args;

use crate::on_all_cores;
use crate::output::{on_terminal, print, tell};
use crate::report::{self, Format};
use crate::settings::SettingFlags;
use crate::walk::{Selection, Walk};

/// Which of the two languages to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Manifest,
    Template,
}

/// What is shown of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Everything.
    All,
    /// Nothing after the first file with errors.
    UntilError,
    /// The object that Puppet makes of it.
    Json,
}

/// What both commands take.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to validate, and directories to search for them; standard input if there are none
    files: Vec<PathBuf>,
    /// How to show what is wrong
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    settings: SettingFlags,
}

impl Check {
    /// Validates and reports; whether nothing is wrong, or why it could not be found out.
    pub(crate) fn run(&self, language: Language, output: Output) -> Result<bool, Issue> {
        let settings = self.settings.load(RunMode::User)?;
        let options = ValidateOptions {
            strict: settings.strict()?,
            product: settings.target.product(),
            tasks: settings.boolean("tasks")?,
            ..ValidateOptions::default()
        };
        let walk = self.selection.walk().map_err(|reason| Issue::new("", reason))?;
        let Found { paths, missing, unreadable } = match self.files.as_slice() {
            [] if !io::stdin().is_terminal() => Found::default(),
            [] => find_files(&self.default_files(language)?, language, &walk),
            given => find_files(&resolved(given, language, &self.settings)?, language, &walk),
        };
        let mut checked: Vec<Checked> = if self.files.is_empty() && !io::stdin().is_terminal() {
            vec![check_standard_input(language, &options)]
        } else {
            // A source with nothing wrong has nothing to show; its text goes at once.
            let wrong = |checked: Checked| (!checked.diagnostics.is_empty()).then_some(checked);
            let checked = on_all_cores(&paths, |path| wrong(check_file(path, language, &options)));
            checked.into_iter().flatten().collect()
        };
        checked.extend(unreadable);
        if output == Output::UntilError
            && let Some(first) = checked.iter().position(Checked::has_errors)
        {
            checked.truncate(first + 1);
        }
        let prefix = match language {
            Language::Manifest => format!("Could not parse for environment {}: ", settings.text("environment")?),
            Language::Template => String::new(),
        };
        let format = self.format.unwrap_or(if on_terminal() { Format::Human } else { Format::Plain });
        match output {
            Output::Json => report::show_as_puppet_json(&checked, &prefix),
            Output::All | Output::UntilError => report_all(&checked, format, &prefix),
        }
        .map_err(|message| Issue::new("", message))?;
        if output != Output::Json && format == Format::Human && !paths.is_empty() {
            tell(totals(&checked, paths.len()));
        }
        if !missing.is_empty() {
            return Err(Issue::new("", not_there(&missing)));
        }
        Ok(!checked.iter().any(Checked::has_errors))
    }

    /// What is validated if nothing is given at all: the manifest of the environment.
    fn default_files(&self, language: Language) -> Result<Vec<PathBuf>, Issue> {
        if language == Language::Template {
            report::log("Notice", "No template specified. No action taken");
            return Ok(Vec::new());
        }
        let manifest = self.settings.environment(RunMode::User, None)?.settings.text("manifest")?;
        report::log("Notice", &format!("No manifest specified. Validating the default manifest {manifest}"));
        Ok(vec![manifest.into()])
    }
}

/// How much is wrong with how many files.
fn totals(checked: &[Checked], files: usize) -> String {
    let errors: usize = checked.iter().map(|checked| checked.errors().count()).sum();
    let warnings = checked.iter().map(|checked| checked.diagnostics.len()).sum::<usize>() - errors;
    format!("{}, {} in {}\n", count(errors, "error"), count(warnings, "warning"), count(files, "file"))
}

/// A number with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The files as they were given. `MODULE/TEMPLATE` is a template of a module where there is one.
pub(crate) fn resolved(given: &[PathBuf], language: Language, settings: &SettingFlags) -> Result<Vec<PathBuf>, Issue> {
    if language == Language::Manifest || given.iter().all(|path| path.is_absolute()) {
        return Ok(given.to_vec());
    }
    let environment = settings.environment(RunMode::User, Some(""))?;
    let resolve = |path: &PathBuf| match path.to_str().and_then(|path| environment.find_template(path)) {
        Some(found) => found.into(),
        None => path.clone(),
    };
    Ok(given.iter().map(resolve).collect())
}

/// What is said about files that are not there.
pub(crate) fn not_there(missing: &[PathBuf]) -> String {
    let list: Vec<String> = missing.iter().map(|path| format!("   {}", path.display())).collect();
    format!("One or more file(s) specified did not exist:\n{}", list.join("\n"))
}

fn report_all(checked: &[Checked], format: Format, prefix: &str) -> Result<(), String> {
    match format {
        Format::Human | Format::Plain => {
            for checked in checked {
                report::show(checked, format, prefix);
            }
            Ok(())
        }
        Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {
            let findings: Vec<Finding<'_>> = checked.iter().flat_map(Checked::findings).collect();
            print(report::machine_readable(format, &findings))
        }
    }
}

/// The files to check, in a stable order.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) paths: Vec<PathBuf>,
    /// What was given and does not exist.
    pub(crate) missing: Vec<PathBuf>,
    /// The directories that cannot be read.
    pub(crate) unreadable: Vec<Checked>,
}

/// The files that are given, and those in the directories that are given.
pub(crate) fn find_files(given: &[PathBuf], language: Language, walk: &Walk) -> Found {
    let mut found = Found::default();
    let (extension, name) = match language {
        Language::Manifest => ("pp", "manifests"),
        Language::Template => ("epp", "templates"),
    };
    for path in given {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let walked = walk.files(path, &[extension]);
                if walked.files.is_empty() && walked.unreadable.is_empty() {
                    report::log("Warning", &format!("There are no {name} to look at in {}", path.display()));
                }
                found.paths.extend(walked.files);
                found.unreadable.extend(walked.unreadable.iter().map(|(path, error)| {
                    let name = path.display().to_string();
                    unreadable(&name, &name, error)
                }));
            }
            Ok(_) if walk.leaves_out(path) => {}
            Ok(_) => found.paths.push(path.clone()),
            Err(_) => found.missing.push(path.clone()),
        }
    }
    found
}

fn check_standard_input(language: Language, options: &ValidateOptions) -> Checked {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    let path = (language == Language::Template).then(|| "<stdin>".into());
    match read {
        Ok(_) => check_bytes("STDIN", path, bytes, language, options),
        Err(error) => unreadable("STDIN", "<stdin>", &error),
    }
}

fn check_file(path: &Path, language: Language, options: &ValidateOptions) -> Checked {
    // Puppet shows manifests by their absolute path, and templates as they were given.
    let shown = match language {
        Language::Manifest => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
        Language::Template => path.to_path_buf(),
    };
    let (name, shown) = (path.display().to_string(), shown.display().to_string());
    match Disk.read_path(path) {
        Ok(bytes) => check_bytes(&name, Some(shown.into()), bytes, language, options),
        Err(error) => unreadable(&name, &shown, &error),
    }
}

/// What is wrong with a file that cannot be read.
pub(crate) fn unreadable(name: &str, path: &str, error: &io::Error) -> Checked {
    let issue = Issue::new("UNREADABLE_FILE", format!("Could not read {path}: {}", bunraku::reason(error)));
    let source = Source::file(FileId(0), path, "");
    Checked { name: name.to_owned(), source, diagnostics: vec![issue.nowhere()], is_fatal: true }
}

fn check_bytes(
    name: &str,
    path: Option<ecow::EcoString>,
    bytes: Vec<u8>,
    language: Language,
    options: &ValidateOptions,
) -> Checked {
    let (source, broken) = Source::from_bytes(FileId(0), path, bytes);
    if let Some(diagnostic) = broken {
        return Checked { name: name.to_owned(), source, diagnostics: vec![diagnostic], is_fatal: true };
    }
    let (diagnostics, is_fatal) = check_source(&source, language, options.tasks, Some(options)).1;
    Checked { name: name.to_owned(), source, diagnostics, is_fatal }
}

/// Parses, as a plan where told or where its place says so, and, with options, validates: the tree, what is wrong, and whether that is a syntax error.
pub(crate) fn check_source(
    source: &Source,
    language: Language,
    tasks: bool,
    options: Option<&ValidateOptions>,
) -> (Parsed, (Vec<Diagnostic>, bool)) {
    let by_place = language == Language::Manifest && Grammar::of(source) == Grammar::PLAN;
    let tasks = tasks || by_place;
    let mut parsed = parse_as(source, Grammar { template: language == Language::Template, tasks });
    let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
    let is_fatal = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if let (false, Some(options)) = (is_fatal, options) {
        let options = ValidateOptions { tasks, ..options.clone() };
        diagnostics.extend(validate(source, &parsed.program, &options));
    }
    (parsed, (diagnostics, is_fatal))
}
