//! `lint`: checks of style and of frequent mistakes, in place of `puppet-lint`, with its options, output and exit codes.

mod options;

use std::path::Path;
use std::process::ExitCode;

use bunraku::whole_file;
use bunraku_lint::{Fixed, Kind, Problem, RULES, Report, check, fix};
use clap::Args;
use options::Options;

use crate::on_all_cores;
use crate::output::{print, tell};
use crate::report;

/// Checks style and frequent mistakes, in place of puppet-lint and its plugins
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bunraku lint manifests\n  bunraku lint --fix --only-checks trailing_comma init.pp\n  bunraku lint --list-checks"
)]
pub(crate) struct Lint {
    /// Options of puppet-lint, then files, or a directory to search for manifests
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// What became of one file.
struct Linted {
    path: String,
    report: Report,
    text: String,
    /// Why it could not be read or written.
    failure: Option<String>,
}

impl Lint {
    pub(crate) fn run(&self) -> ExitCode {
        run(&self.arguments)
    }
}

/// Runs the command before its arguments are read like those of others: its options are those of puppet-lint, which are not
/// written like those of Puppet.
pub(crate) fn run_if_asked_for() -> Option<ExitCode> {
    let mut given = std::env::args_os().skip(1);
    if given.next()? != "lint" {
        return None;
    }
    let arguments: Vec<String> = given.map(|it| it.to_string_lossy().into_owned()).collect();
    let wants_help = arguments.iter().any(|it| it == "--help" || it == "-h");
    (!wants_help).then(|| run(&arguments))
}

/// Runs the command with these arguments.
fn run(arguments: &[String]) -> ExitCode {
    let current_dir = std::env::current_dir().map(|it| it.display().to_string()).unwrap_or_default();
    let (text, code) = match Options::read(arguments, current_dir) {
        Err(problem) => (usage(&problem), 1),
        Ok(options) if options.version => (format!("bunraku {}\n", env!("CARGO_PKG_VERSION")), 0),
        Ok(options) if options.list_checks => (RULES.iter().map(|rule| format!("{}\n", rule.name)).collect(), 0),
        Ok(options) if options.paths.is_empty() => (usage("no file specified"), 1),
        Ok(options) => lint(options),
    };
    match print(text) {
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
    let paths = match options.paths.first().filter(|first| Path::new(first).is_dir()) {
        Some(directory) => manifests(directory),
        None => options.paths.clone(),
    };
    options.with_filename |= paths.len() > 1;
    let paths: Vec<String> =
        paths.into_iter().filter(|path| !options.ignore_paths.iter().any(|it| matches(it, path))).collect();
    let linted = on_all_cores(&paths, |path| lint_file(path, &options));
    let (mut shown, mut code, mut json) = (String::new(), 0, Vec::new());
    for file in linted {
        if let Some(failure) = &file.failure {
            shown += &usage(failure);
            code = 1;
            break;
        }
        let problems = &file.report.problems;
        let fails = |it: &Problem| it.kind == Kind::Error || it.kind == Kind::Warning && options.fail_on_warnings;
        code |= u8::from(problems.iter().any(fails));
        for warning in &file.report.warnings {
            tell(format!("{warning}\n"));
        }
        let is_shown = |it: &&Problem| match it.kind {
            Kind::Ignored => options.show_ignored && options.error_level == "all",
            Kind::Fixed => true,
            kind => options.error_level == "all" || options.error_level == kind.to_string(),
        };
        let visible: Vec<&Problem> = problems.iter().filter(is_shown).collect();
        if options.json {
            json.push(visible.iter().map(|it| as_json(it, &file, &options)).collect::<Vec<_>>());
        } else {
            visible.iter().for_each(|it| shown += &as_text(it, &file, &options));
        }
        if file.report.has_syntax_error() {
            tell("Try running `puppet parser validate <file>`\n");
        }
    }
    if options.json {
        // Ruby's way to write an empty list.
        let text = serde_json::to_string_pretty(&json).unwrap_or_default();
        shown = text.replace("  []", "  [\n\n  ]") + "\n" + &shown;
    }
    (shown, code)
}

fn lint_file(path: &str, options: &Options) -> Linted {
    let missing = "no file specified or specified file does not exist".to_owned();
    let failed = |failure| Linted {
        path: path.to_owned(),
        report: Report::default(),
        text: String::new(),
        failure: Some(failure),
    };
    let Ok(bytes) = std::fs::read(path) else { return failed(missing) };
    // A compiled SELinux policy has the same extension.
    let is_policy = bytes.starts_with(&[0x8f, 0xff, 0x7c, 0xf9]);
    let text = if is_policy { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
    let is_text = is_policy || text.len() == bytes.len();
    let is_data = [".yaml", ".yml"].iter().any(|it| path.to_lowercase().ends_with(it));
    let (report, failure) = if is_data {
        (Report::default(), None)
    } else if options.fix && is_text {
        let Fixed { report, text } = fix(&text, path, &options.settings);
        let written = text.map_or(Ok(()), |text| whole_file::write(Path::new(path), &text));
        (report, written.err().map(|error| format!("could not write {path}: {error}")))
    } else {
        (check(&text, path, &options.settings), None)
    };
    Linted { path: path.to_owned(), report, text, failure }
}

/// All manifests below a directory, then all data files.
fn manifests(directory: &str) -> Vec<String> {
    let (mut manifests, mut data) = (Vec::new(), Vec::new());
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{directory}/{name}");
            if name.starts_with('.') {
                continue;
            } else if entry.file_type().is_ok_and(|it| it.is_dir()) {
                directories.push(path);
            } else if name.ends_with(".pp") {
                manifests.push(path);
            } else if name.ends_with(".yaml") || name.ends_with(".yml") {
                data.push(path);
            }
        }
    }
    manifests.sort();
    data.sort();
    manifests.into_iter().chain(data).collect()
}

/// Whether a path is like a pattern, in which `*` stands for anything and `?` for one character.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<char>, Vec<char>) =
        (pattern.replace("**/", "*").chars().collect(), path.chars().collect());
    let (mut p, mut s, mut star) = (0, 0, None);
    while let Some(letter) = path.get(s) {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, s));
                p += 1;
            }
            Some(wanted) if wanted == letter || *wanted == '?' => (p, s) = (p + 1, s + 1),
            _ => match &mut star {
                Some((at, from)) => {
                    *from += 1;
                    (p, s) = (*at + 1, *from);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|it| *it == '*')
}

/// The values that a log format may name.
fn named(problem: &Problem, file: &Linted, options: &Options, name: &str) -> Option<String> {
    Some(match name {
        "message" => problem.message.to_string(),
        "line" => problem.line.to_string(),
        "column" => problem.column.to_string(),
        "kind" => problem.kind.to_string(),
        "KIND" => problem.kind.to_string().to_uppercase(),
        "check" => problem.check.to_owned(),
        "path" => file.path.clone(),
        "fullpath" if file.path.starts_with('/') => file.path.clone(),
        "fullpath" => format!("{}/{}", options.settings.current_dir, file.path),
        "filename" => file.path.rsplit('/').next().unwrap_or_default().to_owned(),
        _ => return None,
    })
}

fn as_text(problem: &Problem, file: &Linted, options: &Options) -> String {
    let format = match (options.log_format.as_str(), options.with_filename) {
        ("", false) => "%{KIND}: %{message} on line %{line} (check: %{check})",
        ("", true) => "%{path} - %{KIND}: %{message} on line %{line} (check: %{check})",
        (given, _) => given,
    };
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text += before;
        let placeholder = placeholder(after);
        match placeholder
            .and_then(|(name, width, left, length)| Some((named(problem, file, options, name)?, width, left, length)))
        {
            Some((value, width, true, length)) => {
                text += &format!("{value:<width$}");
                rest = after.get(length..).unwrap_or_default();
            }
            Some((value, width, false, length)) => {
                text += &format!("{value:>width$}");
                rest = after.get(length..).unwrap_or_default();
            }
            None => {
                text.push('%');
                rest = after.strip_prefix('%').unwrap_or(after);
            }
        }
    }
    text += rest;
    text.push('\n');
    if problem.kind == Kind::Ignored {
        text += &format!("  {}\n", problem.reason.as_deref().unwrap_or_default());
    }
    if options.with_context && problem.kind != Kind::Fixed {
        let line = file.text.split('\n').nth(problem.line.saturating_sub(1) as usize).unwrap_or_default();
        let indent = line.chars().take_while(|it| it.is_whitespace()).count();
        let column = (problem.column as usize).saturating_sub(indent) + 2;
        text += &format!("\n  {}\n{:>column$}\n\n", line.trim(), "^");
    }
    if std::env::var_os("GITHUB_ACTION").is_some() {
        let message = problem.message.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D");
        let Problem { kind, line, column, check, .. } = problem;
        text += &format!("\n::{kind} file={},line={line},col={column}::{message} (check: {check})\n", file.path);
    }
    text
}

/// `{name}`, or `-10<name>s`: the name, the width, whether it is padded on the right, and the length of it all.
fn placeholder(text: &str) -> Option<(&str, usize, bool, usize)> {
    if let Some(inside) = text.strip_prefix('{') {
        let name = inside.split_once('}')?.0;
        return Some((name, 0, true, name.len() + 2));
    }
    let (flags, inside) = text.split_once('<')?;
    let (name, after) = inside.split_once('>')?;
    after.starts_with(['s', 'd']).then_some(())?;
    let width = flags.trim_start_matches('-');
    let width = if width.is_empty() { 0 } else { width.parse::<u16>().ok()?.into() };
    Some((name, width, flags.starts_with('-'), flags.len() + name.len() + 3))
}

fn as_json(problem: &Problem, file: &Linted, options: &Options) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    for key in ["message", "line", "column", "kind", "check", "fullpath", "path", "filename"] {
        let value = match key {
            "line" => problem.line.into(),
            "column" => problem.column.into(),
            key => named(problem, file, options, key).into(),
        };
        object.insert(key.to_owned(), value);
    }
    if let Some(reason) = &problem.reason {
        object.insert("reason".to_owned(), reason.clone().into());
    }
    object.insert("KIND".to_owned(), problem.kind.to_string().to_uppercase().into());
    if options.with_context {
        let line = file.text.split('\n').nth(problem.line.saturating_sub(1) as usize).unwrap_or_default();
        object.insert("context".to_owned(), line.trim().into());
    }
    object.into()
}
