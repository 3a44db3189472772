//! `service`: units of systemd, through `systemctl`; elsewhere what scripts start.

mod init;
mod units;

pub(crate) use units::Units;

use bunraku_pcore::Value;

use crate::context::Context;
use crate::execution::{Execution, Failure, Output, which};
use crate::fault::{Fault, Outcome};
use crate::property::{self, Property, Values, text_of};
use crate::resource::{Given, Managed, Site};

const RUNNING: &str = "running";
const MASK: &str = "mask";

struct Service {
    name: String,
    properties: Vec<Property>,
    /// Commands that take the place of those of systemd, by the word for what they do.
    commands: Vec<(&'static str, String)>,
    /// What systemd says about the unit at boot.
    state: String,
}

/// Whether the first process is systemd.
fn has_systemd() -> bool {
    std::fs::read_to_string("/proc/1/comm").is_ok_and(|name| name.trim() == "systemd")
}

/// Whether this machine has the provider that is asked for, or any.
pub(super) fn is_suitable(given: &Given<'_>) -> bool {
    match (given.text("provider").as_deref(), has_systemd()) {
        (None | Some("systemd"), true) | (Some("base"), _) => true,
        (Some("systemd" | "debian"), _) => !has_systemd() && given.text("provider").as_deref() == Some("debian"),
        (name, _) => init::Provider::named(name).is_some(),
    }
}

/// The units that there are.
pub(super) fn instances(_: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    let arguments = ["list-unit-files", "--type", "service", "--full", "--all", "--no-pager"];
    let text = Execution::provider("systemctl", &arguments.map(str::to_owned))?.succeed()?;
    let unit = |line: &'_ str| -> Option<String> {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        let is_state = |word: &str| matches!(word, "disabled" | "enabled" | "masked" | "indirect" | "bad" | "static");
        words.next().filter(|word| is_state(word)).map(|_| name)
    };
    let names: Vec<String> = text.lines().filter_map(unit).collect();
    Ok(super::named(names.iter().map(String::as_str)))
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.text("provider");
    let is_unit = has_systemd() && name.as_deref().is_none_or(|name| name == "systemd");
    let script = init::Provider::named(name.as_deref()).filter(|_| !is_unit);
    let known = if is_unit { Some("systemd") } else { script.as_ref().map(|script| script.name()) };
    let value = given.text("enable").unwrap_or_default();
    let feature = match value.as_str() {
        "manual" | "delayed" => Some(format!("{value}_startable")),
        MASK if !is_unit => Some("maskable".to_owned()),
        _ => None,
    };
    if let (Some(known), Some(feature)) = (known, feature) {
        let reason = format!("Provider {known} must have features '{feature}' to set 'enable' to '{value}'");
        return Err(given.refuse("enable", &reason));
    }
    let mut properties = given.properties(&["ensure", "enable"]);
    for value in properties.iter_mut().flat_map(|property| property.should.iter_mut().flatten()) {
        *value = text_of(value).as_str().into();
    }
    for property in properties.iter_mut().filter(|property| property.name == "ensure") {
        for value in property.should.iter_mut().flatten() {
            match value.as_str() {
                Some("true") => *value = RUNNING.into(),
                Some("false") => *value = "stopped".into(),
                _ => {}
            }
        }
    }
    if let Some(provider) = script {
        return Ok(init::build(given, provider, properties));
    }
    let words = ["start", "stop", "restart", "status"];
    let commands = words.into_iter().filter_map(|word| given.text(word).map(|command| (word, command))).collect();
    Ok(Box::new(Service { name: given.name("name"), properties, commands, state: String::new() }))
}

impl Service {
    fn systemctl(&self, verb: &[&str]) -> Outcome<Output> {
        let mut arguments: Vec<String> = verb.iter().map(|word| (*word).to_owned()).collect();
        arguments.extend(["--".to_owned(), self.name.clone()]);
        run(&Execution::provider("systemctl", &arguments)?)
    }

    fn own(&self, word: &str) -> Option<&str> {
        self.commands.iter().find(|(known, _)| *known == word).map(|(_, command)| command.as_str())
    }

    fn is_running(&self, context: &mut Context<'_>) -> Outcome<bool> {
        if let Some(command) = self.own("status") {
            return Ok(run(&Execution::line(command))?.code == Some(0));
        }
        if let Some(state) = units::state("is-active", &self.name, context) {
            return Ok(matches!(state.as_str(), "active" | "reloading"));
        }
        Ok(self.systemctl(&["is-active"])?.code == Some(0))
    }

    /// Whether the unit is started at boot: `true`, `false`, or `mask` where that is wanted.
    fn enabled(&mut self, context: &mut Context<'_>) -> Outcome<Value> {
        let is_enabled = match units::state("is-enabled", &self.name, context) {
            Some(state) => {
                self.state = state;
                matches!(
                    self.state.as_str(),
                    "enabled" | "enabled-runtime" | "alias" | "static" | "indirect" | "generated" | "transient"
                )
            }
            None => {
                let Output { code, text, .. } = self.systemctl(&["is-enabled"])?;
                self.state = text.lines().last().unwrap_or_default().trim().to_owned();
                code == Some(0)
            }
        };
        let wants_mask = self.wanted("enable").as_deref() == Some(MASK);
        let is_enabled = match self.state.as_str() {
            "masked" if wants_mask => return Ok(MASK.into()),
            "indirect" => false,
            _ if is_enabled => true,
            "" => self.is_enabled_by_script()?,
            _ => false,
        };
        Ok(is_enabled.to_string().into())
    }

    /// Whether Debian's scripts start what systemd does not know.
    fn is_enabled_by_script(&self) -> Outcome<bool> {
        if which("invoke-rc.d", None).is_none() {
            return Ok(false);
        }
        let arguments = ["--quiet", "--query", &self.name, "start"].map(str::to_owned);
        let output = run(&Execution::provider("invoke-rc.d", &arguments)?)?;
        Ok(matches!(output.code, Some(104 | 106)))
    }

    fn wanted(&self, name: &str) -> Option<String> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(text_of(&property.desired()))
    }

    fn reload_units(&self) -> Outcome {
        let shown = self.systemctl(&["show", "--property=NeedDaemonReload"])?;
        if shown.text.trim() == "NeedDaemonReload=yes" {
            run(&Execution::provider("systemctl", &["daemon-reload".to_owned()])?)?;
        }
        Ok(())
    }

    /// Has systemd, or a command that takes its place, do something to the unit.
    fn act(&self, verb: &str) -> Outcome {
        let is_done = match self.own(verb) {
            Some(command) => run(&Execution::line(command))?.code == Some(0),
            // What is masked cannot be started.
            None if verb == "start" && self.change_boot("unmask").is_err() => false,
            None => self.systemctl(&[verb])?.code == Some(0),
        };
        if is_done {
            return Ok(());
        }
        let name = &self.name;
        let arguments = ["-n", "50", "--since", "5 minutes ago", "-u", name, "--no-pager"].map(str::to_owned);
        let journal = Execution::provider("journalctl", &arguments).and_then(|command| run(&command));
        let journal = journal.map(|output| output.text).unwrap_or_default();
        Err(Fault::new(format!("Systemd {verb} for {name} failed!\njournalctl log for {name}:\n{journal}")))
    }

    fn change_boot(&self, verb: &str) -> Outcome {
        let output = self.systemctl(&[verb])?;
        match output.code {
            Some(0) => Ok(()),
            // Compatibility: the reference has nothing to say about why.
            _ => Err(Fault::new(format!("Could not {verb} {}: ", self.name))),
        }
    }

    fn set_enable(&self) -> Outcome {
        match self.wanted("enable").as_deref() {
            Some(MASK) => {
                if self.systemctl(&["cat"])?.code == Some(0) {
                    self.change_boot("disable")?;
                }
                self.change_boot("mask")
            }
            Some("true") => self.change_boot("unmask").and_then(|()| self.change_boot("enable")),
            _ => self.change_boot("disable"),
        }
    }

    fn is_enable_insync(&self, current: &Value) -> bool {
        let wanted = self.wanted("enable");
        match self.state.as_str() {
            "static" if wanted.as_deref() != Some(MASK) => true,
            "indirect" => true,
            _ => current.as_str() == wanted.as_deref(),
        }
    }
}

/// Runs a command to its end, whatever it comes to.
fn run(command: &Execution) -> Outcome<Output> {
    command.run().map_err(|failure| match failure {
        Failure::TimedOut => Fault::new("Command exceeded timeout"),
        Failure::NotStarted(fault) => fault,
    })
}

fn change(property: &Property, from: &Value) -> String {
    let (from, to) = (property::shown(from), property::shown(&property.desired()));
    format!("{} changed {from} to {to}", property.name)
}

fn event_name(property: &Property) -> String {
    match (property.name, property.desired().as_str()) {
        ("ensure", Some(RUNNING)) => "service_started",
        ("ensure", _) => "service_stopped",
        (_, Some("true")) => "service_enabled",
        _ => "service_disabled",
    }
    .to_owned()
}

/// A service that has just been started needs no refresh.
fn spares_refresh(property: &Property) -> bool {
    property.name == "ensure" && property.desired().as_str() == Some(RUNNING)
}

impl Managed for Service {
    fn provider(&self) -> Option<&str> {
        Some("systemd")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        for property in self.properties.clone() {
            let value = match property.name {
                "ensure" if self.is_running(context)? => RUNNING.into(),
                "ensure" => "stopped".into(),
                _ => self.enabled(context)?,
            };
            values.set(property.name, value);
        }
        Ok(values)
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok(match property.name {
            "enable" => self.is_enable_insync(current),
            _ => property.matches(current),
        })
    }

    fn was_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok(property.matches(current))
    }

    fn sync(&mut self, property: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        if property.name == "enable" {
            return self.set_enable();
        }
        if property.desired().as_str() == Some(RUNNING) {
            self.reload_units()?;
            self.act("start")?;
        } else {
            self.act("stop")?;
        }
        // What happens at boot follows without an event of its own.
        if self.wanted("enable").is_some() {
            context.changes += 1;
            let current = self.enabled(context)?;
            if !self.is_enable_insync(&current) {
                self.set_enable()?;
            }
        }
        Ok(())
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        change(property, from)
    }

    fn event_name(&self, _: &str, property: &Property) -> String {
        event_name(property)
    }

    fn spares_refresh(&self, property: &Property) -> bool {
        spares_refresh(property)
    }

    fn is_refreshable(&self) -> bool {
        true
    }

    fn refresh(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome {
        if !self.is_running(context)? {
            return Ok(());
        }
        self.reload_units()?;
        self.act("restart")
    }
}
