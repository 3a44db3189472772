//! Puppet's settings as flags. Those that most people need have a flag with a help text; every other one is taken, too.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bunraku::syntax::Issue;
use bunraku::{Disk, Environment, Layer, RunMode, Settings, Target};
use clap::Args;

use crate::configuration::{Configuration, Given};
use crate::output::log_to;
use crate::report::log;

/// The settings that are given for this run.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SettingFlags {
    /// The environment [default: production]
    #[arg(long, value_name = "NAME", help_heading = "Settings")]
    environment: Option<String>,
    /// The directories in which environments are, separated by colons
    #[arg(long, value_name = "PATH", help_heading = "Settings")]
    environmentpath: Option<String>,
    /// The directories in which modules are, separated by colons
    #[arg(long, value_name = "PATH", help_heading = "Settings")]
    modulepath: Option<String>,
    /// More directories with modules, after those of the environment
    #[arg(long, value_name = "PATH", help_heading = "Settings")]
    basemodulepath: Option<String>,
    /// The main manifest, or the directory of the main manifests
    #[arg(long, value_name = "PATH", help_heading = "Settings")]
    manifest: Option<String>,
    /// The configuration of Hiera's global layer
    #[arg(long = "hiera_config", value_name = "FILE", help_heading = "Settings")]
    hiera_config: Option<String>,
    /// The directory of puppet.conf
    #[arg(long, value_name = "DIR", help_heading = "Settings")]
    confdir: Option<String>,
    /// The directory of all code and data
    #[arg(long, value_name = "DIR", help_heading = "Settings")]
    codedir: Option<String>,
    /// What becomes of questionable code: off, warning or error [default: error]
    #[arg(long, value_name = "LEVEL", help_heading = "Settings")]
    strict: Option<String>,
    /// Unknown variables are errors; this is the default
    #[arg(long = "strict_variables", help_heading = "Settings", overrides_with = "no_strict_variables")]
    strict_variables: bool,
    /// Unknown variables are undef
    #[arg(long = "no-strict_variables", help_heading = "Settings", overrides_with = "strict_variables")]
    no_strict_variables: bool,
    /// The release to be compatible with: puppet8, openvox8 or openvox9 [default: openvox8]
    #[arg(long, value_name = "RELEASE", help_heading = "Settings")]
    target: Option<String>,
    /// Any other setting, which may also be given as a flag of its name; can be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", help_heading = "Settings", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Show all messages
    #[arg(short, long, help_heading = "Messages")]
    debug: bool,
    /// Show messages of level info too
    #[arg(short, long, help_heading = "Messages")]
    verbose: bool,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is expected")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl SettingFlags {
    /// All settings of this run: these, those of puppet.conf and the defaults.
    pub(crate) fn load(&self, run_mode: RunMode) -> Result<Settings, Issue> {
        match self.set.iter().rfind(|(name, place)| name == "logdest" && place != "console") {
            Some((_, place)) if place.starts_with('/') => log_to(place).map_err(|reason| Issue::new("", reason))?,
            Some((_, place)) => return Err(Issue::new("", format!("Unknown destination type {place}"))),
            None => {}
        }
        self.load_with_log(run_mode)
    }

    /// The same for a command that writes its log to where it is asked to.
    pub(crate) fn load_with_log(&self, run_mode: RunMode) -> Result<Settings, Issue> {
        let configuration = Configuration::load().map_err(|refused| refused.issue())?;
        let mut settings = Settings::load(&Disk, run_mode, self.layer(&configuration))?;
        let configured = match configuration.value("puppet", "target") {
            Some(Given::String(target)) => Some(target),
            _ => None,
        };
        if let Some(target) = self.target.as_ref().or(configured.as_ref()) {
            settings.target = Target::parse(target)?;
        }
        Ok(settings)
    }

    /// The settings as a section of puppet.conf has them, and what is wrong with that file.
    pub(crate) fn load_section(&self, section: Option<&str>) -> Result<(Settings, Option<Issue>), Issue> {
        let configuration = Configuration::load().map_err(|refused| refused.issue())?;
        Settings::load_section(&Disk, RunMode::User, section, self.layer(&configuration))
    }

    /// Whether more messages than usual are to be shown.
    pub(crate) fn is_verbose(&self) -> bool {
        self.debug || self.verbose
    }

    /// What is given in `bunraku.toml` and on the command line, which wins.
    fn layer(&self, configuration: &Configuration) -> Layer {
        let given = [
            ("environment", &self.environment),
            ("environmentpath", &self.environmentpath),
            ("modulepath", &self.modulepath),
            ("basemodulepath", &self.basemodulepath),
            ("manifest", &self.manifest),
            ("hiera_config", &self.hiera_config),
            ("confdir", &self.confdir),
            ("codedir", &self.codedir),
            ("strict", &self.strict),
        ];
        let configured = configuration.table("puppet").filter(|(name, _)| *name != "target");
        let configured = configured.filter_map(|(name, value)| match value {
            Given::String(text) => Some((name.to_owned(), text)),
            Given::Boolean(is_on) => Some((name.to_owned(), is_on.to_string())),
            Given::Number(_) | Given::Strings(_) => None,
        });
        let given = given
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
            .chain(self.set.iter().cloned());
        let mut layer: Layer = configured.chain(given).collect();
        // Lines go to all places that are named.
        let places: Vec<&str> =
            self.set.iter().filter(|(name, _)| name == "logdest").map(|(_, place)| place.as_str()).collect();
        if places.len() > 1 {
            layer.insert("logdest".to_owned(), places.join(","));
        }
        if self.strict_variables || self.no_strict_variables {
            layer.insert("strict_variables".to_owned(), self.strict_variables.to_string());
        }
        match (self.debug, self.verbose) {
            (true, _) => _ = layer.insert("log_level".to_owned(), "debug".to_owned()),
            (false, true) => _ = layer.insert("log_level".to_owned(), "info".to_owned()),
            (false, false) => {}
        }
        layer
    }

    /// The directories of environments that are given.
    pub(crate) fn environmentpath(&self) -> Option<&str> {
        self.environmentpath.as_deref()
    }

    /// The name of the environment that is given.
    pub(crate) fn environment_name(&self) -> Option<&str> {
        self.environment.as_deref()
    }

    /// The same for an environment in another directory.
    pub(crate) fn with_environment_in(self, directory: &str, name: String) -> SettingFlags {
        SettingFlags { environmentpath: Some(directory.to_owned()), environment: Some(name), ..self }
    }

    /// The same with other paths of code and data. What has the values of settings in it stays.
    pub(crate) fn with_paths(self, other: impl Fn(&Path) -> PathBuf) -> SettingFlags {
        let one = |path: &str| match path.is_empty() || path.contains('$') {
            true => path.to_owned(),
            false => other(Path::new(path)).to_string_lossy().into_owned(),
        };
        let all = |paths: Option<String>| paths.map(|it| it.split(':').map(one).collect::<Vec<_>>().join(":"));
        SettingFlags {
            environmentpath: all(self.environmentpath),
            modulepath: all(self.modulepath),
            basemodulepath: all(self.basemodulepath),
            manifest: all(self.manifest),
            hiera_config: all(self.hiera_config),
            ..self
        }
    }

    /// The same for another environment.
    pub(crate) fn in_environment(self, name: String) -> SettingFlags {
        SettingFlags { environment: Some(name), ..self }
    }

    /// The same with other values of settings.
    pub(crate) fn with(mut self, given: Vec<(&str, String)>) -> SettingFlags {
        self.set.extend(given.into_iter().map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// The same with another main manifest.
    pub(crate) fn with_manifest(self, path: String) -> SettingFlags {
        SettingFlags { manifest: Some(path), ..self }
    }

    /// Puppet passes over paths that lead nowhere; who gives one on the command line is told.
    fn warn_of_missing_paths(&self) {
        let given = [
            ("--modulepath", &self.modulepath),
            ("--basemodulepath", &self.basemodulepath),
            ("--manifest", &self.manifest),
            ("--hiera_config", &self.hiera_config),
        ];
        for (flag, paths) in given {
            let paths = paths.iter().flat_map(|paths| paths.split(':'));
            // What is in a path that has the values of settings in it is not known yet.
            for path in paths.filter(|path| !path.contains('$') && !path.is_empty() && !Path::new(path).exists()) {
                log("Warning", &format!("{flag}: {path} does not exist"));
            }
        }
    }

    /// The environment that is asked for. Code given on the command line takes the place of the main manifests.
    pub(crate) fn environment(&self, run_mode: RunMode, code: Option<&str>) -> Result<Environment, Issue> {
        self.open(self.load(run_mode)?, code)
    }

    /// The same for a command that writes its log to where it is asked to.
    pub(crate) fn environment_with_log(&self, run_mode: RunMode, code: Option<&str>) -> Result<Environment, Issue> {
        self.open(self.load_with_log(run_mode)?, code)
    }

    fn open(&self, mut settings: Settings, code: Option<&str>) -> Result<Environment, Issue> {
        self.warn_of_missing_paths();
        if let Some(code) = code {
            // A blank program must not fall back to the manifests.
            settings.set("code", if code.trim().is_empty() { "\n" } else { code });
        }
        let name = settings.text("environment")?;
        match Environment::open(Arc::new(Disk), &settings, &name) {
            // Without an environment by that name there may still be modules and code on the command line.
            Err(_)
                if self.environment.is_none()
                    && (code.is_some() || self.manifest.is_some())
                    && !Environment::has_directory(&Disk, &settings, &name) =>
            {
                Environment::without_directory(Arc::new(Disk), &settings, &name)
            }
            opened => opened,
        }
    }
}
