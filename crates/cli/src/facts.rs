//! `bunraku facts`: the facts of this machine with what Puppet adds to them.

use std::process::ExitCode;
use std::sync::Arc;

use bunraku::facter::{Level, Options, format};
use bunraku::notation::yaml;
use bunraku::{Disk, Environment, Issue, RubyFacts, RunMode, Value, World, machine_facts};
use clap::{Args, Subcommand, ValueEnum};

use crate::output::{print, tell};
use crate::remote::Remote;
use crate::report::log;
use crate::settings::SettingFlags;
use crate::setup::Setup;

/// Show the facts of this machine, those of modules included.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  bunraku facts\n  bunraku facts show os.release\n  bunraku facts find --render-as yaml"
)]
pub(crate) struct FactsCommand {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    show: Show,
}

#[derive(Debug, Subcommand)]
enum Action {
    Show(Box<Show>),
    Find(Box<Find>),
    Upload(Box<Upload>),
    /// Not there: nothing but programs calls it
    #[command(hide = true, after_help = "Example:\n  bunraku facts find --render-as json")]
    Save(Elsewhere),
    /// Where facts come from
    #[command(hide = true, after_help = "Example:\n  bunraku facts info")]
    Info,
}

/// The arguments of what is not there.
#[derive(Debug, Args)]
struct Elsewhere {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Show facts, all or some.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku facts show os networking.ip\n  bunraku facts show --value-only os.family")]
struct Show {
    /// The names or paths of facts
    #[arg(value_name = "FACT")]
    queries: Vec<String>,
    /// Facter's configuration file
    #[arg(long = "config-file", value_name = "FILE")]
    config_file: Option<String>,
    /// A directory with custom facts
    #[arg(long = "custom-dir", value_name = "DIR")]
    custom_dir: Option<String>,
    /// A directory with external facts
    #[arg(long = "external-dir", value_name = "DIR")]
    external_dir: Option<String>,
    /// Block no facts
    #[arg(long = "no-block")]
    no_block: bool,
    /// Keep no facts, and use none that are kept
    #[arg(long = "no-cache")]
    no_cache: bool,
    /// Show legacy facts too
    #[arg(long = "show-legacy")]
    show_legacy: bool,
    /// Show only the value of the one fact that is asked for
    #[arg(long = "value-only")]
    value_only: bool,
    /// Show how long each fact took
    #[arg(long)]
    timing: bool,
    /// The form of facts
    #[arg(long = "render-as", value_name = "FORMAT", default_value = "json")]
    render_as: Form,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Show facts as agents send them: with the name of the node.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku facts find --render-as yaml")]
struct Find {
    /// The node; facts are always those of this machine
    #[arg(value_name = "NODE")]
    node: Option<String>,
    /// The form of facts
    #[arg(long = "render-as", value_name = "FORMAT", default_value = "json")]
    render_as: Form,
    #[command(flatten)]
    settings: SettingFlags,
}

/// The forms of facts.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Form {
    /// An object
    #[default]
    #[value(alias = "console")]
    Json,
    /// A YAML document
    Yaml,
    /// HOCON
    Hocon,
}

impl Form {
    fn write(self, value: &Value) -> String {
        match self {
            Form::Json => format::json(value) + "\n",
            Form::Yaml => yaml::emit(value),
            Form::Hocon => format::hocon(value),
        }
    }
}

/// Send the facts of this machine to its server, as every run of the agent does.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku facts upload --server puppet.example.com")]
struct Upload {
    #[command(flatten)]
    setup: Setup,
}

impl Upload {
    fn run(&self) -> Result<ExitCode, String> {
        Remote::connect(&self.setup)?.send_facts().map(|()| ExitCode::SUCCESS)
    }
}

impl FactsCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let result = match self.action {
            Some(Action::Find(find)) => find.run(),
            Some(Action::Show(show)) => show.run(),
            Some(Action::Info) => print("Run mode 'user': facter\n").map(|()| ExitCode::SUCCESS),
            Some(Action::Upload(upload)) => upload.run(),
            Some(Action::Save(_)) => Err(elsewhere("save", "a server keeps the facts that agents send")),
            None => self.show.run(),
        };
        result.unwrap_or_else(|message| {
            log("Error", &message);
            ExitCode::FAILURE
        })
    }
}

fn elsewhere(action: &str, reason: &str) -> String {
    format!("Bunraku has no action 'facts {action}': {reason}; a file of facts is made with `bunraku facts find`")
}

impl Show {
    fn run(self) -> Result<ExitCode, String> {
        let is_single = self.queries.len() == 1;
        if self.value_only && !is_single {
            let text = "Incorrect use of --value-only argument; it can only be used when querying for a single fact!";
            log("Warning", text);
        }
        let options = Options {
            queries: self.queries,
            show_legacy: self.show_legacy,
            config: self.config_file,
            custom_dirs: self.custom_dir.into_iter().collect(),
            more_external_dirs: self.external_dir.into_iter().collect(),
            no_block: self.no_block,
            no_cache: self.no_cache,
            ..Options::default()
        };
        let (_, facts) = find(&self.settings, options, self.timing).map_err(|issue| issue.message().to_owned())?;
        let single = facts.get("").or(match &facts {
            Value::Hash(facts) if self.value_only && is_single => facts.values().next(),
            _ => None,
        });
        let text = match single {
            Some(Value::String(text)) => format!("{text}\n"),
            Some(value) => self.render_as.write(value),
            None => self.render_as.write(&facts),
        };
        print(text).map(|()| ExitCode::SUCCESS)
    }
}

impl Find {
    fn run(self) -> Result<ExitCode, String> {
        let found = find(&self.settings, Options::default(), false).map_err(|issue| issue.message().to_owned())?;
        let name = self.node.unwrap_or(found.0);
        let now = jiff::Zoned::now();
        let until = now.saturating_add(jiff::SignedDuration::from_mins(30));
        let time = |time: &jiff::Zoned| Value::from(time.strftime("%FT%T.%9f%:z").to_string());
        let facts = Value::hash([
            ("name".into(), name.into()),
            ("values".into(), found.1),
            ("timestamp".into(), time(&now)),
            ("expiration".into(), time(&until)),
        ]);
        // Puppet reads facts with this tag alone.
        let text = self.render_as.write(&facts);
        let text = match self.render_as {
            Form::Yaml => text.replacen("---", "--- !ruby/object:Puppet::Node::Facts", 1),
            Form::Json | Form::Hocon => text,
        };
        print(text).map(|()| ExitCode::SUCCESS)
    }
}

/// The name of this node, and its facts.
fn find(settings: &SettingFlags, options: Options, has_timing: bool) -> Result<(String, Value), Issue> {
    let world: Arc<dyn World> = Arc::new(Disk);
    let environment: Environment = settings.environment(RunMode::Agent, Some(""))?;
    let custom = RubyFacts { world: world.clone(), ruby: "ruby", settings: Some(&environment.settings) };
    let facts = machine_facts(&world, &environment, &custom, options);
    for message in &facts.messages {
        match message.level {
            Level::Error => log("Error", &format!("Facter: {}", message.text)),
            Level::Warn => log("Warning", &format!("Facter: {}", message.text)),
            Level::Info | Level::Debug => {}
        }
    }
    if has_timing {
        for timing in &facts.timings {
            tell(format_args!("fact '{}', took: ({:.6}) seconds\n", timing.name, timing.time.as_secs_f64()));
        }
    }
    let name = environment.settings.text("certname").unwrap_or_default();
    Ok((name, Value::from(facts.values)))
}
