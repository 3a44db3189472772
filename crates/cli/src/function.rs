//! `bunraku function`: the manual of the functions.

use std::fmt::Write;
use std::process::ExitCode;

use bunraku::function::Typed;
use bunraku::pcore::mismatch;
use bunraku::syntax::nearest;
use bunraku::{Native, Signature};
use clap::{Args, Subcommand};

use crate::output::print;
use crate::report::log;

/// List functions and show their manual pages.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku function list\n  bunraku function show split")]
pub(crate) struct FunctionCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all functions that are built in
    #[command(after_help = "Examples:\n  bunraku function list\n  bunraku function list --module stdlib")]
    List {
        /// Only those of this module
        #[arg(long, value_name = "NAME")]
        module: Option<String>,
    },
    /// Show signatures, description and examples of a function
    #[command(after_help = "Example:\n  bunraku function show split")]
    Show {
        /// The name of the function
        name: String,
    },
    /// Write the manual of all functions as Markdown
    #[command(after_help = "Example:\n  bunraku function manual > functions.md")]
    Manual,
}

impl FunctionCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let library = bunraku::library(bunraku::Target::default());
        let mut functions: Vec<&Native> = library.iter().collect();
        functions.sort_by_key(|native| native.function.name);
        let shown = match self.action {
            Action::List { module } => {
                let wanted =
                    functions.iter().filter(|native| module.is_none() || native.function.module == module.as_deref());
                Ok(wanted.map(|native| line(native)).collect())
            }
            Action::Show { name } => match library.get(&name) {
                Some(native) => Ok(page(native)),
                None => {
                    let meant = nearest(&name, functions.iter().map(|native| native.function.name));
                    let meant = meant.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
                    Err(format!("there is no function '{name}' that is built in{meant}"))
                }
            },
            Action::Manual => Ok(manual()),
        };
        match shown.and_then(print) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &message);
                ExitCode::FAILURE
            }
        }
    }
}

/// The manual of all functions as Markdown.
pub(crate) fn manual() -> String {
    let library = bunraku::library(bunraku::Target::default());
    let mut functions: Vec<&Native> = library.iter().collect();
    functions.sort_by_key(|native| native.function.name);
    let head = "# Functions\n\nWritten by `bunraku function manual`.\n".to_owned();
    functions.iter().fold(head, |manual, native| manual + &markdown(native))
}

/// A function in a list of many.
fn line(native: &Native) -> String {
    let first = native.function.documentation.trim().lines().next().unwrap_or_default();
    format!("{:<28} {first}\n", native.function.name)
}

/// The manual page of a function.
pub(crate) fn page(native: &Native) -> String {
    let mut text = String::new();
    for signature in signatures(native) {
        _ = writeln!(text, "{signature}");
    }
    if let Some(module) = native.function.module {
        _ = writeln!(text, "\nOf the module {module}; visible where it is installed.");
    }
    _ = writeln!(text, "\n{}", unindented(native.function.documentation));
    text
}

fn markdown(native: &Native) -> String {
    let module = native.function.module.map(|module| format!("Of the module `{module}`.\n\n")).unwrap_or_default();
    let signatures = signatures(native).join("\n");
    let documentation = unindented(native.function.documentation);
    format!("\n## {}\n\n{module}{documentation}\n\n```text\n{signatures}\n```\n", native.function.name)
}

/// The signatures that are offered; those that only say what is wrong are left out.
fn signatures(native: &Native) -> Vec<String> {
    let name = native.function.name;
    let (Ok(signatures), Ok(shapes)) = (native.signatures(), native.shapes()) else { return Vec::new() };
    let text = |(signature, shape): (&Signature, Typed)| {
        let is_offered = matches!(signature, Signature::Arity(_)) || signature.described().is_some();
        let shape = Some(shape).filter(|_| is_offered)?;
        let returned = shape.callable.returned.as_ref().map(|returned| format!(" >> {returned}")).unwrap_or_default();
        let Typed { callable, names, block_name, .. } = &shape;
        let described = mismatch::Signature { callable, names, block_name };
        Some(format!("{name}({}){returned}", mismatch::signature_text(&described)))
    };
    signatures.iter().zip(shapes).filter_map(text).collect()
}

/// Documentation without the blank that a doc comment has before each line.
fn unindented(documentation: &str) -> String {
    let lines: Vec<&str> = documentation.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim().to_owned()
}
