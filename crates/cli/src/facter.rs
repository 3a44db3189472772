//! `facter`: Facter's own command line, under its name or as a subcommand.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use bunraku::facter::{Collector, FACTER_VERSION, Facts, Level, Message, Options, format};
use bunraku::{Disk, Layer, PUPPET_VERSION, RubyFacts, RunMode, Settings, Value, keep_facts};
use clap::Args;

use crate::output::{print, tell};
use crate::report::log;

/// What the reference shows for `--help`, and after wrong options.
const USAGE: &str = include_str!("facter_usage.txt");

/// Options that must not stand together.
const CONFLICTS: [(&str, &[&str]); 10] = [
    ("--color", &["--no-color"]),
    ("--json", &["--no-json", "-y", "--yaml", "--hocon"]),
    ("--yaml", &["--no-yaml", "-j", "--hocon"]),
    ("--hocon", &["--no-hocon"]),
    ("-j", &["--no-json", "--hocon"]),
    ("-y", &["--no-yaml", "-j", "--hocon"]),
    ("--puppet", &["--no-puppet", "--no-ruby", "--no-custom-facts"]),
    ("-p", &["--no-puppet", "--no-ruby", "--no-custom-facts"]),
    ("--no-external-facts", &["--external-dir"]),
    ("--custom-dir", &["--no-custom-facts", "--no-ruby"]),
];

/// Options with their short forms.
const SHORT: [(&str, &str); 9] = [
    ("-j", "--json"),
    ("-y", "--yaml"),
    ("-p", "--puppet"),
    ("-h", "--help"),
    ("-v", "--version"),
    ("-l", "--log-level"),
    ("-d", "--debug"),
    ("-c", "--config"),
    ("-t", "--timing"),
];

/// Options that say whether something is done.
const SWITCHES: [&str; 23] = [
    "--color",
    "--no-color",
    "--debug",
    "--help",
    "--hocon",
    "--http-debug",
    "--json",
    "--list-block-groups",
    "--list-cache-groups",
    "--no-block",
    "--no-cache",
    "--no-custom-facts",
    "--no-external-facts",
    "--no-ruby",
    "--puppet",
    "--sequential",
    "--show-legacy",
    "--strict",
    "--timing",
    "--trace",
    "--verbose",
    "--version",
    "--yaml",
];

/// Commands that Facter has under names, which only the first word may be.
const COMMANDS: [(&str, &str); 5] = [
    ("help", "--help"),
    ("list_block_groups", "--list-block-groups"),
    ("list_cache_groups", "--list-cache-groups"),
    ("query", ""),
    ("version", "--version"),
];

/// Options with a value.
const WITH_VALUE: [&str; 4] = ["--config", "--custom-dir", "--external-dir", "--log-level"];

/// Show facts as Facter does, with Facter's own options; a link named `facter` does the same
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:\n  bunraku facter os.family\n  bunraku facter --json networking memory.system.total\n  \
                  ln -s /usr/bin/bunraku /usr/local/bin/facter"
)]
pub(crate) struct FacterCommand {
    /// Facter's options, and the names of facts
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl FacterCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        run(self.arguments)
    }
}

/// Runs Facter's command line if the program is called `facter`, or the first argument is: its options are its own.
pub(crate) fn run_by_that_name() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let program = arguments.next()?;
    if Path::new(&program).file_name()? == "facter" {
        return Some(run(arguments.collect()));
    }
    (arguments.next()? == "facter").then(|| run(arguments.collect()))
}

/// What the arguments ask for.
#[derive(Debug, Default)]
struct Asked {
    /// The switches, by their long names.
    switches: Vec<&'static str>,
    /// The names of facts.
    queries: Vec<String>,
    /// The command line.
    line: String,
    custom_dirs: Vec<String>,
    external_dirs: Vec<String>,
    config: Option<String>,
    log_level: Option<String>,
}

impl Asked {
    fn has(&self, name: &str) -> bool {
        self.switches.contains(&name)
    }
}

fn run(arguments: Vec<OsString>) -> ExitCode {
    let arguments: Vec<String> = arguments.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    match read(&arguments).map(answer) {
        Ok(Ok(code)) => code,
        Ok(Err(message)) => {
            log("Error", &message);
            ExitCode::FAILURE
        }
        Err(problem) => {
            let source = "Facter::OptionsValidator".to_owned();
            show(&Message { level: Level::Error, source, text: problem });
            // Whoever cannot be shown the usage has been told what is wrong.
            _ = print(USAGE);
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Result<Asked, String> {
    let given: Vec<&str> = arguments.iter().map(|it| it.split('=').next().unwrap_or(it)).collect();
    for (short, long) in SHORT.iter().filter(|(short, _)| *short != "-t") {
        if given.contains(short) && given.contains(long) {
            return Err(format!("option {long} cannot be specified more than once."));
        }
    }
    for (option, others) in CONFLICTS.iter().filter(|(option, _)| given.contains(option)) {
        if let Some(other) = others.iter().find(|other| given.contains(other)) {
            return Err(format!("{option} and {other} options conflict: please specify only one."));
        }
    }
    let mut asked = Asked { line: arguments.join(" "), ..Asked::default() };
    let mut arguments = arguments.iter();
    let first = arguments.as_slice().first().map(|word| word.replace('-', "_"));
    if let Some((_, switch)) = COMMANDS.iter().find(|(command, _)| Some(*command) == first.as_deref()) {
        asked.switches.push(switch);
        arguments.next();
    }
    let mut only_queries = false;
    while let Some(argument) = arguments.next() {
        if argument == "--" && !only_queries {
            only_queries = true;
            continue;
        }
        if only_queries || !argument.starts_with('-') || argument == "-" {
            if !asked.queries.contains(argument) {
                asked.queries.push(argument.clone());
            }
            continue;
        }
        let (name, value) =
            argument.split_once('=').map_or((argument.as_str(), None), |(name, value)| (name, Some(value)));
        let long = SHORT.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| long).replace('_', "-");
        let is_off = |switch: &&&str| long.strip_prefix("--no") == switch.strip_prefix('-');
        if let Some(switch) = SWITCHES.iter().find(|switch| **switch == long) {
            asked.switches.push(switch);
        } else if let Some(off) = SWITCHES.iter().find(is_off) {
            asked.switches.retain(|switch| switch != off);
        } else if WITH_VALUE.contains(&long.as_str()) {
            let value = value.map(str::to_owned).or_else(|| arguments.next().cloned());
            let value = value.ok_or_else(|| format!("No value provided for option '{long}'"))?;
            match long.as_str() {
                "--config" => asked.config = Some(value),
                "--custom-dir" => asked.custom_dirs.push(value),
                "--external-dir" => asked.external_dirs.push(value),
                _ => asked.log_level = Some(value),
            }
        } else {
            return Err(format!("unrecognised option '{name}'"));
        }
    }
    Ok(asked)
}

fn answer(asked: Asked) -> Result<ExitCode, String> {
    if asked.has("--help") {
        return print(USAGE).map(|()| ExitCode::SUCCESS);
    }
    if asked.has("--version") {
        return print(format!("{FACTER_VERSION}\n")).map(|()| ExitCode::SUCCESS);
    }
    let added = asked.has("--puppet").then(|| ("puppetversion".to_owned(), Value::from(PUPPET_VERSION)));
    let options = Options {
        queries: asked.queries.clone(),
        show_legacy: asked.has("--show-legacy"),
        config: asked.config.clone(),
        custom_dirs: asked.custom_dirs.clone(),
        external_dirs: asked.external_dirs.clone(),
        no_custom_facts: asked.has("--no-custom-facts"),
        no_external_facts: asked.has("--no-external-facts"),
        no_ruby: asked.has("--no-ruby"),
        no_block: asked.has("--no-block"),
        no_cache: asked.has("--no-cache"),
        is_debugging: asked.has("--debug"),
        added: added.into_iter().collect(),
        ..Options::default()
    };
    // Only with `--puppet` are the settings of Puppet there for facts.
    let settings = asked.has("--puppet").then(|| Settings::load(&Disk, RunMode::User, Layer::default()));
    let settings = settings.transpose().map_err(|issue| issue.message().to_owned())?;
    let custom = RubyFacts { world: Arc::new(Disk), ruby: "ruby", settings: settings.as_ref() };
    let collector = Collector::new(&Disk, &custom, options);
    if asked.has("--list-block-groups") || asked.has("--list-cache-groups") {
        collector.messages().iter().filter(|message| message.level >= Level::Warn).for_each(show);
        return print(collector.groups()).map(|()| ExitCode::SUCCESS);
    }
    let level = level(&asked, collector.config.log_level().as_deref())?;
    if level.is_some_and(|level| level <= Level::Info) {
        show(&said(Level::Info, format!("executed with command line: {}", asked.line)));
        if level == Some(Level::Debug) {
            show(&said(Level::Debug, format!("Facter version: {FACTER_VERSION}")));
        }
    }
    let mut facts = collector.collect();
    keep_facts(&mut facts);
    if asked.has("--strict") {
        let missing = asked.queries.iter().filter(|query| facts.values.get_str(query).is_none_or(Value::is_undef));
        let missing = missing.map(|query| said(Level::Error, format!("fact \"{query}\" does not exist.")));
        facts.messages.extend(missing);
    }
    finish(&asked, level, &facts)
}

/// A message of Facter itself.
fn said(level: Level, text: String) -> Message {
    Message { level, source: "Facter".to_owned(), text }
}

fn finish(asked: &Asked, level: Option<Level>, facts: &Facts) -> Result<ExitCode, String> {
    facts.messages.iter().filter(|message| level.is_some_and(|level| message.level >= level)).for_each(show);
    if asked.has("--timing") {
        for timing in &facts.timings {
            print(format_args!("fact '{}', took: ({:.6}) seconds\n", timing.name, timing.time.as_secs_f64()))?;
        }
    }
    let values = Value::from(facts.values.clone());
    let single = if asked.queries.len() == 1 { facts.values.values().next() } else { None };
    let text = match single {
        _ if asked.has("--json") => format::json(&values),
        _ if asked.has("--yaml") => format::yaml(&values),
        Some(answer) if asked.has("--hocon") => {
            format::hocon_answer(asked.queries.first().map_or("", String::as_str), answer)
        }
        None if asked.has("--hocon") => format::hocon(&values),
        Some(answer) => format::plain_answer(answer),
        None => format::plain(&values),
    };
    print(if text.ends_with('\n') { text } else { format!("{text}\n") })?;
    let has_failed = facts.messages.iter().any(|message| message.level == Level::Error);
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Which messages are shown; none at all for `none`.
fn level(asked: &Asked, configured: Option<&str>) -> Result<Option<Level>, String> {
    let flag = if asked.has("--debug") || asked.has("--trace") {
        Some("debug")
    } else if asked.has("--verbose") {
        Some("info")
    } else {
        asked.log_level.as_deref()
    };
    match flag.or(configured).unwrap_or("warn") {
        "none" => Ok(None),
        "trace" | "debug" => Ok(Some(Level::Debug)),
        "info" => Ok(Some(Level::Info)),
        "warn" => Ok(Some(Level::Warn)),
        "error" | "fatal" => Ok(Some(Level::Error)),
        other => {
            Err(format!("invalid log level '{other}': none, trace, debug, info, warn, error or fatal is expected"))
        }
    }
}

/// One line of Facter's log.
fn show(message: &Message) {
    let style = match message.level {
        Level::Error => AnsiColor::Red.on_default(),
        Level::Warn => AnsiColor::Yellow.on_default(),
        Level::Info => AnsiColor::Green.on_default(),
        Level::Debug => Style::new(),
    };
    let now = jiff::Zoned::now().strftime("%F %T%.6f");
    tell(format_args!("[{now} ] {} {} - {style}{}{style:#} \n", message.level, message.source, message.text));
}
