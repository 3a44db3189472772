//! The options of `lint`, from rc files and from the command line, as puppet-lint reads them.

mod names;

use std::path::{Path, PathBuf};

use bunraku_lint::Settings;
use clap::ValueEnum;

use super::log_format::LogFormat;
use crate::configuration::{Configuration, Given};
use crate::report::Format;

/// What is asked for.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) settings: Settings,
    pub(super) paths: Vec<String>,
    pub(super) version: bool,
    pub(super) list_checks: bool,
    pub(super) with_context: bool,
    pub(super) with_filename: bool,
    pub(super) fail_on_warnings: bool,
    pub(super) show_ignored: bool,
    pub(super) fix: bool,
    pub(super) json: bool,
    pub(super) sarif: bool,
    /// One of our own forms of output.
    pub(super) format: Option<Format>,
    pub(super) code_climate_report: Option<PathBuf>,
    pub(super) error_level: String,
    pub(super) log_format: LogFormat,
    pub(super) ignore_paths: Vec<String>,
    /// The file with old findings, and whether to write it.
    pub(super) baseline: Option<PathBuf>,
    pub(super) write_baseline: bool,
    /// What holds for some paths only.
    pub(super) configuration: Configuration,
    /// What is asked for and cannot be done, to be said but no reason to stop.
    pub(super) warnings: Vec<String>,
}

/// Options that stand alone, and those with a value.
const SWITCHES: &[&str] = &[
    "version",
    "no-config",
    "with-context",
    "with-filename",
    "fail-on-warnings",
    "show-ignored",
    "relative",
    "fix",
    "json",
    "sarif",
    "list-checks",
    "unsafe-fixes",
    "write-baseline",
];
const VALUES: &[&str] = &[
    "config",
    "error-level",
    "load",
    "load-from-puppet",
    "log-format",
    "codeclimate-report-file",
    "only-checks",
    "ignore-paths",
    "top-scope-variables",
    "chars-per-indent",
    "docs-allowed-styles",
    "format",
    "baseline",
];

impl Options {
    /// Reads the rc files, then the configuration of all tools, then the arguments.
    pub(super) fn read(
        arguments: &[String],
        current_dir: String,
        configuration: Configuration,
    ) -> Result<Self, String> {
        let mut options = Self {
            settings: Settings { current_dir, ..Settings::default() },
            paths: Vec::new(),
            version: false,
            list_checks: false,
            with_context: false,
            with_filename: false,
            fail_on_warnings: false,
            show_ignored: false,
            fix: false,
            json: false,
            sarif: false,
            format: None,
            code_climate_report: std::env::var_os("CODECLIMATE_REPORT_FILE").map(PathBuf::from),
            error_level: "all".to_owned(),
            log_format: LogFormat::default(),
            ignore_paths: vec!["vendor/**/*.pp".to_owned()],
            baseline: None,
            write_baseline: false,
            configuration: Configuration::default(),
            warnings: Vec::new(),
        };
        if !arguments.iter().any(|argument| argument == "--no-config") {
            options.load("/etc/puppet-lint.rc")?;
            if let Ok(home) = std::env::var("HOME") {
                options.load(&format!("{home}/.puppet-lint.rc"))?;
            }
            options.load(".puppet-lint.rc")?;
        }
        options.configure(configuration)?;
        options.parse(arguments)?;
        Ok(options)
    }

    /// Reads a file with an argument on each line; one that is missing is ignored.
    fn load(&mut self, path: &str) -> Result<(), String> {
        let text = std::fs::read_to_string(Path::new(path)).unwrap_or_default();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Lines that are no options, comments among them, are no paths either.
        let paths = std::mem::take(&mut self.paths);
        self.parse(&lines)?;
        self.paths = paths;
        Ok(())
    }

    /// Takes over what the configuration says.
    fn configure(&mut self, configuration: Configuration) -> Result<(), String> {
        // Before the keys, for `only_checks` leaves out what is switched on by its name, too.
        configuration.switch_checks(&mut self.settings);
        for (name, given) in configuration.table("lint") {
            let option = name.replace('_', "-");
            match given {
                Given::Boolean(is_on) => self.switch(&option, is_on),
                Given::Number(number) => self.value(&option, &number.to_string())?,
                Given::String(text) => self.value(&option, &text)?,
                Given::Strings(all) if name == "only_checks" && all.is_empty() => {}
                Given::Strings(all) => self.value(&option, &all.join(","))?,
            }
        }
        self.configuration = configuration;
        Ok(())
    }

    fn parse(&mut self, arguments: &[String]) -> Result<(), String> {
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (given, value) = match argument.strip_prefix("--") {
                Some("") => {
                    self.paths.extend(arguments.by_ref().cloned());
                    break;
                }
                Some(long) => long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))),
                None => match argument.strip_prefix('-').and_then(|it| it.split_at_checked(1)) {
                    Some((short, rest)) => {
                        let Some(long) = names::of_short(short) else {
                            return Err(format!("invalid option: -{short}"));
                        };
                        let is_switch = SWITCHES.contains(&long);
                        if is_switch && !rest.is_empty() {
                            return Err(format!("invalid option: -{rest}"));
                        }
                        (long, Some(rest).filter(|rest| !rest.is_empty()))
                    }
                    None => {
                        self.paths.push(argument.clone());
                        continue;
                    }
                },
            };
            let name = names::complete(given, argument)?;
            let check = names::as_check(name);
            if value.is_some() && (check.is_some() || SWITCHES.contains(&name)) {
                return Err(format!("needless argument: {argument}"));
            }
            if let Some((check, is_on)) = check {
                self.settings.set(check, is_on);
            } else if SWITCHES.contains(&name) {
                self.switch(name, true);
            } else {
                let value = value.map(str::to_owned).or_else(|| arguments.next().cloned());
                self.value(name, &value.ok_or_else(|| format!("missing argument: {argument}"))?)?;
            }
        }
        Ok(())
    }

    fn switch(&mut self, name: &str, is_on: bool) {
        match name {
            "version" => self.version = is_on,
            "with-context" => self.with_context = is_on,
            "with-filename" => self.with_filename = is_on,
            "fail-on-warnings" => self.fail_on_warnings = is_on,
            "show-ignored" => self.show_ignored = is_on,
            "relative" => self.settings.relative = is_on,
            "fix" => self.fix = is_on,
            "json" => self.json = is_on,
            "sarif" => self.sarif = is_on,
            "list-checks" => self.list_checks = is_on,
            "unsafe-fixes" => self.settings.unsafe_fixes = is_on,
            "write-baseline" => self.write_baseline = is_on,
            _ => {}
        }
    }

    fn value(&mut self, name: &str, value: &str) -> Result<(), String> {
        let list = || value.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<String>>();
        match name {
            "config" => self.load(value)?,
            "error-level" if ["all", "warning", "error"].contains(&value) => self.error_level = value.to_owned(),
            "load" | "load-from-puppet" => {
                self.warnings.push(format!("WARNING: checks written in Ruby are not supported: --{name} {value}"));
            }
            "log-format" => {
                let invalid = |problem| format!("invalid argument: --log-format {value}: {problem}");
                self.log_format = LogFormat::read(value).map_err(invalid)?;
            }
            "baseline" => self.baseline = Some(value.into()),
            "codeclimate-report-file" => self.code_climate_report = Some(value.into()),
            "only-checks" => {
                let wanted = list();
                wanted.iter().try_for_each(|check| names::known_check(check))?;
                self.settings.only(|name| wanted.iter().any(|it| it == name));
            }
            "ignore-paths" => self.ignore_paths = list(),
            "top-scope-variables" => self.settings.top_scope_variables = list(),
            "docs-allowed-styles" => self.settings.docs_allowed_styles = list(),
            "chars-per-indent" if value.parse::<u8>().is_ok() => {
                self.settings.chars_per_indent = value.parse::<u8>().map_or(2, usize::from);
            }
            "format" if Format::from_str(value, true).is_ok() => self.format = Format::from_str(value, true).ok(),
            _ => return Err(format!("invalid argument: --{name} {value}")),
        }
        Ok(())
    }
}
