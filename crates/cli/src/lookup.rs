//! `bunraku lookup`: looks values up in Hiera's data, and explains where they come from.

mod diff;
mod explain;
mod node;
mod parameters;
mod render;

use std::process::ExitCode;

use bunraku::hiera::{Explain, Request, Source, not_found};
use bunraku::pcore::{mismatch, parse};
use bunraku::{
    Compilation, Compiler, Diagnostic, Environment, Frame, Hash, LoadFailure, Node, RunMode, Severity, Type, Value,
    json,
};
use clap::Args;
use ecow::EcoString;

use self::render::RenderAs;
use crate::output::print;
use crate::report::{Format, Reporter, log, show_logs};
use crate::setup::Setup;

/// Look up values in Hiera data.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku lookup ntp::servers --node web1.example.com --facts web1.yaml\n  \
    bunraku lookup users --merge deep --knock-out-prefix=-- --explain\n  \
    bunraku lookup --class apache --node web1.example.com --facts web1.yaml\n  \
    bunraku lookup --class apache --diff web1.example.com web2.example.com --facts facts/")]
pub(crate) struct Lookup {
    /// The keys; the first that is found counts
    keys: Vec<String>,
    /// The node for which to look up
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// How to merge: first, unique, hash or deep
    #[arg(long, value_name = "STRATEGY")]
    merge: Option<String>,
    /// With --merge deep: the prefix of elements that remove others
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    knock_out_prefix: Option<String>,
    /// With --merge deep: sort arrays that are merged
    #[arg(long)]
    sort_merged_arrays: bool,
    /// With --merge deep: merge hashes in arrays by position
    #[arg(long)]
    merge_hash_arrays: bool,
    /// The data type the value must have
    #[arg(long = "type", value_name = "TYPE")]
    value_type: Option<String>,
    /// The value if nothing is found
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,
    /// Explain how the value is found
    #[arg(long)]
    explain: bool,
    /// Explain which lookup_options apply
    #[arg(long)]
    explain_options: bool,
    /// Compile the catalog first, so that variables of manifests can be used in data
    #[arg(long, short)]
    compile: bool,
    /// The form of the answer: s, json, yaml, console or flat [default: yaml, or s for explanations]
    #[arg(long = "render-as", value_name = "FORMAT")]
    render_as: Option<String>,
    /// How to show what is wrong; json also answers --explain, --class and --diff as data with the places of values
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Show all parameters of a class, and where each value comes from
    #[arg(long, value_name = "NAME", conflicts_with = "keys")]
    class: Option<String>,
    /// Show which keys have different values for two nodes; --facts may be a directory with a file for each node
    #[arg(long, num_args = 2, value_names = ["NODE_A", "NODE_B"], conflicts_with = "node")]
    diff: Option<Vec<String>>,
    #[command(flatten)]
    setup: Setup,
}

/// Why there is no answer.
enum Refusal {
    /// A sentence that is still to be said.
    Message(String),
    /// It has been told.
    Told,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Message(message)
    }
}

const HELP: &str = "Run 'puppet lookup --help' for more details";

impl Lookup {
    /// Runs the command: 0 if a value is found, else 1; for --diff 0 if all is equal, 2 if something is different.
    pub(crate) fn run(self) -> ExitCode {
        self.look_up().unwrap_or_else(|refusal| {
            if let Refusal::Message(message) = refusal {
                log("Error", &format!("Could not run: {message}"));
            }
            ExitCode::FAILURE
        })
    }

    fn look_up(&self) -> Result<ExitCode, Refusal> {
        let merge = self.merge_options()?;
        let names: Vec<EcoString> = match self.keys.as_slice() {
            [] if self.explain_options && !self.explain => vec!["__global__".into()],
            [] if self.class.is_none() => return Err("No keys were given to lookup.".to_owned().into()),
            keys => keys.iter().map(|key| key.as_str().into()).collect(),
        };
        let value_type = self.value_type.as_deref().map(parse::data_type).transpose().map_err(|it| it.to_string())?;
        let render_as = self.render_as.as_deref().map(RenderAs::parse).transpose()?;
        let is_json = self.format == Some(Format::Json) || render_as == Some(RenderAs::Json);
        let code = if self.compile { None } else { Some("undef") };
        let compiler = self.setup.compiler(RunMode::Server, code).map_err(|issue| issue.to_string())?;
        if let Some([left, right]) = self.diff.as_deref() {
            let nodes = [self.node(Some(left), &compiler)?, self.node(Some(right), &compiler)?];
            let (mut left, mut right) = (self.evaluated(&compiler, &nodes[0])?, self.evaluated(&compiler, &nodes[1])?);
            let nodes = [&mut left, &mut right];
            return Ok(diff::show(&names, self.class.as_deref(), merge.as_ref(), nodes, is_json)?);
        }
        let node = match self.node.as_deref() {
            Some(name) => node::known(name, &self.setup, compiler.environment()).map_err(|issue| issue.to_string())?,
            None => node::own(&self.setup, compiler.environment()).map_err(|issue| issue.to_string())?,
        };
        let mut compilation = self.evaluated(&compiler, &node)?;
        if let Some(class) = &self.class {
            return Ok(parameters::show(class, &mut compilation, is_json)?);
        }
        let request = Request { names: &names, merge: merge.as_ref(), ..Request::default() };
        let code = if self.explain || self.explain_options {
            self.show_explanation(&request, render_as.unwrap_or(RenderAs::S), &mut compilation)
        } else {
            let render_as = render_as.unwrap_or(RenderAs::Yaml);
            self.show_value(&request, value_type.as_ref(), render_as, &mut compilation)
        };
        show_logs(compiler.environment(), &compilation.logs);
        code
    }

    fn node(&self, name: Option<&str>, compiler: &Compiler) -> Result<Node, String> {
        self.setup.node(name, compiler.environment()).map_err(|issue| issue.to_string())
    }

    fn merge_options(&self) -> Result<Option<Value>, String> {
        let has_deep_options = self.sort_merged_arrays || self.merge_hash_arrays || self.knock_out_prefix.is_some();
        if has_deep_options && self.merge.as_deref() != Some("deep") {
            return Err(format!(
                "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with \
                 '--merge deep'\n{HELP}"
            ));
        }
        let Some(merge) = self.merge.as_deref() else { return Ok(None) };
        if !["first", "hash", "unique", "deep"].contains(&merge) {
            return Err(format!("The --merge option only accepts 'first', 'hash', 'unique', or 'deep'\n{HELP}"));
        }
        let mut options = Hash::from_iter([("strategy".into(), merge.into())]);
        if merge == "deep" {
            options.insert("sort_merged_arrays".into(), self.sort_merged_arrays.into());
            options.insert("merge_hash_arrays".into(), self.merge_hash_arrays.into());
            if let Some(prefix) = &self.knock_out_prefix {
                options.insert("knockout_prefix".into(), prefix.as_str().into());
            }
        }
        Ok(Some(Value::from(options)))
    }

    fn show_value(
        &self,
        request: &Request<'_>,
        value_type: Option<&Type>,
        render_as: RenderAs,
        compilation: &mut Compilation<'_>,
    ) -> Result<ExitCode, Refusal> {
        let found = Frame::top(compilation).lookup(request, explain::NOWHERE);
        let (subject, value) = match (found, &self.default) {
            (Err(unwind), _) => return Err(self.refusal(&compilation.diagnostic(unwind), compilation.environment)),
            (Ok(Some(found)), _) if found.source == Source::Data => ("Found value", found.value),
            (Ok(_), Some(default)) => ("Default value", Value::from(default.as_str())),
            // Compatibility: that nothing was found is said by the exit code alone.
            (Ok(_), None) => return Ok(ExitCode::FAILURE),
        };
        if let Some(expected) = value_type {
            mismatch::assert_instance(subject, expected, &value).map_err(|issue| issue.to_string())?;
        }
        render_as.print(&value)?;
        Ok(ExitCode::SUCCESS)
    }

    fn show_explanation(
        &self,
        request: &Request<'_>,
        render_as: RenderAs,
        compilation: &mut Compilation<'_>,
    ) -> Result<ExitCode, Refusal> {
        let covers = if self.explain { Explain::Data } else { Explain::OnlyOptions };
        let explained = Frame::top(compilation).explain_lookup(request, covers, explain::NOWHERE);
        let (found, mut explanation) =
            explained.map_err(|unwind| self.refusal(&compilation.diagnostic(unwind), compilation.environment))?;
        if found.is_none() && self.default.is_none() && !explanation.has_failed() {
            explanation.fail(&not_found(request.names));
        }
        let data = json::redacted(&explanation.to_value()).map_err(|issue| issue.to_string())?;
        if self.format == Some(Format::Json) {
            let data = explain::with_lines(&data, compilation.environment.world());
            print(format_args!("{}\n", render::as_pretty_json(&data)?))?;
        } else if render_as == RenderAs::S {
            print(&explanation)?;
        } else if render_as == RenderAs::Console {
            // What the reference explains with has keys that its tables do not take.
            print(format_args!("{}\n", render::as_pretty_json(&data)?))?;
        } else {
            render_as.print(&data)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A compilation of a node that is done but for its catalog.
    fn evaluated<'e>(&self, compiler: &'e Compiler, node: &'e Node) -> Result<Compilation<'e>, Refusal> {
        let environment = compiler.environment();
        let mut compilation = compiler.compilation(node).map_err(|failure| self.unparsable(&failure, environment))?;
        match compilation.evaluate() {
            Ok(_) => Ok(compilation),
            Err(unwind) => {
                let diagnostic = compilation.diagnostic(unwind);
                show_logs(environment, &compilation.logs);
                Err(self.refusal(&diagnostic, environment))
            }
        }
    }

    /// Why the main manifests cannot be evaluated.
    fn unparsable(&self, failure: &LoadFailure, environment: &Environment) -> Refusal {
        let diagnostics = match failure {
            LoadFailure::Issue(issue) => vec![issue.clone().nowhere()],
            LoadFailure::Diagnostics(diagnostics) => diagnostics.clone(),
        };
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(is_error).collect();
        self.told(&errors, environment).unwrap_or_else(|| {
            let wrong: Vec<String> = errors.iter().map(|diagnostic| message(diagnostic, environment)).collect();
            format!("Could not parse for environment {}: {}", environment.name, wrong.join("\n")).into()
        })
    }

    /// Why a lookup failed.
    fn refusal(&self, diagnostic: &Diagnostic, environment: &Environment) -> Refusal {
        self.told(&[diagnostic], environment).unwrap_or_else(|| message(diagnostic, environment).into())
    }

    /// Tells what is wrong, unless that is to be in Puppet's plain form.
    fn told(&self, errors: &[&Diagnostic], environment: &Environment) -> Option<Refusal> {
        let reporter = Reporter::new(self.format);
        if !reporter.is_for_people() && !reporter.is_for_programs() {
            return None;
        }
        errors.iter().for_each(|diagnostic| reporter.diagnostic(environment, diagnostic));
        Some(reporter.finish().map_or_else(Refusal::Message, |()| Refusal::Told))
    }
}

/// What is wrong and where, and remarks about data files.
fn message(diagnostic: &Diagnostic, environment: &Environment) -> String {
    let remarks = diagnostic.notes.iter().filter(|note| note.is_remark());
    let remarks: String = remarks.map(|note| format!("\n  note: {}", note.message)).collect();
    let source = diagnostic.file().and_then(|file| environment.source(file));
    let wrong = diagnostic.located(source);
    format!("{wrong}{remarks}")
}
