//! `bunraku config`: the settings as they are in effect, and `puppet.conf` changed from the command line.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use bunraku::notation::yaml;
use bunraku::{ConfigurationText, Disk, Environment, Hash, Issue, SettingValue, Settings, Value, whole_file};
use clap::{Args, Subcommand};

use crate::output::{print, tell};
use crate::rendering::RenderAs;
use crate::report::{log, refuse};
use crate::settings::SettingFlags;

/// Show settings, and change puppet.conf.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku config print modulepath --environment testing\n  \
    bunraku config set server puppet.example.com --section agent")]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show what settings are: one as it is, several with their names
    #[command(after_help = "Examples:\n  bunraku config print confdir\n  bunraku config print all --section server")]
    Print {
        /// The names of settings [default: all]
        #[arg(value_name = "SETTING")]
        names: Vec<String>,
        /// The form of the answer
        #[arg(long = "render-as", value_name = "FORMAT", default_value = "console")]
        render_as: RenderAs,
        #[command(flatten)]
        common: Common,
    },
    /// Give a setting a value in puppet.conf
    #[command(after_help = "Example:\n  bunraku config set certname web1.example.com --section agent")]
    Set {
        /// The name of the setting, and its value
        #[arg(value_names = ["SETTING", "VALUE"])]
        arguments: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Take a setting out of puppet.conf
    #[command(after_help = "Example:\n  bunraku config delete environment --section agent")]
    Delete {
        /// The name of the setting
        #[arg(value_name = "SETTING")]
        arguments: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
}

/// What all actions have.
#[derive(Debug, Args)]
struct Common {
    /// The section of puppet.conf [default: main]
    #[arg(long, value_name = "NAME")]
    section: Option<String>,
    #[command(flatten)]
    settings: Box<SettingFlags>,
}

/// Why an action failed: whether Puppet names the action in what it says.
enum Failure {
    /// Before the action began.
    Early(String),
    /// In the action.
    Within(String),
}

impl From<Issue> for Failure {
    fn from(issue: Issue) -> Failure {
        Failure::Within(issue.message().to_owned())
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Within(message)
    }
}

impl ConfigCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let (action, done) = match self.action {
            Action::Print { names, render_as, common } => ("print", common.print(&names, render_as)),
            Action::Set { arguments, common } => {
                ("set", exactly(&arguments, "set").and_then(|[name, value]| common.set(name, value)))
            }
            Action::Delete { arguments, common } => {
                ("delete", exactly(&arguments, "delete").and_then(|[name]| common.delete(name)))
            }
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(Failure::Early(message)) => {
                log("Error", &message);
                ExitCode::FAILURE
            }
            Err(Failure::Within(message)) => refuse(&format!("config {action}"), &message),
        }
    }
}

/// The arguments of an action that takes just so many.
fn exactly<'a, const N: usize>(arguments: &'a [String], action: &str) -> Result<&'a [String; N], Failure> {
    let count = arguments.len();
    let plural = if N == 1 { "" } else { "s" };
    let wrong = || Failure::Within(format!("puppet config {action} takes {N} argument{plural}, but you gave {count}"));
    arguments.try_into().map_err(|_| wrong())
}

impl Common {
    fn section(&self) -> &str {
        self.section.as_deref().unwrap_or("main")
    }

    /// The settings as the section has them, and the environment that is asked for.
    fn load(&self) -> Result<(Settings, String), Failure> {
        let early =
            |issue: Issue| Failure::Early(format!("Could not initialize global default settings: {}", issue.message()));
        let (user, fault) = self.settings.load_section(None).map_err(early)?;
        if let Some(fault) = fault {
            let path = user.text("config")?;
            log("Error", &format!("Could not parse {path}: {}", fault.message()));
        }
        user.strict().map_err(early)?;
        let (settings, _) = self.settings.load_section(Some(self.section())).map_err(early)?;
        let environment = user.text("environment")?;
        if self.settings.is_verbose() {
            let section = self.section();
            tell(format_args!("Resolving settings from section '{section}' in environment '{environment}'\n"));
        }
        Ok((settings, environment))
    }

    fn print(&self, names: &[String], render_as: RenderAs) -> Result<(), Failure> {
        if self.settings.is_verbose() && self.section.is_none() {
            log("Warning", DEFAULT_SECTION);
        }
        let (settings, environment) = self.load()?;
        // Where there is no such environment, its settings have their defaults.
        let opened = Environment::open(Arc::new(Disk), &settings, &environment);
        let settings = opened.as_ref().map_or(&settings, |environment| &environment.settings);
        let is_all = names.is_empty() || names == ["all"];
        let mut wanted: Vec<&str> = match is_all {
            true => settings.all().map(|(name, _)| name).chain(["name"]).collect(),
            false => names.iter().map(String::as_str).collect(),
        };
        wanted.sort_unstable();
        wanted.dedup();
        let mut shown = Hash::default();
        for name in wanted {
            shown.insert(name.into(), value(settings, name)?);
        }
        print(match (render_as, shown.len()) {
            (RenderAs::Console, 1) => shown.values().map(|value| console(value) + "\n").collect(),
            (RenderAs::Console, _) => {
                shown.iter().map(|(name, value)| format!("{} = {}\n", console(name), console(value))).collect()
            }
            (RenderAs::Json, _) => bunraku::json::write(&Value::from(shown))? + "\n",
            (RenderAs::Yaml, _) => yaml::emit(&Value::from(shown)),
        })
        .map_err(Failure::Early)
    }

    fn set(&self, name: &str, value: &str) -> Result<(), Failure> {
        if name == "environment" && self.section() == "main" {
            log("Warning", ENVIRONMENT_IN_MAIN);
        }
        let (mut settings, _) = self.load()?;
        if settings.is_known(name) {
            settings.set(name, value);
            check(&settings, name, value)?;
        }
        let (settings, _) = self.settings.load_section(None)?;
        self.change(&settings.text("config")?, true, |file| {
            if self.section() != "master" {
                file.set(self.section(), name, value);
                return Ok(());
            }
            let deleted = file.delete("master", name);
            file.set("server", name, value);
            deleted.map_or(Ok(()), |line| {
                print(format!("Deleted setting from 'master': '{}', and adding it to 'server' section\n", line.trim()))
            })
        })
    }

    fn delete(&self, name: &str) -> Result<(), Failure> {
        let (settings, _) = self.load()?;
        let path = settings.text("config")?;
        if !Path::new(&path).exists() {
            log("Warning", &format!("The puppet.conf file does not exist {path}"));
            return Ok(());
        }
        self.change(&path, false, |file| match self.section() {
            "master" | "server" => ["master", "server"].into_iter().try_for_each(|section| {
                let deleted = file.delete(section, name);
                let head = deleted.as_deref().map(|line| line.trim().split('=').next().unwrap_or_default().to_owned());
                head.map_or(Ok(()), |head| print(format!("Deleted setting from '{section}': '{head}'\n")))
            }),
            section => match file.delete(section, name) {
                Some(line) => print(format!("Deleted setting from '{section}': '{}'\n", line.trim())),
                None => {
                    let text = "No setting found in configuration file for section";
                    log("Warning", &format!("{text} '{section}' setting name '{name}'"));
                    Ok(())
                }
            },
        })
    }

    /// Changes the text of puppet.conf, which keeps its owner and mode.
    fn change(
        &self,
        path: &str,
        is_made: bool,
        edit: impl FnOnce(&mut ConfigurationText) -> Result<(), String>,
    ) -> Result<(), Failure> {
        let fail =
            |error: &std::io::Error| Failure::Within(format!("Could not write {path}: {}", bunraku::reason(error)));
        let place = Path::new(path);
        // A link stays one: what it leads to is changed.
        let target = std::fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        let old = match std::fs::read_to_string(&target) {
            Ok(text) => text,
            Err(error) if is_made && error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::Within(format!("Could not read {path}: {}", bunraku::reason(&error)))),
        };
        let mut file = ConfigurationText::parse(&old);
        edit(&mut file)?;
        if let (true, Some(directory)) = (is_made, target.parent()) {
            std::fs::create_dir_all(directory).map_err(|error| fail(&error))?;
        }
        let kept = std::fs::metadata(&target).ok();
        let written = whole_file::write_for(&target, file.to_string().as_bytes(), |new| {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            match &kept {
                Some(old) => {
                    fchown(new, Some(old.uid()), Some(old.gid()))?;
                    new.set_permissions(old.permissions())
                }
                None => new.set_permissions(std::fs::Permissions::from_mode(0o644)),
            }
        });
        written.map_err(|error| fail(&error))
    }
}

/// What a setting is; nothing for one that is not known.
fn value(settings: &Settings, name: &str) -> Result<Value, Issue> {
    let text = |text: String| Value::from(text);
    Ok(match (name, settings.value(name)?) {
        ("name", _) => text("config".to_owned()),
        ("manifest", SettingValue::Absent) => text("no_manifest".to_owned()),
        ("server_list", SettingValue::List(words)) => text(words.join(",")),
        (_, SettingValue::Absent) => Value::Undef,
        (_, SettingValue::Boolean(it)) => Value::Boolean(it),
        (_, SettingValue::Integer(it)) => Value::Integer(it),
        (_, SettingValue::Unlimited) => text("unlimited".to_owned()),
        (_, SettingValue::Text(it)) => text(it),
        (_, SettingValue::List(words)) => Value::array(words.into_iter().map(text)),
    })
}

/// A value as people read it.
fn console(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        Value::Array(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{:?}", console(word))).collect();
            format!("[{}]", words.join(", "))
        }
        other => other.to_string(),
    }
}

/// Refuses a value that the setting cannot have.
fn check(settings: &Settings, name: &str, value: &str) -> Result<(), Failure> {
    if name == "certname" && value != value.to_lowercase() {
        return Err(Failure::Within("Certificate names must be lower case".to_owned()));
    }
    let allowed: &[&str] = match name {
        "strict" => &["off", "warning", "error"],
        "key_type" => &["rsa", "ec"],
        "digest_algorithm" => &["sha256", "sha384", "sha512", "sha224", "md5"],
        _ => &[],
    };
    if !allowed.is_empty() && !allowed.contains(&value) {
        let allowed = allowed.join("', '");
        let text = format!("Invalid value '{value}' for parameter {name}. Allowed values are '{allowed}'");
        return Err(Failure::Within(text));
    }
    settings.value(name).map(|_| ()).map_err(Failure::from)
}

const DEFAULT_SECTION: &str = "No section specified; defaulting to 'main'.\n\
    Set the config section by using the `--section` flag.\n\
    For example, `puppet config --section user print foo`.\n\
    For more information, see https://puppet.com/docs/puppet/latest/configuration.html";

const ENVIRONMENT_IN_MAIN: &str = "The environment should be set in either the `[user]`, `[agent]`, or `[server]`\n\
    section. Variables set in the `[agent]` section are used when running\n\
    `puppet agent`. Variables set in the `[user]` section are used when running\n\
    various other puppet subcommands, like `puppet apply` and `puppet module`; these\n\
    require the defined environment directory to exist locally. Set the config\n\
    section by using the `--section` flag. For example,\n\
    `puppet config --section user set environment foo`. For more information, see\n\
    https://puppet.com/docs/puppet/latest/configuration.html#environment";
