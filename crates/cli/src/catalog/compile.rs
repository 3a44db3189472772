//! `bunraku catalog compile`: compiles the catalog of a node.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use bunraku::{Disk, Environment, RunMode, Settings};
use bunraku_catalog::wire;
use clap::ValueEnum;

use crate::catalog::failure;
use crate::node;

/// Compile the catalog of a node.
#[derive(Debug, clap::Args)]
pub(crate) struct Compile {
    /// The certificate name of the node; by default that of the facts.
    node: Option<String>,
    /// A file with the facts of the node, as YAML or JSON.
    #[arg(long)]
    facts: Option<PathBuf>,
    /// A file with what the server says about itself, as YAML or JSON.
    #[arg(long = "server_facts")]
    server_facts: Option<PathBuf>,
    /// The form in which the catalog is written.
    #[arg(long = "render-as", default_value = "json")]
    render_as: RenderAs,
    /// Leave out what differs from one compilation to the next.
    #[arg(long)]
    reproducible: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Puppet's flags for its settings.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SettingFlags {
    /// The environment.
    #[arg(long, default_value = "production")]
    pub(crate) environment: String,
    /// Where environments are.
    #[arg(long)]
    pub(crate) environmentpath: Option<String>,
    /// Where modules are.
    #[arg(long)]
    pub(crate) modulepath: Option<String>,
    /// The manifest that is evaluated first.
    #[arg(long)]
    pub(crate) manifest: Option<String>,
    /// The configuration of the global layer of Hiera.
    #[arg(long = "hiera_config")]
    pub(crate) hiera_config: Option<String>,
    /// What happens to questionable code: off, warning or error.
    #[arg(long)]
    pub(crate) strict: Option<String>,
    /// Unknown variables are errors.
    #[arg(long = "strict_variables", overrides_with = "no_strict_variables")]
    pub(crate) strict_variables: bool,
    /// Unknown variables are not errors.
    #[arg(long = "no-strict_variables")]
    pub(crate) no_strict_variables: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RenderAs {
    Json,
    Yaml,
}

impl Compile {
    /// Runs the command: the catalog goes to standard output, everything else to standard error.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let environment = Arc::new(self.settings.environment()?);
        let facts = self.facts.as_deref().map(node::read_facts).transpose()?.unwrap_or_default();
        let server_facts = self.server_facts.as_deref().map(node::read_facts).transpose()?.unwrap_or_default();
        let node = node::from_facts(self.node.as_deref(), facts, server_facts, &environment.name)?;
        let compiled = bunraku::compile_with_ruby(&environment, &node);
        for log in &compiled.logs {
            anstream::eprintln!("{}", failure::log_text(&environment, log));
        }
        let mut catalog = match compiled.catalog {
            Ok(catalog) => catalog,
            Err(failed) => {
                for text in failure::texts(&environment, &failed, &node.name) {
                    anstream::eprintln!("Error: {text}");
                }
                return Ok(ExitCode::FAILURE);
            }
        };
        // Agents do not get what is exported to others.
        catalog.retain(|resource| !resource.is_virtual);
        let options = wire::Options { is_pretty: true, is_reproducible: self.reproducible };
        let written = match self.render_as {
            RenderAs::Json => wire::to_json(&catalog, options),
            RenderAs::Yaml => wire::to_yaml(&catalog, options),
        };
        anstream::println!("{}", written.map_err(|issue| issue.to_string())?);
        Ok(ExitCode::SUCCESS)
    }
}

impl SettingFlags {
    /// The environment that the flags choose.
    pub(crate) fn environment(&self) -> Result<Environment, String> {
        let mut settings = Settings::new(RunMode::Server);
        let texts = [
            ("environmentpath", &self.environmentpath),
            ("modulepath", &self.modulepath),
            ("manifest", &self.manifest),
            ("hiera_config", &self.hiera_config),
            ("strict", &self.strict),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                settings.set(name, value.as_str());
            }
        }
        if self.strict_variables || self.no_strict_variables {
            settings.set("strict_variables", if self.no_strict_variables { "false" } else { "true" });
        }
        let world = Arc::new(Disk);
        let opened = Environment::open(world.clone(), &settings, &self.environment);
        // With a manifest of its own an environment needs no folder.
        let opened = match (opened, &self.manifest) {
            (Err(_), Some(_)) => Environment::without_folder(world, &settings, &self.environment),
            (opened, _) => opened,
        };
        opened.map_err(|issue| issue.to_string())
    }
}
