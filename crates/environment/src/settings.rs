//! Puppet's settings: from the command line, `environment.conf`, `puppet.conf` and the defaults of Puppet 8,
//! with `$name` interpolation between them.

mod configuration_file;
mod defaults;
mod edit;
mod environment_conf;
mod layout;
mod target;

pub use configuration_file::ConfigurationFile;
pub use defaults::{DEFAULTS, Kind};
pub use edit::ConfigurationText;
pub use environment_conf::EnvironmentConf;
pub use target::Target;

use std::io::ErrorKind;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use bunraku_syntax::Issue;
pub use bunraku_syntax::Strict;

use self::layout::Layout;
use crate::issues;
use crate::world::{World, decode, expand, host_name};

/// Settings refer to each other at most this deep; a deeper reference is a cycle.
const INTERPOLATION_LIMIT: usize = 32;

/// Texts by setting name.
pub type Layer = IndexMap<String, String, FxBuildHasher>;

/// What the program does: it selects a section of `puppet.conf` that goes before `[main]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunMode {
    /// `apply`, `lookup`, `config` and the other commands.
    #[default]
    User,
    /// The agent.
    Agent,
    /// The compiler of catalogs for other nodes.
    Server,
}

impl RunMode {
    /// The name, as `$run_mode` and the section of `puppet.conf` have it.
    pub fn name(self) -> &'static str {
        match self {
            RunMode::User => "user",
            RunMode::Agent => "agent",
            RunMode::Server => "server",
        }
    }
}

/// The value of a setting after interpolation and conversion.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingValue {
    /// Not set and without a default.
    Absent,
    /// A boolean.
    Boolean(bool),
    /// A number, or seconds.
    Integer(i64),
    /// An endless time to live.
    Unlimited,
    /// Text.
    Text(String),
    /// A list of words.
    List(Vec<String>),
}

/// All settings of a run, layered: the first layer that has a name decides.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What the program does.
    pub run_mode: RunMode,
    /// The release to be compatible with.
    pub target: Target,
    /// Given by the user for this run.
    command_line: Layer,
    /// Of the environment.
    environment_conf: Layer,
    /// Of the run mode's section, then of `[main]`.
    file: [Layer; 2],
    /// Defaults that depend on the machine: directories and the node's name.
    machine: Layer,
    /// The section of `puppet.conf` that is asked about, where it is not that of the run mode.
    section: Option<String>,
}

impl Settings {
    /// The defaults for a run mode with nothing read from the machine, as for a system-wide installation.
    pub fn new(run_mode: RunMode) -> Self {
        Settings { run_mode, machine: Layout::Vendor.defaults(run_mode, None), ..Settings::default() }
    }

    /// Reads `puppet.conf`. The command line comes first because it may say where that file is.
    pub fn load(world: &dyn World, run_mode: RunMode, command_line: Layer) -> Result<Self, Issue> {
        let (settings, fault) = Settings::load_section(world, run_mode, None, command_line)?;
        fault.map_or(Ok(settings), Err)
    }

    /// The same for a section of `puppet.conf` in the place of the run mode's. What is wrong with that file is told, and the
    /// settings are those without it.
    pub fn load_section(
        world: &dyn World,
        run_mode: RunMode,
        section: Option<&str>,
        command_line: Layer,
    ) -> Result<(Self, Option<Issue>), Issue> {
        let home = world.variable("HOME").filter(|_| !world.is_privileged());
        let command_line = with_absolute_paths(command_line, world);
        let mut machine = Layout::find(world, &command_line).defaults(run_mode, home.as_deref());
        if let Some(directory) = Layout::authority(world, &command_line) {
            machine.insert("cadir".to_owned(), directory);
        }
        let section = section.map(str::to_owned);
        let mut settings = Settings { run_mode, command_line, machine, section, ..Settings::default() };
        let fault = settings.read_file(world)?;
        if let Some(name) = host_name(world) {
            settings.machine.insert("certname".to_owned(), name.trim_end_matches('.').to_lowercase());
        }
        let hiera = expand("", &format!("{}/hiera.yaml", settings.text("codedir")?));
        if world.is_file(&hiera) {
            settings.machine.insert("hiera_config".to_owned(), hiera);
        }
        Ok((settings, fault))
    }

    /// Takes over what `puppet.conf` says; what is wrong with it.
    fn read_file(&mut self, world: &dyn World) -> Result<Option<Issue>, Issue> {
        let path = self.text("config")?;
        let text = match world.read_named(&path).and_then(decode) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Ok(Some(issues::unreadable(&path, &error))),
        };
        let parsed = ConfigurationFile::parse(&text, &path).and_then(|file| file.check_sections(&path).map(|()| file));
        let mut file = match parsed {
            Ok(file) => file,
            Err(fault) => return Ok(Some(fault)),
        };
        let main = file.take("main");
        let section = match self.mode_name() {
            // The old name of the section is still read, after the new one.
            "server" | "master" => {
                let mut section = file.take("server");
                for (name, value) in file.take("master") {
                    section.entry(name).or_insert(value);
                }
                section
            }
            name => file.take(name),
        };
        self.file = [section, main].map(|layer| with_absolute_paths(layer, world));
        Ok(None)
    }

    /// What `$run_mode` stands for.
    fn mode_name(&self) -> &str {
        self.section.as_deref().unwrap_or(self.run_mode.name())
    }

    /// Sets a value as the command line would.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.command_line.insert(name.to_owned(), value.into());
    }

    /// Sets a default that was found out on the machine, for example `certname`.
    pub fn set_default(&mut self, name: &str, value: impl Into<String>) {
        self.machine.insert(name.to_owned(), value.into());
    }

    /// These settings as an environment sees them.
    pub(crate) fn with_environment(&self, name: &str, layer: Layer) -> Settings {
        let mut settings = self.clone();
        settings.environment_conf = layer;
        settings.environment_conf.insert("environment".to_owned(), name.to_owned());
        settings
    }

    /// Whether the user gave the setting for this run.
    pub fn is_from_command_line(&self, name: &str) -> bool {
        self.command_line.contains_key(name)
    }

    /// Whether `puppet.conf` has the setting.
    pub fn is_from_file(&self, name: &str) -> bool {
        self.file.iter().any(|layer| layer.contains_key(name))
    }

    /// The text of a setting after interpolation; empty if it is absent.
    pub fn text(&self, name: &str) -> Result<String, Issue> {
        Ok(self.optional_text(name)?.unwrap_or_default())
    }

    /// The text of a setting after interpolation.
    pub fn optional_text(&self, name: &str) -> Result<Option<String>, Issue> {
        self.resolve(name, 0).map_err(|detail| issues::setting_not_converted(name, &detail))
    }

    /// Whether a boolean setting is on.
    pub fn boolean(&self, name: &str) -> Result<bool, Issue> {
        Ok(self.value(name)? == SettingValue::Boolean(true))
    }

    /// The `strict` setting.
    pub fn strict(&self) -> Result<Strict, Issue> {
        match self.text("strict")?.as_str() {
            "off" => Ok(Strict::Off),
            "warning" => Ok(Strict::Warning),
            "error" => Ok(Strict::Error),
            other => Err(issues::setting_not_allowed("strict", other, &["off", "warning", "error"])),
        }
    }

    /// The directories of a setting that is a path list.
    pub fn paths(&self, name: &str) -> Result<Vec<String>, Issue> {
        let text = self.text(name)?;
        let paths = text.split(':').filter(|path| !path.is_empty());
        Ok(paths.map(|path| expand("", path)).collect())
    }

    /// A setting as a value of its kind.
    pub fn value(&self, name: &str) -> Result<SettingValue, Issue> {
        let Some(text) = self.optional_text(name)? else {
            return Ok(SettingValue::Absent);
        };
        convert(name, kind_of(name).unwrap_or(Kind::Text), text)
    }

    /// Whether there is such a setting.
    pub fn is_known(&self, name: &str) -> bool {
        self.declared().any(|(known, ..)| *known == name)
    }

    /// Whether a setting is only turned on and off; nothing if there is no such setting.
    pub fn is_switch(name: &str) -> Option<bool> {
        kind_of(name).map(|kind| kind == Kind::Boolean)
    }

    /// All settings in the order of `$settings::all_local`.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, Result<SettingValue, Issue>)> {
        self.declared().map(|(name, ..)| (*name, self.value(name)))
    }

    /// What the release has: name, kind and default of each setting.
    fn declared(&self) -> impl Iterator<Item = &'static (&'static str, Kind, Option<&'static str>)> {
        let target = self.target;
        DEFAULTS.iter().filter(move |(name, ..)| target.has_setting(name))
    }

    fn raw(&self, name: &str) -> Option<&str> {
        let layers = [&self.command_line, &self.environment_conf].into_iter();
        let layers = layers.chain(&self.file).chain([&self.machine]);
        let set = layers.filter_map(|layer| layer.get(name)).map(String::as_str).next();
        set.or_else(|| self.target.default_of(name)).or_else(|| self.declared().find(|(known, ..)| *known == name)?.2)
    }

    /// The error is what could not be found.
    fn resolve(&self, name: &str, depth: usize) -> Result<Option<String>, String> {
        match self.raw(name) {
            // Code is full of variables that are not settings.
            Some(text) if name != "code" && text.contains('$') => {
                if depth == INTERPOLATION_LIMIT {
                    return Err(format!("Could not find value for ${name}"));
                }
                self.interpolate(text, name, depth).map(Some)
            }
            raw => Ok(raw.map(str::to_owned)),
        }
    }

    fn interpolate(&self, text: &str, setting: &str, depth: usize) -> Result<String, String> {
        let mut pieces = text.split('$');
        let mut result = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let braced = piece.strip_prefix('{').and_then(|piece| piece.split_once('}'));
            let (name, rest) = match braced {
                Some((name, rest)) if !name.is_empty() && name.chars().all(is_word) => (name, rest),
                _ => piece.split_at(piece.find(|it| !is_word(it)).unwrap_or(piece.len())),
            };
            match name {
                "" => {
                    result.push('$');
                    result.push_str(piece);
                    continue;
                }
                // Paths are shared by all environments, so only the command may depend on one.
                "environment" if setting != "config_version" => result.push_str("$environment"),
                "run_mode" => result.push_str(self.mode_name()),
                _ => match self.resolve(name, depth + 1)? {
                    Some(value) => result.push_str(&value),
                    None => return Err(format!("Could not find value for ${name}")),
                },
            }
            result.push_str(rest);
        }
        Ok(result)
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    DEFAULTS.iter().find(|(known, ..)| *known == name).map(|(_, kind, _)| *kind)
}

/// Paths start in the current directory, or in the home of the user, wherever the program goes afterwards. Those that start
/// with another setting are left as they are: it is absolute itself.
fn with_absolute_paths(mut layer: Layer, world: &dyn World) -> Layer {
    let absolute = |path: &str| match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            expand("", &format!("{}{rest}", world.variable("HOME").unwrap_or_default()))
        }
        _ if path.is_empty() || path.starts_with('$') => path.to_owned(),
        _ => expand(&world.current_dir(), path),
    };
    for (name, value) in &mut layer {
        match kind_of(name) {
            Some(Kind::Path) => *value = absolute(value),
            Some(Kind::Paths) => *value = value.split(':').map(absolute).collect::<Vec<_>>().join(":"),
            _ => {}
        }
    }
    layer
}

fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

fn convert(name: &str, kind: Kind, text: String) -> Result<SettingValue, Issue> {
    Ok(match kind {
        Kind::Text | Kind::Path | Kind::Paths => SettingValue::Text(text),
        Kind::Boolean => match text.as_str() {
            "true" => SettingValue::Boolean(true),
            "false" => SettingValue::Boolean(false),
            _ => return Err(issues::setting_not_boolean(name, &text)),
        },
        Kind::Integer => match text.parse() {
            Ok(number) => SettingValue::Integer(number),
            Err(_) => return Err(issues::setting_not_integer(name, &text)),
        },
        Kind::TimeToLive if text == "unlimited" => SettingValue::Unlimited,
        Kind::Duration | Kind::TimeToLive => match seconds(&text) {
            Some(seconds) => SettingValue::Integer(seconds),
            None => return Err(issues::setting_not_duration(name, kind, &text)),
        },
        Kind::List => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            SettingValue::List(words.map(str::to_owned).collect())
        }
    })
}

/// Reads `90`, `90s`, `30m`, `2h`, `1d` or `5y`.
fn seconds(text: &str) -> Option<i64> {
    let unit = match text.chars().last()? {
        'y' => 365 * 24 * 60 * 60,
        'd' => 24 * 60 * 60,
        'h' => 60 * 60,
        'm' => 60,
        _ => 1,
    };
    let number = text.strip_suffix(['y', 'd', 'h', 'm', 's']).unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    number.parse::<i64>().ok().filter(|_| is_number)?.checked_mul(unit)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn load(conf: &str, run_mode: RunMode) -> Settings {
        let world = Memory::from([("/etc/puppetlabs/puppet/puppet.conf", conf)]);
        Settings::load(&world, run_mode, Layer::default()).unwrap()
    }

    #[test]
    fn a_target_decides_what_there_is() {
        let settings = |target| Settings { target, ..Settings::new(RunMode::User) };
        let check = |target, known: bool, reports: &str| {
            assert_eq!(settings(target).is_known("data_binding_terminus"), known);
            assert_eq!(settings(target).text("reports").unwrap(), reports);
        };
        check(Target::Puppet8, true, "store");
        check(Target::OpenVox8, true, "store");
        check(Target::OpenVox9, false, "none");
        assert!(Target::parse("puppet3").is_err());
    }

    #[test]
    fn defaults_refer_to_each_other() {
        let settings = Settings::new(RunMode::User);
        let check = |name, expected: &str| assert_eq!(settings.text(name).unwrap(), expected);
        check("environmentpath", "/etc/puppetlabs/code/environments");
        check("config", "/etc/puppetlabs/puppet/puppet.conf");
        check("pidfile", "/var/run/puppetlabs/user.pid");
        check("ca_port", "8140");
        assert!(settings.all().all(|(_, value)| value.is_ok()));
    }

    #[test]
    fn the_section_of_the_run_mode_wins() {
        let conf = "strict = off\n[main]\nstrict_variables = False\ncodedir = '/code'\n\
                    [server]\nstrict = warning # not a comment\n[user]\nstrict = error\n";
        let settings = load(conf, RunMode::User);
        assert_eq!(settings.strict().unwrap(), Strict::Error);
        assert!(!settings.boolean("strict_variables").unwrap());
        assert_eq!(settings.text("basemodulepath").unwrap(), "/code/modules:/opt/puppetlabs/puppet/modules");
        assert!(load(conf, RunMode::Server).strict().is_err());
        assert_eq!(load(conf, RunMode::Agent).strict().unwrap(), Strict::Off);
    }

    #[test]
    fn the_directories_of_both_kinds_of_packages_are_found() {
        let check = |files: &[(&str, &str)], confdir: Option<&str>, expected: [&str; 3]| {
            let given = confdir.map(|directory| ("confdir".to_owned(), directory.to_owned())).into_iter().collect();
            let world = Memory::from_iter(files.iter().copied());
            let settings = Settings::load(&world, RunMode::User, given).unwrap();
            assert_eq!(["config", "ssldir", "vardir"].map(|name| settings.text(name).unwrap()), expected);
        };
        let debian = ("/etc/puppet/puppet.conf", "");
        let vendor = ("/etc/puppetlabs/puppet/puppet.conf", "");
        let of_debian = ["/etc/puppet/puppet.conf", "/var/lib/puppet/ssl", "/var/cache/puppet"];
        let of_vendor =
            ["/etc/puppetlabs/puppet/puppet.conf", "/etc/puppetlabs/puppet/ssl", "/opt/puppetlabs/puppet/cache"];
        check(&[debian], None, of_debian);
        check(&[debian, vendor], None, of_vendor);
        check(&[vendor], None, of_vendor);
        check(&[debian, vendor], Some("/etc/puppet"), of_debian);
        check(&[debian], Some("/own"), ["/own/puppet.conf", "/own/ssl", "/opt/puppetlabs/puppet/cache"]);
    }

    #[test]
    fn paths_start_in_the_current_directory() {
        let given = [("modulepath", "a:$codedir/b:/c/../d"), ("manifest", "site.pp"), ("certname", "node")];
        let given = given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let settings = Settings::load(&Memory::default(), RunMode::User, given).unwrap();
        let check = |name, expected: &str| assert_eq!(settings.text(name).unwrap(), expected);
        check("modulepath", "/a:/etc/puppetlabs/code/b:/d");
        check("manifest", "/site.pp");
        check("certname", "node");
    }

    #[test]
    fn values_are_converted() {
        let settings = load(
            "[main]\nruninterval = 2h\nenvironment_timeout = unlimited\nvardir = /v {owner = service, mode = 640}\n\
             disable_warnings = deprecations, undefined_variables\ncertname = $nowhere\n",
            RunMode::User,
        );
        let check = |name, expected| assert_eq!(settings.value(name).unwrap(), expected);
        check("runinterval", SettingValue::Integer(7200));
        check("environment_timeout", SettingValue::Unlimited);
        check("statedir", SettingValue::Text("/v/state".to_owned()));
        check("http_read_timeout", SettingValue::Integer(600));
        assert_eq!(
            settings.text("certname").unwrap_err().message(),
            "Error converting value for param 'certname': Could not find value for $nowhere"
        );
    }
}
