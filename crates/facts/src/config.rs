//! `facter.conf`: which facts are blocked or kept, and where others come from.

use std::time::Duration;

use bunraku_environment::World;
use bunraku_environment::world::expand;
use bunraku_notation::hocon;
use bunraku_pcore::Value;

use crate::fact::part;
use crate::groups::{Groups, strings};
use crate::host::Host;
use crate::message::Level;

/// Where the file is, by the vendor's and the distributions' packages.
const PLACES: [&str; 2] = ["/etc/puppetlabs/facter/facter.conf", "/etc/facter/facter.conf"];

/// Units of time with their length in nanoseconds.
const UNITS: [(&[&str], u64); 7] = [
    (&["ns", "nanos", "nanoseconds"], 1),
    (&["us", "micros", "microseconds"], 1_000),
    (&["ms", "milis", "milliseconds"], 1_000_000),
    (&["s", "seconds"], 1_000_000_000),
    (&["m", "minutes"], 60_000_000_000),
    (&["h", "hours"], 3_600_000_000_000),
    (&["d", "days"], 86_400_000_000_000),
];

/// What a configuration file says.
#[derive(Debug, Clone)]
pub struct Config {
    value: Value,
    /// The groups of facts.
    pub groups: Groups,
    /// The names of facts, groups or files that are left out.
    pub blocked: Vec<String>,
    /// How long the facts of a group, or of a file, are kept.
    pub kept: Vec<(String, Duration)>,
}

impl Config {
    /// Reads the file that is named, or the one of this machine. A broken one is warned about and left out.
    pub(crate) fn read(host: &Host<'_>, path: Option<&str>) -> Config {
        let world: &dyn World = host.world;
        let path = path.or_else(|| PLACES.into_iter().find(|path| world.is_file(path)));
        let text = path.and_then(|path| host.read(path));
        let value = text.map_or(Ok(Value::Undef), |text| hocon::value(&text)).unwrap_or_else(|problem| {
            let path = path.map(|path| expand(&world.current_dir(), path)).unwrap_or_default();
            let problem = problem.to_string();
            let problem = problem.strip_prefix("String: ").unwrap_or(&problem);
            let text = format!("Facter failed to read config file {path} with the following error: {path}: {problem}");
            host.say(Level::Warn, "Facter::ConfigReader", text);
            Value::Undef
        });
        let groups = Groups::new(part(&value, "fact-groups").unwrap_or(&Value::Undef));
        let listed = strings(part(&value, "facts.blocklist").unwrap_or(&Value::Undef));
        let facts = |name: &String| groups.facts(name).map_or_else(|| vec![name.clone()], <[String]>::to_vec);
        let is_legacy = listed.iter().any(|name| name == "legacy");
        let mut blocked: Vec<String> = listed.iter().filter(|name| *name != "legacy").flat_map(facts).collect();
        blocked.extend(is_legacy.then(|| "legacy".to_owned()));
        let mut kept = Vec::new();
        if let Some(Value::Array(entries)) = part(&value, "facts.ttls") {
            for (name, time) in entries
                .iter()
                .filter_map(|entry| match entry {
                    Value::Hash(entry) => Some(entry.iter()),
                    _ => None,
                })
                .flatten()
            {
                match duration(&time.to_string()) {
                    Ok(time) => kept.push((name.to_string(), time)),
                    Err(problem) => host.say(Level::Error, "Facter::FactGroups", problem),
                }
            }
        }
        Config { value, groups, blocked, kept }
    }

    /// Directories that the configuration names.
    pub(crate) fn directories(&self, name: &str) -> Vec<String> {
        self.setting(name).map(strings).unwrap_or_default()
    }

    /// Whether a switch of the configuration is on.
    pub fn is_on(&self, name: &str) -> bool {
        matches!(self.setting(name), Some(Value::Boolean(true)))
    }

    /// The level of messages that the configuration asks for.
    pub fn log_level(&self) -> Option<String> {
        let cli = self.value.get("cli")?;
        let is_on = |name| matches!(cli.get(name), Some(Value::Boolean(true)));
        match (is_on("debug") || is_on("trace"), is_on("verbose")) {
            (true, _) => Some("debug".to_owned()),
            (_, true) => Some("info".to_owned()),
            _ => cli.get("log-level").map(ToString::to_string),
        }
    }

    fn setting(&self, name: &str) -> Option<&Value> {
        self.value.get("global")?.get(name)
    }

    /// The group in which a fact or a file is kept, and how long.
    pub(crate) fn kept_in(&self, name: &str) -> Option<(&str, Duration)> {
        let is_in = |group: &str| {
            let is_part =
                |fact: &str| name == fact || name.strip_prefix(fact).is_some_and(|rest| rest.starts_with('.'));
            self.groups.facts(group).map_or_else(|| is_part(group), |facts| facts.iter().any(|fact| is_part(fact)))
        };
        self.kept.iter().find(|(group, _)| is_in(group)).map(|(group, time)| (group.as_str(), *time))
    }
}

/// The length of a time such as `30 days`; without a unit, milliseconds are meant.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_once(' ').unwrap_or((text, "ms"));
    let unit = unit.trim();
    let plural = if unit.len() > 2 && !unit.ends_with('s') { format!("{unit}s") } else { unit.to_owned() };
    let length = UNITS.iter().find(|(names, _)| names.contains(&plural.as_str())).map(|(_, length)| *length);
    let names: Vec<&str> = UNITS.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    let length = length.ok_or_else(|| format!("Could not parse time unit {plural} (try {})", names.join(", ")))?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    Ok(Duration::from_nanos(digits.parse::<u64>().unwrap_or(0).saturating_mul(length)))
}
