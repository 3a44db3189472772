//! What of an environment needs Ruby, read from its code and configuration without running anything.

mod backends;
mod calls;
mod resource_types;
mod stand_ins;

use std::fmt;

use bunraku_environment::Environment;
use bunraku_environment::ruby_files::RubyFile;
use bunraku_environment::world::{glob, join};
use bunraku_ruby::forecast::{self, Reason};
use bunraku_syntax::{FileId, Grammar, Source, parse_as};
use ecow::{EcoString, eco_format};

use crate::Library;
pub use resource_types::{RubyType, setting_type};
pub use stand_ins::{StandIn, Way};

/// Something that needs Ruby, and where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// What it is.
    pub kind: NeedKind,
    /// The name of the template or function; of a template that only a running program knows, the expression.
    pub name: EcoString,
    /// Who uses it, such as `class apache`.
    pub user: EcoString,
    /// The file in which it is used.
    pub file: EcoString,
    /// The line.
    pub line: u32,
    /// What the interpreter does not have, and where that is; nothing if it is not known before the program runs.
    pub reason: Option<EcoString>,
}

/// Why Ruby is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NeedKind {
    /// A template in ERB is rendered.
    Template,
    /// A function written in Ruby is called.
    Function,
    /// Data comes from a function written in Ruby.
    Backend,
}

impl fmt::Display for NeedKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NeedKind::Template => "template",
            NeedKind::Function => "function",
            NeedKind::Backend => "backend",
        })
    }
}

/// What an environment needs Ruby for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Every use, file by file.
    pub needs: Vec<Need>,
    /// The functions of modules that are called and have native functions that may stand in for them, by name.
    pub stand_ins: Vec<StandIn>,
    /// The resource types that are declared and applied by Ruby, by name.
    pub ruby_types: Vec<RubyType>,
    /// Files that could not be read, and why.
    pub unreadable: Vec<String>,
}

/// Reads all manifests, functions, templates and Hiera configurations of an environment. `has_ruby` says whether there is a Ruby.
pub fn report(environment: &Environment, library: &Library, has_ruby: bool) -> Report {
    let mut report = Report::default();
    let search = calls::Search { environment, library, has_ruby };
    match environment.main() {
        Ok(manifests) => {
            for code in manifests {
                if let Some(source) = environment.source(code.id) {
                    search.read(source, &code.program, &mut report);
                }
            }
        }
        Err(issue) => report.unreadable.push(issue.to_string()),
    }
    let directories = environment.directory.iter().chain(environment.modules().map(|module| &module.path));
    for directory in directories {
        backends::read(environment, library, &join(directory, "hiera.yaml"), &mut report);
        for pattern in ["manifests/**/*.pp", "functions/**/*.pp", "templates/**/*.epp"] {
            // The manifests of the environment itself are the main ones.
            if Some(directory) != environment.directory.as_ref() || !pattern.starts_with("manifests") {
                match glob(environment.world(), &join(directory, pattern)) {
                    Ok(paths) => paths.iter().for_each(|path| search.read_file(path, &mut report)),
                    Err(issue) => report.unreadable.push(issue.to_string()),
                }
            }
        }
    }
    if let Ok(path) = environment.settings.text("hiera_config") {
        backends::read(environment, library, &path, &mut report);
    }
    report.ruby_types.sort_by(|first, second| first.name.cmp(&second.name));
    report.stand_ins.sort_by(|first, second| first.name.cmp(&second.name));
    report.unreadable.extend(environment.fault().map(ToString::to_string));
    report
}

impl calls::Search<'_> {
    fn read_file(&self, path: &str, report: &mut Report) {
        let text = match self.environment.world().read_text(path) {
            Ok(text) => text,
            Err(error) => return report.unreadable.push(format!("{path}: {}", bunraku_diagnostic::reason(&error))),
        };
        let source = Source::file(FileId(0), path, text);
        let parsed = parse_as(&source, Grammar::of(&source));
        if let Some(error) = parsed.first_error() {
            let line = error.span().map_or(1, |span| source.line_column(span.start).0);
            return report.unreadable.push(format!("{path}:{line}: {}", error.issue));
        }
        self.read(&source, &parsed.program, report);
    }
}

/// Why a function that is written in Ruby cannot do without it.
fn ruby_function(name: &str, environment: &Environment, library: &Library) -> Option<EcoString> {
    let name = name.trim_start_matches("::");
    let file = own_file(name, environment, library)?;
    let reason = ruby_reason(file, environment)?;
    library.stand_in(name, environment).is_none().then(|| shown(&reason, &file.path))
}

/// A reason with its place.
fn shown(reason: &Reason, path: &str) -> EcoString {
    eco_format!("{} ({path}:{})", reason.what, reason.line)
}

/// The Ruby file that a function of a module comes from: not one of the language, and not written in Puppet.
fn own_file<'e>(name: &str, environment: &'e Environment, library: &Library) -> Option<&'e RubyFile> {
    let is_of_language = library.get(name).is_some_and(|native| native.function.module.is_none());
    let in_puppet = || {
        let (module, rest) = name.split_once("::")?;
        let path = format!("functions/{}.pp", rest.replace("::", "/"));
        Some(environment.world().is_file(&join(&environment.module(module)?.path, &path)))
    };
    let file = environment.ruby_files().any_function(name)?;
    (!is_of_language && in_puppet() != Some(true)).then_some(file)
}

fn ruby_reason(file: &RubyFile, environment: &Environment) -> Option<Reason> {
    let text = environment.world().read_text(&file.path).ok()?;
    forecast::of_file(&text)
}
