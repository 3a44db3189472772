//! Which code, which settings and which node a command works with.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bunraku::facter::{Level, Options};
use bunraku::{
    Compiler, Disk, Environment, Hash, Issue, Library, Node, RubyFacts, RubyOptions, RunMode, Settings, StandIns,
    World, fact_set, facts, library, machine_facts, server_facts,
};
use clap::Args;

use crate::report::log;
use crate::settings::SettingFlags;

/// Flags of every command that evaluates code.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Setup {
    #[command(flatten)]
    settings: SettingFlags,
    /// The facts of the node: YAML or JSON; a directory with such a file for each node; or a system such as os:debian-12
    /// [default: those a server keeps of the node, or those of this machine]
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
    /// The facts of this machine, found out when they are needed.
    #[arg(skip)]
    machine: OnceLock<Arc<Hash>>,
}

/// The facts of a node.
pub(crate) struct NodeFacts {
    pub(crate) facts: Arc<Hash>,
    /// Whether they are those of this machine, for want of its own.
    pub(crate) is_machine: bool,
}

impl Setup {
    /// The settings of this run.
    pub(crate) fn settings(&self, run_mode: RunMode) -> Result<Settings, Issue> {
        self.settings.load(run_mode)
    }

    /// Whether the directories of environments are given.
    pub(crate) fn has_environmentpath(&self) -> bool {
        self.settings.environmentpath().is_some()
    }

    /// The same with other facts.
    pub(crate) fn with_facts(self, facts: String) -> Setup {
        Setup { facts: Some(facts), machine: OnceLock::new(), ..self }
    }

    /// The name of the environment that is given.
    pub(crate) fn environment_name(&self) -> Option<&str> {
        self.settings.environment_name()
    }

    /// The same for an environment in another directory.
    pub(crate) fn with_environment_in(self, directory: &str, name: String) -> Setup {
        Setup { settings: self.settings.with_environment_in(directory, name), ..self }
    }

    /// The same with other paths of code and data.
    pub(crate) fn with_paths(self, other: impl Fn(&Path) -> PathBuf) -> Setup {
        Setup { settings: self.settings.with_paths(other), ..self }
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

    /// A compiler for the catalog of this machine.
    pub(crate) fn own_compiler(&self, code: Option<&str>) -> Result<Compiler, Issue> {
        self.compiler_of(self.settings.environment_with_log(RunMode::User, code)?)
    }

    /// The same with other values of settings.
    pub(crate) fn with_settings(self, given: Vec<(&str, String)>) -> Setup {
        Setup { settings: self.settings.with(given), ..self }
    }

    /// The settings of a command that writes its log to where it is asked to.
    pub(crate) fn settings_with_log(&self, run_mode: RunMode) -> Result<Settings, Issue> {
        self.settings.load_with_log(run_mode)
    }

    /// Whether more messages than usual are to be shown.
    pub(crate) fn is_verbose(&self) -> bool {
        self.settings.is_verbose()
    }

    /// What resolves the values of a catalog that was compiled elsewhere: an environment without code of its own, with what
    /// was brought from the server as its modules.
    pub(crate) fn agent_compiler(&self, environment: &str, modulepath: &str) -> Result<Compiler, Issue> {
        let mut settings = self.settings.load_with_log(RunMode::Agent)?;
        settings.set("modulepath", modulepath);
        settings.set("code", "\n");
        self.compiler_of(Environment::without_directory(Arc::new(Disk), &settings, environment)?)
    }

    /// The same with another main manifest.
    pub(crate) fn with_manifest(self, path: String) -> Setup {
        Setup { settings: self.settings.with_manifest(path), ..self }
    }

    /// This machine as a node: with the facts that are given, or its own.
    pub(crate) fn own_node(&self, name: &str, environment: &Environment) -> Result<Node, Issue> {
        let facts = match self.facts_file() {
            Some(_) => self.read_facts(self.facts_file(), Some(name), environment)?.facts,
            None => self.machine_facts(environment),
        };
        self.known_node(name, &facts, environment)
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

    /// The native functions.
    pub(crate) fn library(&self, environment: &Environment) -> Library {
        let stand_ins = if self.no_stand_ins { StandIns::Never } else { StandIns::Known };
        library(environment.settings.target).with_stand_ins(stand_ins)
    }

    /// Whether the Ruby interpreter is installed.
    pub(crate) fn has_ruby(&self) -> bool {
        RubyOptions { ruby: self.ruby.clone(), ..RubyOptions::default() }.is_installed()
    }

    /// The node of this name, or of the name that its facts tell; without either it is this machine.
    pub(crate) fn node(&self, name: Option<&str>, environment: &Environment) -> Result<Node, Issue> {
        let NodeFacts { facts, is_machine } = self.read_facts(self.facts_file(), name, environment)?;
        let own = environment.settings.text("certname")?;
        match name {
            Some(name) if is_machine => warn_of_other(name, &own),
            _ => {}
        }
        let own = (is_machine || facts::node_name(&facts).is_none()).then_some(own.as_str());
        self.prepare(name.or(own), &facts, environment)
    }

    /// The same with these facts.
    pub(crate) fn prepare(&self, name: Option<&str>, facts: &Hash, environment: &Environment) -> Result<Node, Issue> {
        let name = name.or_else(|| facts::node_name(facts)).ok_or_else(|| Issue::new("", NAMELESS))?;
        let mut node = Node::prepare(name, facts, environment, &self.server_facts(environment)?)?;
        bunraku::trust_external(&mut node, environment)?;
        Ok(node)
    }

    /// The file or directory with the facts, or the name of a system.
    pub(crate) fn facts_file(&self) -> Option<&String> {
        self.facts.as_ref()
    }

    /// The node of this name as somebody on the server looks at it.
    pub(crate) fn known_node(&self, name: &str, facts: &Hash, environment: &Environment) -> Result<Node, Issue> {
        let mut node = Node::known(name, facts, environment, &self.server_facts(environment)?)?;
        bunraku::trust_external(&mut node, environment)?;
        Ok(node)
    }

    /// The facts that are given, or that a server keeps of the node, or else those of this machine.
    pub(crate) fn read_facts(
        &self,
        facts: Option<&String>,
        name: Option<&str>,
        environment: &Environment,
    ) -> Result<NodeFacts, Issue> {
        if facts.is_none()
            && let Some(name) = name
        {
            // A name that no node has is refused before anything is found out.
            Node::check_name(name)?;
        }
        let known = self.known_facts(facts, name, environment)?.map(|facts| NodeFacts { facts, is_machine: false });
        match known {
            Some(known) => Ok(known),
            None => Ok(NodeFacts { facts: self.machine_facts(environment), is_machine: true }),
        }
    }

    /// The facts that are given, or that a server keeps of the node.
    pub(crate) fn known_facts(
        &self,
        facts: Option<&String>,
        name: Option<&str>,
        environment: &Environment,
    ) -> Result<Option<Arc<Hash>>, Issue> {
        if let Some(system) = facts.and_then(|facts| facts.strip_prefix(SYSTEM)) {
            return fact_set(system).map(Arc::new).map(Some);
        }
        let path = match (facts, name) {
            (Some(directory), Some(name)) if Disk.is_dir(directory) => {
                Some(facts::in_directory(&Disk, directory, name)?)
            }
            (None, Some(name)) => facts::kept(&Disk, name, &environment.settings)?,
            (given, _) => given.cloned(),
        };
        path.map(|path| facts::read(&Disk, &path)).transpose()
    }

    /// The facts of this machine as its agent would send them, found out once.
    pub(crate) fn machine_facts(&self, environment: &Environment) -> Arc<Hash> {
        self.machine.get_or_init(|| Arc::new(self.find_facts(environment))).clone()
    }

    /// The same, found out now.
    pub(crate) fn find_facts(&self, environment: &Environment) -> Hash {
        let world: Arc<dyn World> = Arc::new(Disk);
        let ruby = self.ruby.to_string_lossy();
        let custom = RubyFacts { world: world.clone(), ruby: &ruby, settings: Some(&environment.settings) };
        // A setting that has another value is told where settings are read.
        let show_legacy = environment.settings.boolean("include_legacy_facts").unwrap_or_default();
        let facts = machine_facts(&world, environment, &custom, Options { show_legacy, ..Options::default() });
        for message in facts.messages.iter().filter(|message| message.level >= Level::Warn) {
            log("Warning", &format!("Facter: {}", message.text));
        }
        facts.values
    }

    fn server_facts(&self, environment: &Environment) -> Result<Hash, Issue> {
        match &self.server_facts {
            Some(path) => facts::read(&Disk, path).map(Arc::unwrap_or_clone),
            None => Ok(server_facts(&Disk, environment.settings.target)),
        }
    }
}

/// Says that a node is given the facts of this machine, which it is not.
pub(crate) fn warn_of_other(name: &str, own: &str) {
    if name != own {
        let advice = "those of this machine are used; give its own with --facts";
        log("Warning", &format!("No facts found for node {name}: {advice}"));
    }
}

/// How the names of systems begin, in the place of a file of facts.
const SYSTEM: &str = "os:";

const NAMELESS: &str = "no node name: pass one, or facts with `clientcert` or `fqdn`";
