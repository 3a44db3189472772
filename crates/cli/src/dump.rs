//! `parser dump` and `epp dump`: prints syntax trees.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use bunraku::render::Checked;
use bunraku::syntax::{FileId, Issue, Source, ValidateOptions, dump, pn};
use bunraku::{Disk, RunMode};
use clap::{Args, ValueEnum};

use crate::check::{Language, check_source, not_there, resolved};
use crate::output::print;
use crate::report::{self, Format};
use crate::settings::SettingFlags;

/// The forms in which trees are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// The oldest form
    Old,
    /// S-expressions
    Pn,
    /// S-expressions as JSON
    Json,
}

/// What both commands take.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Dump {
    /// Files to dump; standard input if there are none
    files: Vec<PathBuf>,
    /// Dumps this code instead of files
    #[arg(short, long = "e", value_name = "SOURCE")]
    e: Option<String>,
    /// The form of the tree
    #[arg(long, value_enum, default_value = "old")]
    format: TreeFormat,
    /// Lays the tree out on many lines; not for the old form
    #[arg(long)]
    pretty: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

impl Dump {
    /// Prints the trees. As with Puppet, broken code is logged and does not change the exit code.
    pub(crate) fn run(&self, language: Language, validate: bool, header: Header) -> ExitCode {
        self.print(language, validate, header).map_or_else(
            |issue| match language {
                Language::Manifest => report::refuse("parser dump", issue.message()),
                Language::Template => report::refuse("epp dump", issue.message()),
            },
            |()| ExitCode::SUCCESS,
        )
    }

    fn print(&self, language: Language, validate: bool, header: Header) -> Result<(), Issue> {
        let settings = self.settings.load(RunMode::User)?;
        let (strict, tasks) = (settings.strict()?, settings.boolean("tasks")?);
        let options = validate.then(|| ValidateOptions { strict, ..ValidateOptions::default() });
        let dump =
            |bytes, name: &str, shows_name| self.dump(bytes, name, language, tasks, options.as_ref(), shows_name);
        let mut output = String::new();
        let mut missing = Vec::new();
        if let Some(code) = &self.e {
            output = dump(code.as_bytes().to_vec(), "command-line-string", false);
        } else if self.files.is_empty() {
            let mut bytes = Vec::new();
            if io::stdin().is_terminal() || io::stdin().lock().read_to_end(&mut bytes).is_err() {
                return Err(Issue::new("", "No input to parse given on command line or stdin"));
            }
            output = dump(bytes, "stdin", false);
        }
        let shows_name = match header {
            Header::Always => true,
            Header::ForSeveral => self.files.len() > 1,
            Header::Never => false,
        };
        for path in resolved(&self.files, language, &self.settings)?.iter().filter(|_| self.e.is_none()) {
            match Disk.read_path(path) {
                Ok(bytes) => output.push_str(&dump(bytes, &path.display().to_string(), shows_name)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(path.clone()),
                Err(error) => {
                    return Err(Issue::new(
                        "",
                        format!("Could not read {}: {}", path.display(), bunraku::reason(&error)),
                    ));
                }
            }
        }
        if !missing.is_empty() && language == Language::Manifest {
            output.push_str(&not_there(&missing));
        }
        if !output.ends_with('\n') {
            output.push('\n');
        }
        print(output).map_err(|message| Issue::new("", message))?;
        match language {
            Language::Template if !missing.is_empty() => Err(Issue::new("", not_there(&missing))),
            _ => Ok(()),
        }
    }

    fn dump(
        &self,
        bytes: Vec<u8>,
        name: &str,
        language: Language,
        tasks: bool,
        options: Option<&ValidateOptions>,
        shows_name: bool,
    ) -> String {
        // Without validation the reference does not tell the parser of manifests where the text is from.
        let path = (options.is_some() || language == Language::Template).then(|| name.into());
        let (source, broken) = Source::from_bytes(FileId(0), path, bytes);
        let (parsed, (mut diagnostics, mut is_fatal)) = check_source(&source, language, tasks, options);
        if let Some(broken) = broken {
            diagnostics = vec![broken];
            is_fatal = true;
        }
        let checked = Checked { name: name.to_owned(), source, diagnostics, is_fatal };
        if checked.has_errors() && shows_name {
            report::log("Error", &format!("--- {name}"));
        }
        report::show(&checked, Format::Plain, "");
        if checked.has_errors() {
            return String::new();
        }
        let tree = || pn::program(&parsed.program);
        let text = match (self.format, self.pretty) {
            (TreeFormat::Old, _) => format!("{}\n", dump(&parsed.program)),
            (TreeFormat::Pn, false) => tree().to_compact(),
            (TreeFormat::Pn, true) => tree().to_pretty(),
            (TreeFormat::Json, false) => return tree().to_json(),
            (TreeFormat::Json, true) => return tree().to_pretty_json(),
        };
        match (shows_name, language) {
            (false, _) => text,
            // Compatibility: the tree of a manifest follows its name at once.
            (true, Language::Manifest) => format!("--- {name}{text}"),
            (true, Language::Template) => format!("--- {name}\n{text}"),
        }
    }
}

/// When the name of a file is shown before its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Header {
    Always,
    ForSeveral,
    Never,
}
