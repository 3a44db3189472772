//! Which code, which settings and which node a command works with.

use std::sync::Arc;

use bunraku::{
    Compiler, Disk, Environment, Hash, Library, Node, RubyOptions, RunMode, Settings, StandIns, Value, World, facts,
    library,
};
use bunraku_syntax::Issue;
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
        Ok(Compiler::new(environment, ruby)?.with_stand_ins(self.stand_ins()))
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
        self.node_with(&self.facts, name, environment)
    }

    /// The file or directory with the facts.
    pub(crate) fn facts_file(&self) -> Option<&str> {
        self.facts.as_deref()
    }

    /// The same with facts from another file.
    pub(crate) fn node_with(
        &self,
        facts: &Option<String>,
        name: Option<&str>,
        environment: &Environment,
    ) -> Result<Node, Issue> {
        let read = |path: &Option<String>| path.as_ref().map(|path| facts::read(&Disk, path)).transpose();
        let facts = match (facts, name) {
            (Some(directory), Some(name)) if Disk.is_dir(directory) => read(&Some(facts_in(directory, name)?))?,
            (None, Some(name)) => read(&kept_facts(name, &environment.settings)?)?,
            _ => read(facts)?,
        };
        let facts = facts.unwrap_or_default();
        let mut server_facts = Arc::unwrap_or_clone(read(&self.server_facts)?.unwrap_or_default());
        server_facts.insert("environment".into(), environment.name.as_str().into());
        let named = [facts.get_str("clientcert"), networking_fqdn(&facts), facts.get_str("fqdn")];
        let from_facts = named.into_iter().flatten().find_map(Value::as_str);
        let name = name.or(from_facts).ok_or_else(|| Issue::new("", NAMELESS))?;
        let (hostname, domain) = match name.split_once('.') {
            Some((hostname, domain)) => (hostname, Value::from(domain)),
            None => (name, Value::Undef),
        };
        let empty = || Value::Hash(Arc::default());
        let trusted = [
            ("authenticated", Value::from("remote")),
            ("certname", Value::from(name)),
            ("extensions", empty()),
            ("hostname", Value::from(hostname)),
            ("domain", domain),
            ("external", empty()),
        ];
        Ok(Node {
            trusted: Arc::new(trusted.into_iter().map(|(key, value)| (Value::from(key), value)).collect()),
            server_facts: Arc::new(server_facts),
            facts: facts.clone(),
            ..Node::new(name)
        })
    }
}

/// The file in which a server of Puppet keeps the facts of a node, if it does.
pub(crate) fn kept_facts(name: &str, settings: &Settings) -> Result<Option<String>, Issue> {
    // A name is no path.
    if name.contains('/') {
        return Ok(None);
    }
    let (yaml, json) = (settings.text("yamldir")?, settings.text("server_datadir")?);
    let paths = [format!("{yaml}/facts/{name}.yaml"), format!("{json}/facts/{name}.json")];
    Ok(paths.into_iter().find(|path| Disk.is_file(path)))
}

/// The file with the facts of a node in a directory.
fn facts_in(directory: &str, name: &str) -> Result<String, Issue> {
    let paths = ["yaml", "yml", "json"].map(|extension| format!("{directory}/{name}.{extension}"));
    let found = paths.into_iter().find(|path| Disk.is_file(path));
    found.ok_or_else(|| Issue::new("", format!("{directory} has no facts of the node {name}")))
}

const NAMELESS: &str = "the node has no name: give one, or facts that have one";

fn networking_fqdn(facts: &Hash) -> Option<&Value> {
    facts.get_str("networking")?.get("fqdn")
}
