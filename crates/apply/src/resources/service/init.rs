//! Services that scripts in `/etc/init.d` start and stop, where the first process is not systemd.

use bunraku_pcore::Value;
use fancy_regex::Regex;

use super::{RUNNING, run};
use crate::context::Context;
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, Property, Values, text_of};
use crate::resource::{Given, Managed, Site};

const UPDATE_RC: &str = "/usr/sbin/update-rc.d";
const INVOKE_RC: &str = "/usr/sbin/invoke-rc.d";
const SERVICE: &str = "/usr/sbin/service";

/// Who manages such services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    /// Debian's tools, which also say what happens at boot.
    Debian,
    /// The scripts alone.
    Init,
    /// Commands that the resource brings.
    Base,
}

impl Provider {
    /// The provider of a name; without one, that of this machine.
    pub(super) fn named(name: Option<&str>) -> Option<Provider> {
        let has_tools = [UPDATE_RC, INVOKE_RC, SERVICE].iter().all(|it| which(it, None).is_some());
        match name {
            None | Some("debian") if has_tools => Some(Provider::Debian),
            None | Some("init") if !has_own_tools() && std::path::Path::new("/etc/init.d").is_dir() => {
                Some(Provider::Init)
            }
            None | Some("base") => Some(Provider::Base),
            _ => None,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Provider::Debian => "debian",
            Provider::Init => "init",
            Provider::Base => "base",
        }
    }
}

/// Whether the system is one of those that have a provider of their own in the place of plain scripts.
fn has_own_tools() -> bool {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let words = release.lines().filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")));
    let mut words = words.flat_map(|line| line.trim_matches('"').split(' '));
    words.any(|word| matches!(word, "debian" | "ubuntu" | "rhel" | "fedora" | "centos"))
}

struct Script {
    name: String,
    reference: String,
    provider: Provider,
    properties: Vec<Property>,
    /// Commands that take the place of the script, by the word for what they do.
    commands: Vec<(&'static str, String)>,
    directories: Vec<String>,
    has_status: bool,
    has_restart: bool,
    pattern: String,
}

/// A service that is no unit of systemd.
pub(super) fn build(given: &Given<'_>, provider: Provider, properties: Vec<Property>) -> Box<dyn Managed> {
    let words = ["start", "stop", "restart", "status"];
    let command = |word: &'static str| given.text(word).map(|command| (word, command));
    let mut commands: Vec<_> = words.into_iter().filter_map(command).collect();
    if provider == Provider::Base && !commands.iter().any(|(word, _)| *word == "start") {
        commands.extend(given.text("binary").map(|binary| ("start", binary)));
    }
    let mut directories: Vec<String> =
        given.texts("path").iter().flat_map(|it| it.split(':')).map(str::to_owned).collect();
    if directories.is_empty() {
        directories.push("/etc/init.d".to_owned());
    }
    let name = given.text("name").unwrap_or_else(|| given.reference.title.to_string());
    let is_managed = |property: &Property| property.name == "ensure" || provider == Provider::Debian;
    Box::new(Script {
        reference: given.reference.to_string(),
        provider,
        properties: properties.into_iter().filter(is_managed).collect(),
        commands,
        directories,
        has_status: given.flag("hasstatus") != Some(false) && provider != Provider::Base,
        has_restart: given.flag("hasrestart") == Some(true),
        pattern: given.text("pattern").or_else(|| given.text("binary")).unwrap_or_else(|| name.clone()),
        name,
    })
}

impl Script {
    fn own(&self, word: &str) -> Option<Execution> {
        let found = self.commands.iter().find(|(known, _)| *known == word);
        found.map(|(_, command)| Execution::line(command))
    }

    fn script(&self) -> Outcome<String> {
        let paths = |end: &str| {
            let path = |directory: &String| format!("{directory}/{}{end}", self.name);
            self.directories.iter().map(path).collect::<Vec<_>>()
        };
        let mut paths = paths("").into_iter().chain(paths(".sh"));
        let found = paths.find(|path| std::path::Path::new(path).exists());
        found.ok_or_else(|| Fault::new(format!("Could not find init script for '{}'", self.name)))
    }

    /// The command for what is to be done; nothing where there is none.
    fn command(&self, word: &str) -> Outcome<Option<Execution>> {
        if let Some(command) = self.own(word) {
            return Ok(Some(command));
        }
        Ok(match (word, self.provider) {
            ("start", Provider::Base) => return Err(Fault::new("Services must specify a start command or a binary")),
            (_, Provider::Base) => None,
            ("status", Provider::Debian) if self.has_status => Some(Execution::new(&[SERVICE, &self.name, "status"])),
            ("status", Provider::Init) if self.has_status => Some(Execution::new(&[&*self.script()?, "status"])),
            ("status", _) => None,
            ("restart", _) if !self.has_restart => None,
            _ => Some(Execution::new(&[&*self.script()?, word])),
        })
    }

    /// The process whose command line matches.
    fn process(&self) -> Outcome<Option<String>> {
        let table = run(&Execution::new(&["ps", "-ef"]))?.text;
        let own = std::process::id().to_string();
        let mut lines = table.lines().map(|line| (line, line.split_whitespace().nth(1)));
        let pattern = Regex::new(&self.pattern).ok();
        let matches = |line: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(line).unwrap_or(false));
        let found = lines.find(|(line, pid)| *pid != Some(&own) && matches(line));
        Ok(found.and_then(|(_, pid)| pid.map(str::to_owned)))
    }

    fn is_running(&self) -> Outcome<bool> {
        match self.command("status")? {
            Some(command) => Ok(run(&command)?.code == Some(0)),
            None => Ok(self.process()?.is_some()),
        }
    }

    fn act(&self, word: &str) -> Outcome {
        let Some(command) = self.command(word)? else {
            return match (word, self.process()?) {
                ("stop", Some(pid)) => Execution::provider("kill", &[pid])?.succeed().map(drop),
                _ => Ok(()),
            };
        };
        let failed = |fault: Fault| Fault::new(format!("Could not {word} {}: {fault}", self.reference));
        command.succeed().map(drop).map_err(failed)
    }

    fn is_enabled(&self) -> Outcome<bool> {
        let output = run(&Execution::new(&[INVOKE_RC, "--quiet", "--query", &self.name, "start"]))?;
        Ok(match output.code {
            Some(104 | 106) => true,
            Some(101 | 105) => self.start_links() >= 4,
            _ => false,
        })
    }

    /// In how many runlevels it is started.
    fn start_links(&self) -> usize {
        let names = |directory: &std::path::Path| {
            let entries = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let etc = std::path::Path::new("/etc");
        let levels = names(etc).into_iter().filter(|name| name.starts_with("rc") && name.ends_with(".d"));
        let is_start = |name: &String| name.starts_with('S') && name.get(3..) == Some(&self.name);
        levels.flat_map(|level| names(&etc.join(level))).filter(is_start).count()
    }

    fn set_enabled(&self, is_enabled: bool) -> Outcome {
        let update = |arguments: &[&str]| Execution::new(&[&[UPDATE_RC], arguments].concat()).succeed().map(drop);
        if !is_enabled {
            return update(&[&self.name, "disable"]);
        }
        update(&["-f", &self.name, "remove"])?;
        update(&[&self.name, "defaults"])
    }

    fn wanted(&self, name: &str) -> Option<String> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(text_of(&property.desired()))
    }
}

impl Managed for Script {
    fn provider(&self) -> Option<&str> {
        Some(self.provider.name())
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        for property in &self.properties {
            let value = match property.name {
                "ensure" if self.is_running()? => RUNNING.into(),
                "ensure" => "stopped".into(),
                _ => self.is_enabled()?.to_string().into(),
            };
            values.set(property.name, value);
        }
        Ok(values)
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        if property.name == "enable" {
            return self.set_enabled(self.wanted("enable").as_deref() == Some("true"));
        }
        self.act(if property.desired().as_str() == Some(RUNNING) { "start" } else { "stop" })?;
        // What happens at boot follows without an event of its own.
        match self.wanted("enable") {
            Some(enable) if self.is_enabled()?.to_string() != enable => self.set_enabled(enable == "true"),
            _ => Ok(()),
        }
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        super::change(property, from)
    }

    fn event_name(&self, _: &str, property: &Property) -> String {
        super::event_name(property)
    }

    fn spares_refresh(&self, property: &Property) -> bool {
        super::spares_refresh(property)
    }

    fn is_refreshable(&self) -> bool {
        true
    }

    fn refresh(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        if !self.is_running()? {
            let message = "Skipping restart; service is not running";
            site.say(&mut context.log, Level::Debug, message);
            return Ok(());
        }
        if self.command("restart")?.is_some() {
            return self.act("restart");
        }
        self.act("stop")?;
        self.act("start")
    }

    fn shown(&self, _: &str, value: &Value, _: &mut Context<'_>) -> String {
        property::shown(value)
    }
}
