//! `parser validate` and `epp validate`: finds files, checks many of them at once, and reports in their order.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::hash::Hash;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::on_all_cores;
use crate::report::{self, Checked, Format};
use bunraku_syntax::{
    Diagnostic, FileId, Issue, Parsed, Severity, Source, Strict, ValidateOptions, parse, parse_epp, validate,
};
use clap::{Args, ValueEnum};

/// Which of the two languages to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Manifest,
    Template,
}

/// How strictly to look at what is wrong but harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrictSetting {
    /// Say nothing
    Off,
    /// Warn
    Warning,
    /// Refuse
    Error,
}

/// What both commands take.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to validate, and folders to search for them; standard input if there are none
    files: Vec<PathBuf>,
    /// How to show what is wrong
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// How strict to be, as Puppet's setting of the same name
    #[arg(long, value_enum, default_value = "error")]
    strict: StrictSetting,
}

impl Check {
    /// Validates and reports; the exit code is 1 if anything is wrong.
    pub(crate) fn run(&self, language: Language, prefix: &str, stop_early: bool) -> ExitCode {
        let format =
            self.format.unwrap_or_else(|| if io::stderr().is_terminal() { Format::Human } else { Format::Plain });
        let options = ValidateOptions {
            strict: match self.strict {
                StrictSetting::Off => Strict::Off,
                StrictSetting::Warning => Strict::Warning,
                StrictSetting::Error => Strict::Error,
            },
            ..ValidateOptions::default()
        };
        let (paths, missing) = find_files(&self.files, language);
        let mut checked: Vec<Checked> = if self.files.is_empty() {
            check_standard_input(language, &options).into_iter().collect()
        } else {
            // A source with nothing wrong has nothing to show; its text goes at once.
            let wrong = |checked: Checked| (!checked.diagnostics.is_empty()).then_some(checked);
            let checked = on_all_cores(&paths, |path| wrong(check_file(path, language, &options)));
            checked.into_iter().flatten().collect()
        };
        if stop_early && let Some(first) = checked.iter().position(Checked::has_errors) {
            checked.truncate(first + 1);
        }
        report_all(&checked, format, prefix);
        if !missing.is_empty() {
            let list: Vec<String> = missing.iter().map(|path| format!("   {}", path.display())).collect();
            report::log("Error", &format!("One or more file(s) specified did not exist:\n{}", list.join("\n")));
        }
        if missing.is_empty() && !checked.iter().any(Checked::has_errors) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

fn report_all(checked: &[Checked], format: Format, prefix: &str) {
    match format {
        Format::Human | Format::Plain => {
            for checked in checked {
                report::show(checked, format, prefix);
            }
        }
        Format::Json | Format::Sarif | Format::Github => {
            let mut out = io::stdout().lock();
            // A reader that goes away early is no error of ours.
            let _ = report::write_machine(format, checked, &mut out).and_then(|()| out.flush());
        }
    }
}

/// The files to check, in a stable order, and those that do not exist.
fn find_files(given: &[PathBuf], language: Language) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for path in given {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => find_in_folder(path, language, &mut found),
            Ok(_) => found.push(path.clone()),
            Err(_) => missing.push(path.clone()),
        }
    }
    (found, missing)
}

/// All files of a language in a folder, however deep. Links are followed, but no folder is entered twice.
fn find_in_folder(folder: &Path, language: Language, found: &mut Vec<PathBuf>) {
    let extension = match language {
        Language::Manifest => "pp",
        Language::Template => "epp",
    };
    let mut entered = HashSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let is_new = identity(&folder).is_ok_and(|identity| entered.insert(identity));
        let (true, Ok(entries)) = (is_new, std::fs::read_dir(&folder)) else {
            continue;
        };
        let mut entries: Vec<(OsString, bool)> = entries.filter_map(|entry| named(&entry.ok()?)).collect();
        entries.sort();
        let is_wanted = |name: &OsString| Path::new(name).extension().is_some_and(|found| found == extension);
        let files = entries.iter().filter(|(name, is_folder)| !is_folder && is_wanted(name));
        found.extend(files.map(|(name, _)| folder.join(name)));
        let inner = entries.iter().rev().filter(|(_, is_folder)| *is_folder);
        folders.extend(inner.map(|(name, _)| folder.join(name)));
    }
}

/// The name of an entry, and whether it is a folder. Only a link needs a second look at the disk.
fn named(entry: &DirEntry) -> Option<(OsString, bool)> {
    let kind = entry.file_type().ok()?;
    Some((entry.file_name(), kind.is_dir() || kind.is_symlink() && entry.path().is_dir()))
}

/// What a folder is, by whatever path it is reached.
#[cfg(unix)]
fn identity(folder: &Path) -> io::Result<impl Eq + Hash + use<>> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(folder).map(|folder| (folder.dev(), folder.ino()))
}

/// What a folder is, by whatever path it is reached.
#[cfg(not(unix))]
fn identity(folder: &Path) -> io::Result<impl Eq + Hash + use<>> {
    std::fs::canonicalize(folder)
}

fn check_standard_input(language: Language, options: &ValidateOptions) -> Option<Checked> {
    if io::stdin().is_terminal() {
        anstream::eprintln!("Notice: No file specified. No action taken");
        return None;
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    let path = (language == Language::Template).then(|| "<stdin>".into());
    Some(match read {
        Ok(_) => check_bytes(path, bytes, language, options),
        Err(error) => unreadable("<stdin>", &error),
    })
}

fn check_file(path: &Path, language: Language, options: &ValidateOptions) -> Checked {
    // Puppet shows manifests by their absolute path, and templates as they were given.
    let shown = match language {
        Language::Manifest => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
        Language::Template => path.to_path_buf(),
    };
    let shown = shown.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => check_bytes(Some(shown.into()), bytes, language, options),
        Err(error) => unreadable(&shown, &error),
    }
}

fn unreadable(path: &str, error: &io::Error) -> Checked {
    let issue = Issue::new("UNREADABLE_FILE", format!("Could not read {path}: {error}"));
    Checked { source: Source::file(FileId(0), path, ""), diagnostics: vec![issue.nowhere()], is_fatal: true }
}

fn check_bytes(
    path: Option<ecow::EcoString>,
    bytes: Vec<u8>,
    language: Language,
    options: &ValidateOptions,
) -> Checked {
    let (source, broken) = Source::from_bytes(FileId(0), path, bytes);
    if let Some(diagnostic) = broken {
        return Checked { source, diagnostics: vec![diagnostic], is_fatal: true };
    }
    let (diagnostics, is_fatal) = check_source(&source, language, Some(options)).1;
    Checked { source, diagnostics, is_fatal }
}

/// Parses and, with options, validates: the tree, what is wrong, and whether that is a syntax error.
pub(crate) fn check_source(
    source: &Source,
    language: Language,
    options: Option<&ValidateOptions>,
) -> (Parsed, (Vec<Diagnostic>, bool)) {
    let mut parsed = match language {
        Language::Manifest => parse(source),
        Language::Template => parse_epp(source),
    };
    let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
    let is_fatal = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if let (false, Some(options)) = (is_fatal, options) {
        diagnostics.extend(validate(source, &parsed.program, options));
    }
    (parsed, (diagnostics, is_fatal))
}
