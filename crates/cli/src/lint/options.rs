//! The options of `lint`, from rc files and from the command line, as puppet-lint reads them.

use std::path::Path;

use bunraku_lint::{RULES, Settings};

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
    pub(super) error_level: String,
    pub(super) log_format: String,
    pub(super) ignore_paths: Vec<String>,
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
    "list-checks",
    "unsafe-fixes",
];
const VALUES: &[&str] = &[
    "config",
    "error-level",
    "log-format",
    "only-checks",
    "ignore-paths",
    "top-scope-variables",
    "chars-per-indent",
    "docs-allowed-styles",
];

impl Options {
    /// Reads the rc files, then the arguments.
    pub(super) fn read(arguments: &[String], current_dir: String) -> Result<Self, String> {
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
            error_level: "all".to_owned(),
            log_format: String::new(),
            ignore_paths: vec!["vendor/**/*.pp".to_owned()],
        };
        if !arguments.iter().any(|argument| argument == "--no-config") {
            let home = std::env::var("HOME").map(|home| format!("{home}/.puppet-lint.rc"));
            options.load("/etc/puppet-lint.rc")?;
            options.load(&home.unwrap_or_default())?;
            options.load(".puppet-lint.rc")?;
        }
        options.parse(arguments)?;
        Ok(options)
    }

    /// Reads a file with an argument on each line; one that is missing is ignored.
    fn load(&mut self, path: &str) -> Result<(), String> {
        let text = std::fs::read_to_string(Path::new(path)).unwrap_or_default();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let paths = std::mem::take(&mut self.paths);
        self.parse(&lines)?;
        self.paths = paths;
        Ok(())
    }

    fn parse(&mut self, arguments: &[String]) -> Result<(), String> {
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let long = match argument.as_str() {
                "--" => {
                    self.paths.extend(arguments.by_ref().cloned());
                    break;
                }
                "-f" => "fix",
                "-c" => "config",
                other => match other.strip_prefix("--") {
                    Some(long) => long,
                    None if other.starts_with('-') && other.len() > 1 => {
                        return Err(format!("invalid option: {other}"));
                    }
                    None => {
                        self.paths.push(argument.clone());
                        continue;
                    }
                },
            };
            let (given, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            if self.check_option(given) {
                continue;
            }
            let name = full_name(given).ok_or_else(|| format!("invalid option: {argument}"))?;
            if SWITCHES.contains(&name) {
                self.switch(name);
                continue;
            }
            let value = value.map(str::to_owned).or_else(|| arguments.next().cloned());
            let value = value.ok_or_else(|| format!("missing argument: {argument}"))?;
            self.value(name, &value)?;
        }
        Ok(())
    }

    /// `--no-CHECK-check` and, for checks that are off, `--CHECK-check`.
    fn check_option(&mut self, name: &str) -> bool {
        let Some(check) = name.strip_suffix("-check") else { return false };
        match check.strip_prefix("no-") {
            Some(check) => self.settings.set(check, false),
            None => RULES.iter().any(|rule| rule.name == check && !rule.is_on) && self.settings.set(check, true),
        }
    }

    fn switch(&mut self, name: &str) {
        match name {
            "version" => self.version = true,
            "with-context" => self.with_context = true,
            "with-filename" => self.with_filename = true,
            "fail-on-warnings" => self.fail_on_warnings = true,
            "show-ignored" => self.show_ignored = true,
            "relative" => self.settings.relative = true,
            "fix" => self.fix = true,
            "json" => self.json = true,
            "list-checks" => self.list_checks = true,
            "unsafe-fixes" => self.settings.unsafe_fixes = true,
            _ => {}
        }
    }

    fn value(&mut self, name: &str, value: &str) -> Result<(), String> {
        let list = || value.split(',').map(str::to_owned).collect::<Vec<String>>();
        match name {
            "config" => self.load(value)?,
            "error-level" if ["all", "warning", "error"].contains(&value) => self.error_level = value.to_owned(),
            "log-format" => self.log_format = value.to_owned(),
            "only-checks" => {
                let wanted = list();
                if let Some(unknown) = wanted.iter().find(|it| !RULES.iter().any(|rule| rule.name == it.as_str())) {
                    return Err(format!("unknown check: {unknown}; --list-checks shows them all"));
                }
                self.settings.only(|name| wanted.iter().any(|it| it == name));
            }
            "ignore-paths" => self.ignore_paths = list(),
            "top-scope-variables" => self.settings.top_scope_variables = list(),
            "docs-allowed-styles" => self.settings.docs_allowed_styles = list(),
            "chars-per-indent" if value.parse::<u8>().is_ok() => {
                self.settings.chars_per_indent = value.parse::<u8>().map_or(2, usize::from);
            }
            _ => return Err(format!("invalid argument: --{name} {value}")),
        }
        Ok(())
    }
}

/// The option that a name, or its unique beginning, means.
fn full_name(given: &str) -> Option<&'static str> {
    let all = || SWITCHES.iter().chain(VALUES).copied();
    if let Some(exact) = all().find(|name| *name == given) {
        return Some(exact);
    }
    let mut beginning = all().filter(|name| name.starts_with(given));
    beginning.next().filter(|_| beginning.next().is_none())
}
