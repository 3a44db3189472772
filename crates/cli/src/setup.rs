//! Which code, which settings and which node a command works with.

use std::sync::Arc;

use bunraku::{
    Compiler, Disk, Environment, Hash, Issue, Library, Node, RubyOptions, RunMode, Settings, StandIns, World, facts,
    library, server_facts,
};
use clap::Args;

use crate::settings::SettingFlags;

/// Flags of every command that evaluates code.
#[derive(Debug, Default, Args)]
pub(crate) struct Setup {
    #[command(flatten)]
    settings: SettingFlags,
    /// The facts of the node: YAML or JSON; or a directory with such a file for each node
    #[arg(long, value_name = "FILE", help_heading = "Node")]
    facts: Option<String>,
    /// What the server says about itself in $server_facts: YAML or JSON
    #[arg(long = "server_facts", value_name = "FILE", help_heading = "Node")]
    server_facts: Option<String>,
    /// The Ruby interpreter for templates and functions in Ruby
    #[arg(long, value_name = "PROGRAM", help_heading = "Ruby", default_value = "ruby")]
    ruby: std::path::PathBuf,
    /// How long one template or function in Ruby may take
    #[arg(long = "ruby-timeout", value_name = "SECONDS", help_heading = "Ruby", default_value = "10")]
    ruby_timeout: u64,
    /// Run the modules' own Ruby functions even where a native function was written from the same file
    #[arg(long = "no-stand-ins", help_heading = "Ruby")]
    no_stand_ins: bool,
}

impl Setup {
    /// The settings of this run.
    pub(crate) fn settings(&self, run_mode: RunMode) -> Result<Settings, Issue> {
        self.settings.load(run_mode)
    }

    /// The same for another environment.
    pub(crate) fn in_environment(self, name: String) -> Setup {
        Setup { settings: self.settings.in_environment(name), ..self }
    }

    /// The environment that is asked for. Code given on the command line takes the place of the main manifests.
    pub(crate) fn environment(&self, run_mode: RunMode, code: Option<&str>) -> Result<Environment, Issue> {
        self.settings.environment(run_mode, code)
    }

    /// A compiler for the environment that is asked for.
    pub(crate) fn compiler(&self, run_mode: RunMode, code: Option<&str>) -> Result<Compiler, Issue> {
        self.compiler_of(self.environment(run_mode, code)?)
    }

    /// A compiler for another environment than the one that is asked for.
    pub(crate) fn compiler_for(&self, name: &str) -> Result<Compiler, Issue> {
        self.compiler_of(Environment::open(Arc::new(Disk), &self.settings(RunMode::Server)?, name)?)
    }

    fn compiler_of(&self, environment: Environment) -> Result<Compiler, Issue> {
        let time_limit = std::time::Duration::from_secs(self.ruby_timeout.max(1));
        let ruby = RubyOptions { ruby: self.ruby.clone(), time_limit, ..RubyOptions::default() };
        let library = self.library(&environment);
        Ok(Compiler::new(environment, ruby)?.with_library(library))
    }

    fn stand_ins(&self) -> StandIns {
        if self.no_stand_ins { StandIns::Never } else { StandIns::Known }
    }

    /// The native functions.
    pub(crate) fn library(&self, environment: &Environment) -> Library {
        library(environment.settings.target).with_stand_ins(self.stand_ins())
    }

    /// Whether the Ruby interpreter is installed.
    pub(crate) fn has_ruby(&self) -> bool {
        RubyOptions { ruby: self.ruby.clone(), ..RubyOptions::default() }.is_installed()
    }

    /// The node of this name, or of the name that its facts tell.
    pub(crate) fn node(&self, name: Option<&str>, environment: &Environment) -> Result<Node, Issue> {
        self.prepare(name, &*self.read_facts(self.facts_file(), name, environment)?, environment)
    }

    /// The same with these facts.
    pub(crate) fn prepare(&self, name: Option<&str>, facts: &Hash, environment: &Environment) -> Result<Node, Issue> {
        let name = name.or_else(|| facts::node_name(facts)).ok_or_else(|| Issue::new("", NAMELESS))?;
        Node::prepare(name, facts, environment, &self.server_facts(environment)?)
    }

    /// The file or directory with the facts.
    pub(crate) fn facts_file(&self) -> Option<&String> {
        self.facts.as_ref()
    }

    /// The node of this name as somebody on the server looks at it.
    pub(crate) fn known_node(&self, name: &str, facts: &Hash, environment: &Environment) -> Result<Node, Issue> {
        Node::known(name, facts, environment, &self.server_facts(environment)?)
    }

    /// The facts that are given, or that a server keeps of the node.
    pub(crate) fn read_facts(
        &self,
        facts: Option<&String>,
        name: Option<&str>,
        environment: &Environment,
    ) -> Result<Arc<Hash>, Issue> {
        let path = match (facts, name) {
            (Some(directory), Some(name)) if Disk.is_dir(directory) => {
                Some(facts::in_directory(&Disk, directory, name)?)
            }
            (None, Some(name)) => facts::kept(&Disk, name, &environment.settings)?,
            (given, _) => given.cloned(),
        };
        path.map_or_else(|| Ok(Arc::default()), |path| facts::read(&Disk, &path))
    }

    fn server_facts(&self, environment: &Environment) -> Result<Hash, Issue> {
        match &self.server_facts {
            Some(path) => facts::read(&Disk, path).map(Arc::unwrap_or_clone),
            None => Ok(server_facts(&Disk, environment.settings.target)),
        }
    }
}

const NAMELESS: &str = "no node name: pass one, or facts with `clientcert` or `fqdn`";
