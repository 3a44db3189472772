//! `epp render`: renders templates with values and facts from the command line.

use std::io::{IsTerminal, Read, stdin};
use std::process::ExitCode;
use std::sync::Arc;

use bunraku::notation::yaml;
use bunraku::{
    Code, Compilation, Disk, Environment, Failure, Form, Frame, Hash, Issue, RunMode, TemplateScope, Unwind, Value,
    World,
};
use clap::Args;

use crate::output::print;
use crate::report::{ErrorFormat, Reporter, refuse, try_help};
use crate::setup::Setup;

/// Render EPP templates and print the text
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku epp render profile/motd.epp --modulepath modules --values '{ name => web1 }'\n  \
    bunraku epp render -e 'Hello <%= $name %>' --values '{ name => you }'\n  \
    bunraku epp render template.epp --values_file values.yaml --facts facts.yaml")]
pub(super) struct Render {
    /// Templates: paths, or `module/template`; standard input if there are none
    templates: Vec<String>,
    /// The template itself
    #[arg(short = 'e', long = "e", value_name = "SOURCE", conflicts_with = "templates")]
    source: Option<String>,
    /// A hash in Puppet's notation: the parameters of the template
    #[arg(long, value_name = "HASH")]
    values: Option<String>,
    /// A .yaml or .pp file that gives the hash
    #[arg(long = "values_file", alias = "values-file", value_name = "FILE")]
    values_file: Option<String>,
    /// Does not show the names of several templates
    #[arg(long)]
    no_header: bool,
    #[arg(long, hide = true, overrides_with = "no_header")]
    header: bool,
    /// The name of the node [default: that of the facts]
    #[arg(long, value_name = "NAME", help_heading = "Node")]
    node: Option<String>,
    #[command(flatten)]
    errors: ErrorFormat,
    #[command(flatten)]
    setup: Setup,
}

impl Render {
    pub(super) fn run(&self) -> ExitCode {
        match self.render_all() {
            Ok(true) => ExitCode::SUCCESS,
            // What is wrong with a template that is in no file has been said.
            Ok(false) if self.templates.is_empty() => try_help("epp render"),
            Ok(false) => refuse("epp render", "error while rendering epp"),
            Err(message) => refuse("epp render", &message),
        }
    }

    /// Renders what was asked for; whether all of it could be rendered.
    fn render_all(&self) -> Result<bool, String> {
        let compiler = self.setup.compiler(RunMode::User, Some("")).map_err(|issue| issue.to_string())?;
        let environment = compiler.environment();
        let node = self.setup.node(self.node.as_deref(), environment).map_err(|issue| issue.to_string())?;
        let reporter = Reporter::new(self.errors.format);
        let mut compilation = compiler.compilation(&node).map_err(|_| "the environment cannot be used".to_owned())?;
        let outcome = compilation.begin().and_then(|_| self.arguments(&mut compilation));
        let arguments = match outcome {
            Ok(arguments) => arguments,
            Err(unwind) => {
                reporter.failure(environment, &Failure::of(bunraku::diagnostic(unwind), environment), None);
                return reporter.finish().map(|()| false);
            }
        };
        let (mut all_rendered, mut texts) = (true, String::new());
        for (index, template) in self.templates(environment)?.into_iter().enumerate() {
            if self.templates.len() > 1 && !self.no_header {
                let gap = if index > 0 { "\n" } else { "" };
                texts.push_str(&format!("{gap}--- {}\n", template.name));
            }
            let rendered = template.code.map_err(Unwind::Issue).and_then(|code| {
                self.check(code)?;
                Frame::top(&mut compilation).render_template(code, arguments.as_deref(), template.sight)
            });
            reporter.logs(environment, &std::mem::take(&mut compilation.logs));
            match rendered {
                Ok(Value::Sensitive(secret)) => texts.push_str(&secret.to_string()),
                Ok(text) => texts.push_str(&text.to_string()),
                Err(unwind) => {
                    all_rendered = false;
                    reporter.failure(environment, &Failure::of(compilation.diagnostic(unwind), environment), None);
                }
            }
        }
        if !texts.ends_with('\n') && (!texts.is_empty() || all_rendered) {
            texts.push('\n');
        }
        print(texts)?;
        if !all_rendered {
            reporter.finish()?;
        }
        Ok(all_rendered)
    }

    /// Fails with the first error of a template that cannot be used.
    fn check(&self, code: &Code) -> Result<(), Unwind> {
        let Some(error) = code.errors().next() else { return Ok(()) };
        let mut error = error.clone();
        if self.templates.is_empty() {
            error.issue =
                Issue::new(error.issue.code(), format!("inline_epp(): Invalid EPP: {}", error.issue.message()));
        }
        Err(error.into())
    }

    fn templates<'e>(&self, environment: &'e Environment) -> Result<Vec<Template<'e>>, String> {
        let inline = |text: &str| Template {
            name: String::new(),
            code: environment.inline(text, Form::Template),
            sight: TemplateScope::Local,
        };
        if let Some(source) = &self.source {
            return Ok(vec![inline(source)]);
        }
        if self.templates.is_empty() {
            if stdin().is_terminal() {
                return Err("No input to process given on command line or stdin".to_owned());
            }
            let mut text = String::new();
            stdin()
                .read_to_string(&mut text)
                .map_err(|error| format!("Could not read standard input: {}", bunraku::reason(&error)))?;
            return Ok(vec![inline(&text)]);
        }
        let find = |name: &String| {
            let found = environment.find_template(name).filter(|path| environment.world().is_file(path));
            let path = found.or_else(|| Disk.is_file(name).then(|| name.clone()));
            let missing = || Issue::new("", format!("Could not find template '{name}'"));
            let code = path.ok_or_else(missing).and_then(|path| environment.template(&path));
            Template { name: name.clone(), code, sight: TemplateScope::Top }
        };
        Ok(self.templates.iter().map(find).collect())
    }

    /// The values of the file, and over them those of the command line.
    fn arguments<'e>(&self, compilation: &mut Compilation<'e>) -> Result<Option<Arc<Hash>>, Unwind> {
        let mut arguments = match self.values_file.as_deref() {
            None => None,
            Some(path) if path.ends_with(".pp") => {
                let text = Disk.read_text(path).map_err(|error| unreadable(path, &bunraku::reason(&error)))?;
                hash(evaluate(&text, compilation)?, "--values_file")?
            }
            Some(path) if path.ends_with(".yaml") => {
                let bytes = Disk.read(path).map_err(|error| unreadable(path, &bunraku::reason(&error)))?;
                let document = yaml::load(&bytes, path).map_err(|error| unreadable(path, &error))?;
                hash(document.value.unwrap_or_default(), "--values_file")?
            }
            Some(_) => return Err(Issue::new("", "Only .yaml or .pp can be used as a --values_file").into()),
        };
        if let Some(values) = &self.values
            && let Some(given) = hash(evaluate(values, compilation)?, "--values")?
        {
            let mut merged = arguments.map(Arc::unwrap_or_clone).unwrap_or_default();
            merged.extend(Arc::unwrap_or_clone(given));
            arguments = Some(Arc::new(merged));
        }
        Ok(arguments)
    }
}

/// A template that is to be rendered, and what it sees.
struct Template<'e> {
    name: String,
    code: Result<&'e Code, Issue>,
    sight: TemplateScope,
}

fn evaluate<'e>(text: &str, compilation: &mut Compilation<'e>) -> Result<Value, Unwind> {
    let code = compilation.environment.inline(text, Form::Manifest)?;
    compilation.evaluate_more(code)
}

fn hash(value: Value, option: &str) -> Result<Option<Arc<Hash>>, Issue> {
    match value {
        Value::Undef => Ok(None),
        Value::Hash(hash) => Ok(Some(hash)),
        other => {
            let class = bunraku::pcore::label::host_class(&other);
            Err(Issue::new("", format!("{option} option must evaluate to a Hash or undef, got: '{class}'")))
        }
    }
}

fn unreadable(path: &str, error: &dyn std::fmt::Display) -> Issue {
    Issue::new("", format!("Could not load --values_file {path}: {error}"))
}
