//! `lint`: checks of style and of frequent mistakes, in place of `puppet-lint`, with its options, output and exit codes.

mod baseline;
mod code_climate;
mod diagnostics;
mod files;
mod json;
mod log_format;
mod options;
mod sarif;
mod shown;
mod text;

use std::path::Path;
use std::process::ExitCode;

use baseline::Baseline;
use bunraku::whole_file;
use bunraku_lint::{Kind, Problem, listed};
use clap::Args;
use files::Linted;
pub(crate) use files::matches;
use options::Options;
use shown::Shown;

use crate::configuration::Configuration;
use crate::output::{print, print_styled, tell};
use crate::report::{self, Format};

/// What `--help` says.
const USAGE: &str = include_str!("lint/usage.txt");

/// Check style and frequent mistakes, in place of puppet-lint and its plugins; a link named `puppet-lint` does the same
#[derive(Debug, Args)]
#[command(
    long_about = USAGE,
    after_help = "Examples:\n  bunraku lint manifests\n  bunraku lint --fix --only-checks trailing_comma init.pp\n  \
                  bunraku lint --format sarif manifests > lint.sarif"
)]
pub(crate) struct Lint {
    /// Options, then files, or a directory to search for manifests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Lint {
    pub(crate) fn run(&self) -> ExitCode {
        run(&self.arguments)
    }
}

/// Runs the command before its arguments are read like those of others: its options are those of puppet-lint, which are not
/// written like those of Puppet.
pub(crate) fn run_if_asked_for() -> Option<ExitCode> {
    let mut given = std::env::args_os();
    let program = given.next()?;
    let is_by_name = Path::new(&program).file_stem().is_some_and(|name| name == "puppet-lint");
    if !is_by_name && given.next()? != "lint" {
        return None;
    }
    let arguments: Vec<String> = given.map(|it| it.to_string_lossy().into_owned()).collect();
    let wants_help = arguments.iter().any(|it| it == "--help" || it == "-h");
    match (wants_help, is_by_name) {
        (false, _) => Some(run(&arguments)),
        (true, true) => Some(finish(print(USAGE), 0)),
        (true, false) => None,
    }
}

/// Runs the command with these arguments.
fn run(arguments: &[String]) -> ExitCode {
    let current_dir = std::env::current_dir().map(|it| it.display().to_string()).unwrap_or_default();
    let configuration = match arguments.iter().any(|argument| argument == "--no-config") {
        true => Configuration::default(),
        false => match Configuration::load() {
            Ok(configuration) => configuration,
            Err(refused) => return refused.show(),
        },
    };
    match Options::read(arguments, current_dir, configuration) {
        Err(problem) => finish(print(usage(&problem)), 1),
        Ok(options) if options.version => finish(print(format!("bunraku {}\n", env!("CARGO_PKG_VERSION"))), 0),
        Ok(options) if options.list_checks => {
            finish(print(listed().map(|rule| format!("{}\n", rule.name)).collect::<String>()), 0)
        }
        Ok(options) if options.paths.is_empty() => finish(print(usage("no file specified")), 1),
        Ok(options) => {
            let is_styled = options.format == Some(Format::Human);
            let (text, code) = lint(options);
            finish(if is_styled { print_styled(text) } else { print(text) }, code)
        }
    }
}

/// The exit code, unless the result could not be written.
fn finish(printed: Result<(), String>, code: u8) -> ExitCode {
    match printed {
        Ok(()) => ExitCode::from(code),
        Err(message) => {
            report::log("Error", &message);
            ExitCode::FAILURE
        }
    }
}

fn usage(problem: &str) -> String {
    format!("puppet-lint: {problem}\npuppet-lint: try 'puppet-lint --help' for more information\n")
}

/// Lints all files; what to show, and the exit code.
fn lint(mut options: Options) -> (String, u8) {
    options.warnings.iter().for_each(|warning| tell(format!("{warning}\n")));
    let mut paths = files::asked_for(&options);
    options.with_filename |= paths.len() > 1;
    paths.retain(|path| !files::is_ignored(path, &options));
    let mut linted = files::lint(&paths, &options);
    // The files after one that cannot be read are not looked at.
    let failed = linted.iter().position(|file| file.failure.is_some());
    let failure = failed.and_then(|at| linted.drain(at..).next()?.failure);
    for file in &linted {
        file.report.warnings.iter().for_each(|warning| tell(format!("{warning}\n")));
        if file.report.has_syntax_error() {
            tell("Try running `puppet parser validate <file>`\n");
        }
    }
    if let Err(problem) = pass_over(&mut linted, &options) {
        return (usage(&problem), 1);
    }
    let fails = |it: &Problem| it.kind == Kind::Error || it.kind == Kind::Warning && options.fail_on_warnings;
    let has_failed = linted.iter().flat_map(|file| &file.report.problems).any(fails);
    let mut shown = show(&linted, &options);
    let mut code = u8::from(has_failed || failure.is_some());
    if let Some(failure) = failure {
        shown += &usage(&failure);
    }
    if let Some(path) = &options.code_climate_report {
        let problems: Vec<Shown<'_>> = visible(&linted, &options).into_iter().flatten().collect();
        if let Err(error) = whole_file::write(path, &code_climate::code_climate(&problems)) {
            shown += &usage(&format!("could not write {}: {}", path.display(), bunraku::reason(&error)));
            code = 1;
        }
    }
    (shown, code)
}

/// Writes down the findings, or passes over those that are written down.
fn pass_over(linted: &mut [Linted], options: &Options) -> Result<(), String> {
    match (&options.baseline, options.write_baseline) {
        (given, true) => {
            let path = given.as_deref().unwrap_or(Path::new(baseline::NAME));
            let count = Baseline::of(linted, path).write(path)?;
            tell(format!("{} has {count} findings\n", path.display()));
            Baseline::read(path)?.apply(linted, path);
        }
        (Some(path), false) => {
            let gone = Baseline::read(path)?.apply(linted, path);
            if gone > 0 {
                tell(format!("{gone} findings of {} are gone: --write-baseline writes it anew\n", path.display()));
            }
        }
        (None, false) => {}
    }
    Ok(())
}

/// The problems of each file that are to be shown.
fn visible<'a>(files: &'a [Linted], options: &'a Options) -> Vec<Vec<Shown<'a>>> {
    let is_shown = |it: &&Problem| match it.kind {
        Kind::Ignored => options.show_ignored && options.error_level == "all",
        Kind::Fixed => true,
        kind => options.error_level == "all" || options.error_level == kind.to_string(),
    };
    let current_dir = options.settings.current_dir.as_str();
    let of_file = |file: &'a Linted| {
        file.report.problems.iter().filter(is_shown).map(move |problem| Shown { problem, file, current_dir }).collect()
    };
    files.iter().map(of_file).collect()
}

fn show(files: &[Linted], options: &Options) -> String {
    let visible = visible(files, options);
    let all = || visible.iter().flatten().copied();
    if options.json {
        return json::json(&visible, options.with_context);
    }
    if options.sarif {
        let first = options.paths.first().map_or("", String::as_str);
        return sarif::sarif(&all().collect::<Vec<_>>(), first, &options.settings.current_dir);
    }
    match options.format {
        Some(format) if format != Format::Plain => diagnostics::diagnostics(&visible, format),
        _ => all().map(|shown| text::text(shown, options)).collect(),
    }
}
