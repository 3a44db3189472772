//! `parser dump` and `epp dump`: prints syntax trees.

use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use bunraku_syntax::{FileId, Source, ValidateOptions, dump, pn};
use clap::{Args, ValueEnum};

use crate::check::{Language, check_source};
use crate::report::{self, Checked, Format};

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
}

impl Dump {
    /// Prints the trees. As with Puppet, broken code is logged and does not change the exit code.
    pub(crate) fn run(&self, language: Language, validate: bool, header: Header) -> ExitCode {
        let mut output = String::new();
        let mut missing = Vec::new();
        if let Some(code) = &self.e {
            output = self.dump(code.as_bytes().to_vec(), "command-line-string", language, validate, false);
        } else if self.files.is_empty() {
            let mut bytes = Vec::new();
            if io::stdin().is_terminal() || io::stdin().lock().read_to_end(&mut bytes).is_err() {
                report::log("Error", "No input to parse given on command line or stdin");
                return ExitCode::FAILURE;
            }
            output = self.dump(bytes, "stdin", language, validate, false);
        }
        let shows_name = match header {
            Header::Always => true,
            Header::ForSeveral => self.files.len() > 1,
            Header::Never => false,
        };
        for path in self.files.iter().filter(|_| self.e.is_none()) {
            let name = path.display().to_string();
            match std::fs::read(path) {
                Ok(bytes) => output.push_str(&self.dump(bytes, &name, language, validate, shows_name)),
                Err(_) => missing.push(format!("   {name}")),
            }
        }
        let lost = format!("One or more file(s) specified did not exist:\n{}", missing.join("\n"));
        if !missing.is_empty() && language == Language::Manifest {
            output.push_str(&lost);
        }
        if !output.ends_with('\n') {
            output.push('\n');
        }
        let mut out = io::stdout().lock();
        // A reader that goes away early is no error of ours.
        let _ = out.write_all(output.as_bytes()).and_then(|()| out.flush());
        if !missing.is_empty() && language == Language::Template {
            report::log("Error", &lost);
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }

    fn dump(&self, bytes: Vec<u8>, name: &str, language: Language, validate: bool, shows_name: bool) -> String {
        // Without validation the reference does not tell the parser of manifests where the text is from.
        let path = (validate || language == Language::Template).then(|| name.into());
        let (source, broken) = Source::from_bytes(FileId(0), path, bytes);
        let options = validate.then(ValidateOptions::default);
        let (parsed, (mut diagnostics, mut is_fatal)) = check_source(&source, language, options.as_ref());
        if let Some(broken) = broken {
            diagnostics = vec![broken];
            is_fatal = true;
        }
        let checked = Checked { source, diagnostics, is_fatal };
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
        if shows_name { format!("--- {name}{text}") } else { text }
    }
}

/// When the name of a file is shown before its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Header {
    Always,
    ForSeveral,
    Never,
}
