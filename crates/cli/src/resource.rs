//! `bunraku resource`: shows and changes single resources of this machine.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use bunraku::apply::{Found, Inspection, Level, Log};
use bunraku::catalog::resource_types::builtin;
use bunraku::pcore::data_types::Binary;
use bunraku::{Compiler, Issue, Value, notation, type_names, whole_file};
use clap::Args;

use crate::apply::{ProjectHost, destinations, options};
use crate::output::print;
use crate::report::log;
use crate::setup::Setup;

/// Show a resource of this machine as code, or change it.
///
/// With a type alone, all its resources are listed; with a name, that one is shown; with attributes, it is changed first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku resource user root\n  \
    bunraku resource group --to_yaml\n  \
    bunraku resource file /tmp/motd ensure=file content=hello\n  \
    bunraku resource --types")]
pub(crate) struct Resource {
    /// The resource type
    #[arg(value_name = "TYPE")]
    type_name: Option<String>,
    /// The name of the resource
    name: Option<String>,
    /// What it is to be
    #[arg(value_name = "ATTRIBUTE=VALUE")]
    attributes: Vec<String>,
    /// List the resource types
    #[arg(long, short = 't')]
    types: bool,
    /// Show YAML as Hiera reads it
    #[arg(long = "to_yaml", alias = "to-yaml", short = 'y')]
    to_yaml: bool,
    /// Edit what is shown, and apply the result
    #[arg(long, short = 'e')]
    edit: bool,
    /// Fail if the resource could not be changed
    #[arg(long, short = 'f')]
    fail: bool,
    /// Show other parameters too; properties are always shown
    #[arg(long, short = 'p', value_name = "PARAMETER")]
    param: Vec<String>,
    #[command(flatten)]
    setup: Setup,
}

impl Resource {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        self.show().unwrap_or_else(|message| {
            log("Error", &format!("Could not run: {message}"));
            ExitCode::FAILURE
        })
    }

    fn show(self) -> Result<ExitCode, String> {
        let wrong = |issue: Issue| issue.to_string();
        let compiler = self.setup.own_compiler(Some("")).map_err(wrong)?;
        if self.types {
            let text: String = types(&compiler).iter().map(|name| format!("{name}\n")).collect();
            return shown(&text);
        }
        let given = self.type_name.as_ref().ok_or("You must specify the type to display")?;
        let type_name = given.to_lowercase();
        if !types(&compiler).contains(&type_name) {
            return Err(format!("Could not find type {given}"));
        }
        if self.edit && self.to_yaml {
            return Err("Editing with Yaml output is not supported".to_owned());
        }
        let settings = &compiler.environment().settings;
        let name = settings.text("certname").map_err(wrong)?;
        let options = options(settings, &name).map_err(wrong)?;
        let level = settings.text("log_level").map_err(wrong)?;
        let console = Log::new(Level::named(&level).unwrap_or(Level::Notice), destinations(settings)?);
        let node = bunraku::Node::new(&name);
        let host = ProjectHost::new(&compiler, &node, &console);
        let mut inspection = Inspection::new(&options, &host, console);
        let found = self.find(&type_name, &mut inspection)?;
        let text = if self.to_yaml {
            yaml(&type_name, &found)
        } else {
            let manifests: Vec<String> = found.iter().map(|it| it.to_manifest(&type_name)).collect();
            if manifests.is_empty() { "\n".to_owned() } else { manifests.join("\n") + "\n" }
        };
        if self.edit { edit(&text) } else { shown(&text) }
    }

    fn find(&self, type_name: &str, inspection: &mut Inspection<'_>) -> Result<Vec<Found>, String> {
        let wrong = |fault: bunraku::apply::Fault| fault.message;
        let Some(name) = &self.name else {
            if type_name == "file" {
                return Err("Listing all file instances is not supported.  Please specify a file or directory, e.g. \
                            puppet resource file /etc"
                    .to_owned());
            }
            return inspection.list(type_name).map_err(wrong);
        };
        if self.attributes.is_empty() {
            return inspection.find(type_name, name).map(|found| vec![found]).map_err(wrong);
        }
        let mut parameters = bunraku::Parameters::default();
        for attribute in &self.attributes {
            let is_name = |name: &str| !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
            match attribute.split_once('=').filter(|(name, value)| is_name(name) && !value.is_empty()) {
                Some((name, value)) => _ = parameters.insert(name.into(), Value::from(value)),
                None => return Err(format!("Invalid parameter setting {attribute}")),
            }
        }
        let (found, is_failed) = inspection.change(type_name, name, parameters).map_err(wrong)?;
        if is_failed && self.fail {
            let mut letters = type_name.chars();
            let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            return Err(format!("Failed to manage resource {capital}[{name}]"));
        }
        Ok(vec![found])
    }
}

/// The resource types of Puppet and of the modules, by name.
fn types(compiler: &Compiler) -> Vec<String> {
    let environment = compiler.environment();
    let mut names = type_names(Some(environment));
    // Types that have moved to modules are there with those, however the modules are called here.
    let of_modules: Vec<&str> = environment.ruby_files().resource_type_names().collect();
    let is_own = |name: &str| builtin(name).is_some_and(|it| it.module.is_none());
    names.retain(|name| is_own(name) || of_modules.contains(&name.as_str()));
    names.push("whit".to_owned());
    names.sort_unstable();
    names.dedup();
    names
}

fn yaml(type_name: &str, found: &[Found]) -> String {
    let attribute = |(name, value): &(String, Value)| {
        // Compatibility: the reference takes hashes of passwords for binary data.
        let value = match value {
            Value::String(hash) if type_name == "user" && name == "password" => {
                Value::from(Binary::new(hash.as_bytes().to_vec()).to_string().as_str())
            }
            value => value.clone(),
        };
        (Value::from(name.as_str()), value)
    };
    let resource = |it: &Found| (Value::from(it.title.as_str()), Value::hash(it.attributes.iter().map(attribute)));
    notation::yaml::emit(&Value::hash([(Value::from(type_name), Value::hash(found.iter().map(resource)))]))
}

fn shown(text: &str) -> Result<ExitCode, String> {
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Lets the user change the text, and applies it.
fn edit(text: &str) -> Result<ExitCode, String> {
    let wrong = |error: std::io::Error| bunraku::reason(&error);
    let path = PathBuf::from(format!("x2puppet-{}.pp", std::process::id()));
    whole_file::write(&path, text).map_err(wrong)?;
    let editor = std::env::var("EDITOR").ok().filter(|editor| !editor.is_empty()).unwrap_or_else(|| "vi".to_owned());
    let program = std::env::current_exe().map_err(wrong)?;
    let edited = Command::new(editor).arg(&path).status();
    let applied = edited.and_then(|_| Command::new(program).args(["apply", "-v"]).arg(&path).status());
    std::fs::remove_file(&path).map_err(wrong)?;
    Ok(if applied.map_err(wrong)?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
