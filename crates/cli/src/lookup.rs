//! `bunraku lookup`: looks values up in Hiera's data, and explains where they come from.

mod explain;
mod parameters;

use std::process::ExitCode;

use bunraku::{Compilation, Frame, Hash, RunMode, Type, Value, json};
use bunraku_hiera::{Explain, Request, Source, not_found, yaml};
use bunraku_pcore::{mismatch, parse};
use clap::{Args, ValueEnum};
use ecow::EcoString;

use crate::report::{Verbosity, show_logs};
use crate::setup::Setup;

/// Look values up in Hiera's data.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku lookup ntp::servers --node web1.example.com --facts web1.yaml\n  \
    bunraku lookup users --merge deep --knock-out-prefix=-- --explain\n  \
    bunraku lookup --class apache --node web1.example.com --facts web1.yaml")]
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
    /// The form of the answer [default: yaml, or s for explanations]
    #[arg(long = "render-as", value_name = "FORMAT")]
    render_as: Option<RenderAs>,
    /// Explain as data, with the line of each value
    #[arg(long, value_name = "FORMAT", requires = "explain")]
    format: Option<ExplainFormat>,
    /// Show all parameters of a class, and where each value comes from
    #[arg(long, value_name = "NAME", conflicts_with = "keys")]
    class: Option<String>,
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    verbosity: Verbosity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RenderAs {
    /// Bare text
    S,
    /// JSON
    Json,
    /// YAML
    Yaml,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// JSON with lines
    Json,
}

const HELP: &str = "Run 'puppet lookup --help' for more details";

impl Lookup {
    /// Runs the command: 0 if a value is found, else 1.
    pub(crate) fn run(self) -> ExitCode {
        self.look_up().unwrap_or_else(|message| {
            anstream::eprintln!("Error: Could not run: {message}");
            ExitCode::FAILURE
        })
    }

    fn look_up(&self) -> Result<ExitCode, String> {
        let merge = self.merge_options()?;
        let covers = if self.explain { Explain::Data } else { Explain::OnlyOptions };
        let names: Vec<EcoString> = match self.keys.as_slice() {
            [] if self.explain_options && !self.explain => vec!["__global__".into()],
            [] if self.class.is_none() => return Err("No keys were given to lookup.".to_owned()),
            keys => keys.iter().map(|key| key.as_str().into()).collect(),
        };
        let value_type = self.value_type.as_deref().map(parse::data_type).transpose().map_err(|it| it.to_string())?;
        let code = if self.compile { None } else { Some("undef") };
        let compiler = self.setup.compiler(RunMode::Server, code).map_err(|issue| issue.to_string())?;
        let environment = compiler.environment();
        let certname = environment.settings.text("certname").ok();
        let name = self.node.as_deref().or(certname.as_deref());
        let node = self.setup.node(name, environment).map_err(|issue| issue.to_string())?;
        let mut compilation = compiler.compilation(&node).map_err(|failure| format!("{failure:?}"))?;
        compilation.evaluate().map_err(|unwind| bunraku::diagnostic(unwind).issue.to_string())?;
        if let Some(class) = &self.class {
            return parameters::show(class, &mut compilation, self.render_as == Some(RenderAs::Json));
        }
        let request = Request { names: &names, merge: merge.as_ref(), ..Request::default() };
        let code = if self.explain || self.explain_options {
            self.show_explanation(&request, covers, &mut compilation)
        } else {
            self.show_value(&request, value_type.as_ref(), &mut compilation)
        };
        show_logs(environment, &compilation.logs, self.verbosity);
        code
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
        compilation: &mut Compilation<'_>,
    ) -> Result<ExitCode, String> {
        let found = Frame::top(compilation).lookup(request, explain::NOWHERE);
        let (subject, value) = match (found, &self.default) {
            (Err(unwind), _) => return Err(bunraku::diagnostic(unwind).issue.to_string()),
            (Ok(Some(found)), _) if found.source == Source::Data => ("Found value", found.value),
            (Ok(_), Some(default)) => ("Default value", Value::from(default.as_str())),
            // Compatibility: that nothing was found is said by the exit code alone.
            (Ok(_), None) => return Ok(ExitCode::FAILURE),
        };
        if let Some(expected) = value_type {
            mismatch::assert_instance(subject, expected, &value).map_err(|issue| issue.to_string())?;
        }
        match self.render_as.unwrap_or(RenderAs::Yaml) {
            RenderAs::S => anstream::println!("{value}"),
            RenderAs::Json => anstream::println!("{}", json::rich(&value).map_err(|issue| issue.to_string())?),
            RenderAs::Yaml => anstream::print!("{}", yaml::emit(&value)),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn show_explanation(
        &self,
        request: &Request<'_>,
        covers: Explain,
        compilation: &mut Compilation<'_>,
    ) -> Result<ExitCode, String> {
        let explained = Frame::top(compilation).explain_lookup(request, covers, explain::NOWHERE);
        let (found, mut explanation) = explained.map_err(|unwind| bunraku::diagnostic(unwind).issue.to_string())?;
        if found.is_none() && self.default.is_none() && !explanation.has_failed() {
            explanation.fail(&not_found(request.names));
        }
        let data = explanation.to_value();
        let to_json = |value: &Value| json::rich(value).map_err(|issue| issue.to_string());
        if self.format == Some(ExplainFormat::Json) {
            let data = explain::with_lines(&data, compilation.environment.world());
            anstream::println!("{:#}", to_json(&data)?);
            return Ok(ExitCode::SUCCESS);
        }
        match self.render_as.unwrap_or(RenderAs::S) {
            RenderAs::S => anstream::print!("{explanation}"),
            RenderAs::Json => anstream::println!("{}", to_json(&data)?),
            RenderAs::Yaml => anstream::print!("{}", yaml::emit(&data)),
        }
        Ok(ExitCode::SUCCESS)
    }
}
