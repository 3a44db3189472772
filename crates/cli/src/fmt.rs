//! `fmt`: lays manifests out in the one style, many at once; a file that does not parse is left alone.

mod editorconfig;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bunraku::render::Checked;
use bunraku::syntax::{FileId, Issue, Source};
use bunraku::{Disk, whole_file};
use bunraku_format::{Failure, Lines, Quotes, Style, format, format_lines};
use clap::{Args, ValueEnum};
use similar::TextDiff;

use crate::check::{self, Found, Language};
use crate::configuration::{Configuration, Given};
use crate::on_all_cores;
use crate::output::{on_terminal, print, tell};
use crate::report::{self, Format};
use crate::walk::Selection;

/// The exit code where something would change.
const WOULD_CHANGE: u8 = 1;
/// The exit code where something could not be laid out.
const FAILED: u8 = 2;

/// Lay manifests out in the one style and print the names of those that changed
///
/// Line breaks are the author's, white space inside a line is not. Exit code 0 if all is well, 1 with --check if something
/// would change, 2 if a file could not be read, does not parse or could not be written; such files are left alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku fmt manifests\n  bunraku fmt --check --diff .\n  \
                        bunraku fmt - --stdin-filename init.pp < init.pp\n  bunraku fmt --lines 10:20 init.pp")]
pub(crate) struct Fmt {
    /// Files, and directories to search for manifests; `-` for standard input [default: the current directory]
    paths: Vec<PathBuf>,
    /// Write nothing, and end with exit code 1 if something would change
    #[arg(long)]
    check: bool,
    /// Write nothing, and show what would change
    #[arg(long)]
    diff: bool,
    /// Lay out only the statements on these lines, of a single file
    #[arg(long, value_name = "FIRST:LAST", value_parser = lines)]
    lines: Option<Lines>,
    /// How many blanks a step of indentation has [default: `indent_size` of .editorconfig, or 2]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=16))]
    indent: Option<u32>,
    /// What becomes of double quotes that are not needed [default: single]
    #[arg(long, value_name = "CHOICE")]
    quotes: Option<QuotesChoice>,
    /// What standard input is called in messages and settings
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<String>,
    #[command(flatten)]
    selection: Selection,
}

/// What becomes of double quotes that are not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum QuotesChoice {
    /// They become single quotes
    Single,
    /// They stay
    Keep,
}

/// What was chosen, by flags or in files of settings.
struct Choices {
    indent: Option<u32>,
    quotes: Quotes,
    exclude: Vec<String>,
    configuration: Configuration,
}

impl Choices {
    /// The style of a file.
    fn style(&self, path: &Path) -> Style {
        let indent = self.indent.or_else(|| editorconfig::indent_size(path));
        Style { indent: indent.unwrap_or(Style::default().indent), quotes: self.quotes }
    }
}

/// Reads `FIRST:LAST`, or a single line.
fn lines(given: &str) -> Result<Lines, String> {
    let (first, last) = given.split_once(':').unwrap_or((given, given));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(Lines { first, last }),
        _ => Err("expected FIRST:LAST, two line numbers from 1".to_owned()),
    }
}

/// What became of one source.
enum Outcome {
    Same,
    /// It has another layout than it should have.
    Changed {
        old: String,
        new: String,
    },
    /// Why it is left alone.
    Failed(Box<Checked>),
}

impl Fmt {
    pub(crate) fn run(&self) -> ExitCode {
        let choices = match Configuration::load() {
            Ok(configuration) => self.choices(configuration),
            Err(refused) => {
                refused.show();
                return ExitCode::from(FAILED);
            }
        };
        match self.paths.as_slice() {
            [path] if path == Path::new("-") => self.filter(&choices),
            _ => self.rewrite(&choices),
        }
    }

    /// What holds: flags before settings.
    fn choices(&self, configuration: Configuration) -> Choices {
        let configured = |name: &str| configuration.value("fmt", name);
        let indent = match configured("indent") {
            Some(Given::Number(number)) => u32::try_from(number).ok(),
            _ => None,
        };
        let keeps = match self.quotes {
            Some(choice) => choice == QuotesChoice::Keep,
            None => configured("quotes") == Some(Given::String("keep".to_owned())),
        };
        let exclude = match configured("exclude") {
            Some(Given::Strings(patterns)) => patterns,
            _ => Vec::new(),
        };
        let quotes = if keeps { Quotes::Keep } else { Quotes::Single };
        Choices { indent: self.indent.or(indent), quotes, exclude, configuration }
    }

    /// Lays out standard input.
    fn filter(&self, choices: &Choices) -> ExitCode {
        let name = self.stdin_filename.as_deref().unwrap_or("<stdin>");
        let mut bytes = Vec::new();
        let outcome = match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => {
                self.lay_out(name, bytes, &choices.style(Path::new(self.stdin_filename.as_deref().unwrap_or("."))))
            }
            Err(error) => Outcome::Failed(Box::new(check::unreadable(name, name, &error))),
        };
        let (text, code) = match outcome {
            Outcome::Failed(checked) => return fail(&[*checked]),
            Outcome::Same => (String::new(), 0),
            Outcome::Changed { old, new } => self.shown(name, &old, new),
        };
        finish(&text, code)
    }

    /// What to print of standard input, and the exit code.
    fn shown(&self, name: &str, old: &str, new: String) -> (String, u8) {
        let code = if self.check && old != new { WOULD_CHANGE } else { 0 };
        match (self.diff, self.check) {
            (true, _) => (diff(name, old, &new), code),
            (false, true) => (String::new(), code),
            (false, false) => (new, code),
        }
    }

    /// Lays out files.
    fn rewrite(&self, choices: &Choices) -> ExitCode {
        let here = [PathBuf::from(".")];
        let walk = match self.selection.walk() {
            Ok(walk) => walk,
            Err(reason) => {
                report::log("Error", &reason);
                return ExitCode::from(FAILED);
            }
        };
        let given = if self.paths.is_empty() { &here } else { self.paths.as_slice() };
        let Found { mut paths, missing, unreadable } = check::find_files(given, Language::Manifest, &walk);
        paths.retain(|path| !choices.configuration.is_like(&shown_path(path), &choices.exclude));
        if self.lines.is_some() && paths.len() != 1 {
            report::log("Error", "--lines needs a single file");
            return ExitCode::from(FAILED);
        }
        let outcomes = on_all_cores(&paths, |path| self.rewrite_file(path, choices));
        let (mut text, mut failed, mut changed) = (String::new(), unreadable, 0);
        for (path, outcome) in paths.iter().zip(outcomes) {
            let name = shown_path(path);
            match outcome {
                Outcome::Same => {}
                Outcome::Failed(checked) => failed.push(*checked),
                Outcome::Changed { old, new } => {
                    changed += 1;
                    text += &if self.diff { diff(&name, &old, &new) } else { format!("{name}\n") };
                }
            }
        }
        let code = if self.check && changed > 0 { WOULD_CHANGE } else { 0 };
        let code = finish(&text, code);
        if on_terminal() && !paths.is_empty() {
            let what = if self.check || self.diff { "would change" } else { "changed" };
            tell(format_args!("{changed} of {} {what}\n", check::count(paths.len(), "file")));
        }
        if !missing.is_empty() {
            report::log("Error", &check::not_there(&missing));
            failed.iter().for_each(show);
            return ExitCode::from(FAILED);
        }
        if failed.is_empty() { code } else { fail(&failed) }
    }

    fn rewrite_file(&self, path: &Path, choices: &Choices) -> Outcome {
        let name = shown_path(path);
        let failed = |error: &io::Error| Outcome::Failed(Box::new(check::unreadable(&name, &name, error)));
        let outcome = match Disk.read_path(path) {
            Ok(bytes) => self.lay_out(&name, bytes, &choices.style(path)),
            Err(error) => return failed(&error),
        };
        if let Outcome::Changed { new, .. } = &outcome
            && !self.check
            && !self.diff
            && let Err(error) = whole_file::rewrite(path, new.as_bytes())
        {
            let issue = Issue::new("UNWRITABLE_FILE", format!("Could not write {name}: {}", bunraku::reason(&error)));
            return Outcome::Failed(Box::new(fault(&name, String::new(), issue)));
        }
        outcome
    }

    fn lay_out(&self, name: &str, bytes: Vec<u8>, style: &Style) -> Outcome {
        let (source, broken) = Source::from_bytes(FileId(0), Some(name.into()), bytes);
        if let Some(diagnostic) = broken {
            let diagnostics = vec![diagnostic];
            return Outcome::Failed(Box::new(Checked { name: name.to_owned(), source, diagnostics, is_fatal: true }));
        }
        let result = match self.lines {
            Some(lines) => format_lines(&source, lines, style),
            None => format(&source, style),
        };
        match result {
            Ok(new) if new == source.text && !self.is_filter() => Outcome::Same,
            Ok(new) => Outcome::Changed { old: source.text, new },
            Err(Failure::Syntax(diagnostics)) => {
                Outcome::Failed(Box::new(Checked { name: name.to_owned(), source, diagnostics, is_fatal: true }))
            }
            Err(Failure::Template) => {
                let issue = Issue::new("TEMPLATE", format!("{name} is a template, which is left alone"));
                Outcome::Failed(Box::new(fault(name, source.text, issue)))
            }
            Err(Failure::Meaning) => {
                let message =
                    format!("{name} is left alone, for its new layout would mean something else: please report it");
                Outcome::Failed(Box::new(fault(name, source.text, Issue::new("CHANGED_MEANING", message))))
            }
        }
    }

    /// Whether standard input goes to standard output, changed or not.
    fn is_filter(&self) -> bool {
        self.paths.first().is_some_and(|path| path == Path::new("-")) && self.paths.len() == 1
    }
}

fn fault(name: &str, text: String, issue: Issue) -> Checked {
    let source = Source::file(FileId(0), name, text);
    Checked { name: name.to_owned(), source, diagnostics: vec![issue.nowhere()], is_fatal: true }
}

/// A path as it was given, without what leads nowhere.
fn shown_path(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

fn diff(name: &str, old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().header(name, name).to_string()
}

fn show(checked: &Checked) {
    let format = if on_terminal() { Format::Human } else { Format::Plain };
    report::show(checked, format, "");
}

fn fail(failed: &[Checked]) -> ExitCode {
    failed.iter().for_each(show);
    ExitCode::from(FAILED)
}

fn finish(text: &str, code: u8) -> ExitCode {
    match print(text) {
        Ok(()) => ExitCode::from(code),
        Err(message) => {
            report::log("Error", &message);
            ExitCode::from(FAILED)
        }
    }
}
