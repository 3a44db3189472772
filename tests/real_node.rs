//! A node of real code: where its manifest, modules, facts and data are, and how it is compiled.

use std::sync::Arc;

use bunraku::{Compiler, Disk, Environment, Hash, Node, Outcome, RubyOptions, RunMode, Settings, facts};

/// A node on disk.
pub struct RealNode<'a> {
    /// The name in its certificate.
    pub certname: &'a str,
    /// The file with its facts.
    pub facts: &'a str,
    /// The directory of its environment, for data of its own.
    pub environment: Option<&'a str>,
    /// What differs from the defaults, the manifest and the path of modules among it.
    pub settings: Vec<(&'a str, &'a str)>,
    /// What the server says of itself.
    pub server_facts: Vec<(&'a str, &'a str)>,
}

impl RealNode<'_> {
    /// Compiles the node in an environment that is read anew.
    pub fn compile(&self) -> Result<Outcome, String> {
        let mut settings = Settings::new(RunMode::Server);
        for (name, value) in &self.settings {
            settings.set(name, *value);
        }
        let world = Arc::new(Disk);
        let environment = match self.environment {
            Some(directory) => Environment::at(world.clone(), &settings, "production", directory),
            None => Environment::without_directory(world.clone(), &settings, "production"),
        };
        let environment = environment.map_err(|issue| issue.to_string())?;
        let compiler = Compiler::new(environment, RubyOptions::default()).map_err(|issue| issue.to_string())?;
        let facts = facts::read(&*world, self.facts).map_err(|issue| issue.to_string())?;
        let server_facts: Hash =
            self.server_facts.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        let node = Node::prepare(self.certname, &facts, compiler.environment(), &server_facts);
        Ok(compiler.compile(&node.map_err(|issue| issue.to_string())?))
    }
}
