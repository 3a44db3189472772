//! `bunraku catalog select`: the resources of one type in the catalog of a node.

use std::process::ExitCode;

use bunraku::{Outcome, RunMode, Value, json};
use clap::Args;

use crate::output::print;
use crate::rendering::RenderAs;
use crate::report::{show_failure, show_logs};
use crate::setup::Setup;

/// List the resources of a type in the catalog of a node.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog select web1.example.com file --facts web1.yaml\n  \
    bunraku catalog select web1.example.com '*'")]
pub(crate) struct Select {
    /// The certificate name of the node
    node: String,
    /// The resource type, or `*` for all
    #[arg(value_name = "TYPE")]
    type_name: String,
    /// The form of the list
    #[arg(long = "render-as", value_name = "FORMAT", default_value = "console")]
    render_as: RenderAs,
    #[command(flatten)]
    setup: Setup,
}

impl Select {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let text = |issue: bunraku::Issue| issue.to_string();
        let compiler = self.setup.compiler(RunMode::Server, None).map_err(text)?;
        let node = self.setup.node(Some(&self.node), compiler.environment()).map_err(text)?;
        let Outcome { catalog, logs, .. } = compiler.compile(&node);
        show_logs(compiler.environment(), &logs);
        let catalog = match catalog {
            Ok(catalog) => catalog,
            Err(failure) => {
                show_failure(compiler.environment(), &failure, Some(&node.name));
                return Ok(ExitCode::FAILURE);
            }
        };
        let is_asked = |name: &str| self.type_name == "*" || name.eq_ignore_ascii_case(&self.type_name);
        let resources = catalog.resources().filter(|resource| is_asked(&resource.reference.type_name));
        let names: Vec<String> = resources.map(|resource| resource.reference.to_string()).collect();
        let list = || Value::array(names.iter().map(|name| Value::from(name.as_str())));
        print(match self.render_as {
            RenderAs::Console => names.join("\n") + "\n",
            RenderAs::Json => json::write(&list()).map_err(text)? + "\n",
            RenderAs::Yaml => bunraku::notation::yaml::emit(&list()),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
