//! What commands ask the server of this machine's agent: with the agent's settings and its certificate.

use bunraku::apply::{Level, Log};
use bunraku::{Compiler, Hash, RunMode, Settings};
use bunraku_agent::{Asked, Client, Identity, Plugins, Server, stand_for_module};

use crate::apply::destinations;
use crate::setup::Setup;

/// The server, and who asks it.
pub(crate) struct Remote<'a> {
    setup: &'a Setup,
    pub(crate) settings: Settings,
    pub(crate) name: String,
    pub(crate) server: Server,
    pub(crate) log: Log,
    environment: String,
}

impl<'a> Remote<'a> {
    /// The server that the settings name. The certificate must be there: it is not asked for.
    pub(crate) fn connect(setup: &'a Setup) -> Result<Remote<'a>, String> {
        let settings = setup.settings_with_log(RunMode::Agent).map_err(|issue| issue.to_string())?;
        let text = |name: &str| settings.text(name).map_err(|issue| issue.to_string());
        let level = Level::named(&text("log_level")?).unwrap_or(Level::Notice);
        let log = Log::new(level, destinations(&settings)?);
        let (identity, _) = Identity::kept(&settings)
            .map_err(|reason| format!("Failed to initialize SSL: {reason}\nRun `bunraku agent -t`"))?;
        let server = Server::new(Client::of("server", "serverport", &identity, &settings, &log)?);
        Ok(Remote { setup, name: text("certname")?, environment: text("environment")?, server, log, settings })
    }

    /// Brings the plugins; the files that have changed.
    pub(crate) fn bring_plugins(&mut self) -> Result<Vec<String>, String> {
        Plugins::new(&self.settings)?.bring(&mut self.server, &self.environment, &mut self.log)
    }

    /// The facts of this machine, with the plugins that are there.
    fn facts(&self) -> Result<Hash, String> {
        let modules = stand_for_module(&self.settings)?;
        let compiler: Compiler = self
            .setup
            .agent_compiler(&self.environment, &modules.to_string_lossy())
            .map_err(|issue| issue.to_string())?;
        Ok(self.setup.find_facts(compiler.environment()))
    }

    /// Sends the facts of this machine.
    pub(crate) fn send_facts(&mut self) -> Result<(), String> {
        let facts = self.facts()?;
        let server = self.settings.text("server").map_err(|issue| issue.to_string())?;
        self.log.say(Level::Notice, format!("Uploading facts for '{}' to '{server}'", self.name));
        self.server.send_facts(&self.name, &facts, &self.environment).map_err(|failure| failure.to_string())
    }

    /// The catalog of this machine, as it is sent.
    pub(crate) fn catalog(&mut self) -> Result<String, String> {
        let facts = self.facts()?;
        let asked = Asked { environment: self.environment.clone(), ..Asked::default() };
        self.server.catalog(&self.name, &facts, &asked).map_err(|failure| failure.to_string())
    }
}
