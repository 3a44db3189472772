//! `bunraku eval`: evaluates Puppet code and shows the value.

use std::path::PathBuf;
use std::process::ExitCode;

use bunraku::{Disk, Outcome, RunMode, json, repr};
use clap::{Args, ValueEnum};

use crate::output::print;
use crate::report::{Format, Reporter, log};
use crate::setup::Setup;

/// Evaluate Puppet code and show the value of its last expression.
///
/// The code is given with -e, in a file, or on standard input. Modules of the environment can be used in it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku eval -e '[1, 2, 3].map |$x| { $x * 2 }'\n  \
    bunraku eval --format json settings.pp\n  \
    echo '$facts[os][family]' | bunraku eval --facts facts.yaml")]
pub(crate) struct Eval {
    /// A file with code; standard input if there is neither a file nor -e
    file: Option<PathBuf>,
    /// The code itself
    #[arg(short = 'e', long = "execute", alias = "e", value_name = "CODE", conflicts_with = "file")]
    code: Option<String>,
    /// How to show the value: pp or json; and what is wrong: human, plain, json, sarif, github, gitlab or junit
    #[arg(long, value_name = "FORMAT", default_value = "pp", value_parser = form)]
    format: Form,
    /// The name of the node [default: that of the facts]
    #[arg(long, value_name = "NAME", help_heading = "Node")]
    node: Option<String>,
    #[command(flatten)]
    setup: Setup,
}

/// The form of errors that is asked for: none by `pp`, which is that of values alone.
#[derive(Debug, Clone, Copy)]
struct Form(Option<Format>);

fn form(text: &str) -> Result<Form, String> {
    match text {
        "pp" => Ok(Form(None)),
        _ => Format::from_str(text, false).map(|format| Form(Some(format))),
    }
}

impl Eval {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        self.evaluate().unwrap_or_else(|message| {
            log("Error", &message);
            ExitCode::FAILURE
        })
    }

    fn evaluate(&self) -> Result<ExitCode, String> {
        let code = self.read()?;
        let compiler = self.setup.compiler(RunMode::User, Some(&code)).map_err(|issue| issue.to_string())?;
        let environment = compiler.environment();
        let node = self.setup.node(self.node.as_deref(), environment).map_err(|issue| issue.to_string())?;
        let Outcome { catalog, value, logs, .. } = compiler.evaluate(&node);
        let reporter = Reporter::new(self.format.0);
        reporter.logs(environment, &logs);
        if let Err(failure) = catalog {
            reporter.failure(environment, &failure, Some(&node.name));
            reporter.finish()?;
            return Ok(ExitCode::FAILURE);
        }
        // Values that JSON does not have are written as rich data, but for secrets.
        let text = match self.format.0 {
            Some(Format::Json) => {
                json::redacted(&value).and_then(|data| json::write(&data)).map_err(|issue| issue.to_string())?
            }
            _ => repr(&value),
        };
        print(format_args!("{text}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    fn read(&self) -> Result<String, String> {
        if let Some(code) = &self.code {
            return Ok(code.clone());
        }
        let (code, name) = match &self.file {
            Some(path) => {
                let text = |bytes| String::from_utf8(bytes).map_err(|_| std::io::ErrorKind::InvalidData.into());
                (Disk.read_path(path).and_then(text), path.display().to_string())
            }
            None => (std::io::read_to_string(std::io::stdin()), "standard input".to_owned()),
        };
        code.map_err(|error| format!("Could not read {name}: {}", bunraku::reason(&error)))
    }
}
