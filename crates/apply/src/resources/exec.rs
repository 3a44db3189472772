//! `exec`: commands, and whether they need to run.

use std::path::Path;
use std::time::Duration;

use bunraku_pcore::Value;

use crate::context::Context;
use crate::execution::{Execution, Failure, Output, which};
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{Property, Values, inspected, text_of};
use crate::resource::{Given, Managed, Site};

/// The state of a command that has to run.
const NOT_RUN: &str = "notrun";

struct Exec {
    command: Value,
    provider: String,
    returns: Property,
    creates: Vec<String>,
    unless: Vec<Value>,
    onlyif: Vec<Value>,
    refresh: Option<Value>,
    is_refresh_only: bool,
    path: Option<String>,
    directory: Option<String>,
    variables: Vec<String>,
    user: Option<String>,
    group: Option<String>,
    umask: Option<u32>,
    timeout: Option<Duration>,
    tries: u32,
    pause: Duration,
    logoutput: String,
    is_secret: bool,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let title = || Value::from(given.reference.title.as_str());
    let command = given.value("command").cloned().unwrap_or_else(title);
    if let Some(class) = class_of_no_command(&command) {
        let reason = format!("Command must be a String or Array<String>, got value of class {class}");
        return Err(given.refuse("command", &reason));
    }
    let path: Vec<String> = given.texts("path");
    let returns = given.value("returns").cloned().unwrap_or_else(|| "0".into());
    let returns = match returns {
        Value::Array(codes) => Value::array(codes.iter().map(|code| text_of(code).into())),
        code => text_of(&code).into(),
    };
    // Compatibility: what is watched has no default, so that nothing is run.
    let is_watched = given.value("returns").is_none() && given.is_watched("returns");
    let returns = if is_watched { Property::watched("returns") } else { Property::list("returns", returns) };
    let exec = Exec {
        command,
        provider: given.text("provider").unwrap_or_else(|| "posix".to_owned()),
        returns,
        creates: given.texts("creates"),
        unless: commands(given.value("unless")),
        onlyif: commands(given.value("onlyif")),
        refresh: given.value("refresh").cloned(),
        is_refresh_only: given.flag("refreshonly") == Some(true),
        path: (!path.is_empty()).then(|| path.join(":")),
        directory: given.text("cwd"),
        variables: given.texts("environment"),
        user: given.text("user"),
        group: given.text("group"),
        umask: given.value("umask").map(|mask| octal(given, mask)).transpose()?,
        timeout: seconds(given, "timeout", "The timeout must be a number.")?
            .map_or(Some(Duration::from_secs(300)), |limit| (limit > 0.0).then(|| Duration::from_secs_f64(limit))),
        tries: tries(given)?,
        pause: match seconds(given, "try_sleep", "try_sleep must be a number")?.unwrap_or(0.0) {
            pause if pause < 0.0 => return Err(given.munging("try_sleep", "try_sleep cannot be a negative number")),
            pause => Duration::from_secs_f64(pause),
        },
        logoutput: given.text("logoutput").unwrap_or_else(|| "on_failure".to_owned()),
        is_secret: ["command", "unless", "onlyif"].iter().any(|name| given.is_sensitive(name)),
    };
    exec.validate(given, context)?;
    Ok(Box::new(exec))
}

/// The class of a value that is no command.
fn class_of_no_command(value: &Value) -> Option<&'static str> {
    match value {
        Value::Integer(_) => Some("Integer"),
        Value::Float(_) => Some("Float"),
        Value::Boolean(true) => Some("TrueClass"),
        Value::Boolean(false) => Some("FalseClass"),
        Value::Hash(_) => Some("Hash"),
        _ => None,
    }
}

/// One command, or several: a list of lists has one in each.
fn commands(value: Option<&Value>) -> Vec<Value> {
    match value {
        None => Vec::new(),
        Some(Value::Array(elements)) => elements.iter().cloned().collect(),
        Some(value) => vec![value.clone()],
    }
}

fn octal(given: &Given<'_>, mask: &Value) -> Outcome<u32> {
    let is_octal = |text: &&str| super::matches(r"\A0?[0-7]{1,4}\z", text);
    let parsed = mask.as_str().filter(is_octal).and_then(|text| u32::from_str_radix(text, 8).ok());
    parsed.ok_or_else(|| given.refuse("umask", &format!("The umask specification is invalid: {}", inspected(mask))))
}

fn seconds(given: &Given<'_>, name: &str, complaint: &str) -> Outcome<Option<f64>> {
    let parse = |text: String| text.parse::<f64>().ok().filter(|it| it.is_finite() && *it < 1e9);
    given.text(name).map(|text| parse(text).ok_or_else(|| given.munging(name, complaint))).transpose()
}

fn tries(given: &Given<'_>) -> Outcome<u32> {
    let Some(text) = given.text("tries") else { return Ok(1) };
    let refuse = |reason| given.munging("tries", reason);
    let count: i64 = text.parse().map_err(|_| refuse("Tries must be an integer"))?;
    u32::try_from(count).ok().filter(|count| *count >= 1).ok_or_else(|| refuse("Tries must be an integer >= 1"))
}

/// The program that a command starts with.
fn program(command: &Value) -> String {
    match command {
        Value::Array(words) => words.iter().next().map(text_of).unwrap_or_default(),
        command => {
            let text = text_of(command);
            for quote in ['"', '\''] {
                if let Some((program, _)) = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
                    return program.to_owned();
                }
            }
            text.split(' ').next().unwrap_or_default().to_owned()
        }
    }
}

/// A command as it is shown.
fn shown(command: &Value) -> String {
    match command {
        Value::Array(_) => inspected(command),
        command => text_of(command),
    }
}

impl Exec {
    fn validate(&self, given: &Given<'_>, context: &mut Context<'_>) -> Outcome {
        let unqualified = |command: &Value| {
            let program = program(command);
            let is_fine = program.starts_with('/') || self.path.is_some() || self.provider == "shell";
            (!is_fine).then(|| {
                format!(
                    "'{program}' is not qualified and no path was specified. Please qualify the command or specify a path."
                )
            })
        };
        if self.creates.iter().any(|path| !path.starts_with('/')) {
            return Err(given.refuse("creates", "creates must be a fully qualified path"));
        }
        if self.directory.as_ref().is_some_and(|directory| !directory.starts_with('/')) {
            return Err(given.refuse("cwd", "cwd must be a fully qualified path"));
        }
        if self.user.is_some() && !context.is_privileged() {
            return Err(given.refuse("user", "Only root can execute commands as other users"));
        }
        if let Some(setting) = self.variables.iter().find(|setting| !super::matches(r"\w+=", setting)) {
            return Err(given.refuse("environment", &format!("Invalid environment setting '{setting}'")));
        }
        let checks = [("refresh", self.refresh.as_slice()), ("unless", &self.unless), ("onlyif", &self.onlyif)];
        let warn_of_nothing = |context: &mut Context<'_>| {
            let warning = "Cannot check if  is an absolute path because it is a 'NilClass' and not a String'";
            context.log.say(Level::Warning, warning);
        };
        for (name, commands) in checks {
            if commands.iter().any(|command| program(command).is_empty()) {
                warn_of_nothing(context);
            }
            if let Some(reason) = commands.iter().find_map(&unqualified) {
                return Err(given.refuse(name, &reason));
            }
        }
        if given.pending.iter().any(|name| name == "command") {
            return Ok(());
        }
        if program(&self.command).is_empty() {
            warn_of_nothing(context);
        }
        unqualified(&self.command).map_or(Ok(()), |reason| Err(given.invalid(&reason)))
    }

    /// Whether the program of a command is there.
    fn find(&self, command: &Value) -> Outcome {
        let program = program(command);
        let missing = || Fault::raw(format!("Could not find command '{program}'"));
        if !program.starts_with('/') {
            let path = self.path.as_deref().unwrap_or_default();
            return which(&program, Some(path)).map(drop).ok_or_else(missing);
        }
        let found = std::fs::metadata(&program).map_err(|_| missing())?;
        if found.is_dir() {
            return Err(Fault::raw(format!("'{program}' is a directory, not a file")));
        }
        which(&program, None).map(drop).ok_or_else(|| Fault::raw(format!("'{program}' is not executable")))
    }

    /// Runs a command; nothing if it took too long.
    fn run(&self, command: &Value, is_check: bool, site: &Site, context: &mut Context<'_>) -> Outcome<Option<Output>> {
        let is_shell = self.provider == "shell";
        if !is_shell {
            self.find(command)?;
        }
        let execution = match command {
            // Compatibility: to the shell, the words after the first are no part of the command.
            Value::Array(words) => {
                let shell = is_shell.then_some(["/bin/sh", "-c"]).into_iter().flatten().map(str::to_owned);
                Execution::new(&shell.chain(words.iter().map(text_of)).collect::<Vec<_>>())
            }
            command if is_shell => Execution::new(&["/bin/sh", "-c", &text_of(command)]),
            command => Execution::line(&text_of(command)),
        };
        let mut execution = execution.directory(self.directory.clone()).timeout(self.timeout).keep_locale();
        if let Some(path) = &self.path {
            execution = execution.variable("PATH", path);
        }
        let mut known: Vec<&str> = self.path.iter().map(|_| "PATH").collect();
        for setting in &self.variables {
            let Some((name, value)) = setting.split_once('=') else { continue };
            if known.contains(&name) {
                let message = format!("Overriding environment setting '{name}' with '{value}'");
                context.log.say_as(&format!("{}(provider={})", site.label, self.provider), Level::Warning, message);
            }
            known.push(name);
            if value.is_empty() {
                let place = match (&site.file, site.line) {
                    (Some(file), Some(line)) => format!("(file: {file}, line: {line})"),
                    _ => "(file & line not available)".to_owned(),
                };
                let warning = format!("Empty environment setting '{name}'\n   {place}");
                context.log.say_once(&format!("empty_env_var_{name}"), Level::Warning, warning);
            }
            execution = execution.variable(name, value);
        }
        if let Some(umask) = self.umask {
            execution = execution.umask(umask);
        }
        execution = match self.as_user(execution, context) {
            Ok(execution) => execution,
            // Compatibility: to the reference it is the command that fails.
            Err(fault) => {
                let text = format!("Error: Could not execute posix command: {fault}");
                return Ok(Some(Output { code: Some(1), text, is_text: true }));
            }
        };
        let debug = if is_check { "Executing check" } else { "Executing" };
        let quoted = if self.is_secret { "[redacted]".to_owned() } else { shown(command) };
        if context.log.shows(Level::Debug) {
            let source = format!("{}(provider={})", site.label, self.provider);
            context.log.say_as(&source, Level::Debug, format!("{debug} '{quoted}'"));
            context.log.say(Level::Debug, format!("Executing: '{quoted}'"));
        }
        match execution.run() {
            Ok(output) if output.code == Some(127) => Err(Fault::raw(output.text)),
            Ok(output) => Ok(Some(output)),
            Err(Failure::TimedOut) => Ok(None),
            Err(Failure::NotStarted(fault)) => Err(fault),
        }
    }

    fn as_user(&self, execution: Execution, context: &mut Context<'_>) -> Outcome<Execution> {
        let group = match &self.group {
            Some(name) => Some(context.accounts.gid(name).ok_or_else(|| Fault::raw(format!("Invalid group: {name}")))?),
            None => None,
        };
        let Some(name) = &self.user else {
            return Ok(match group {
                Some(gid) => execution.group(gid),
                None => execution,
            });
        };
        let uid = context.accounts.uid(name).ok_or_else(|| Fault::raw(format!("Invalid user: {name}")))?;
        let known = context.accounts.user_name(uid);
        let known = known.ok_or_else(|| Fault::raw(format!("can't find user for {uid}")))?;
        let gid = group.or(context.accounts.user(&known).map(|user| user.gid)).unwrap_or(uid);
        Ok(execution.user(uid, gid, Some(known)))
    }

    /// Whether the command has to run. A refresh counts for `refreshonly`.
    fn is_wanted(&self, is_refresh: bool, site: &Site, context: &mut Context<'_>) -> Outcome<bool> {
        if self.is_refresh_only && !is_refresh {
            return Ok(false);
        }
        if self.creates.iter().any(|path| Path::new(path).exists()) {
            return Ok(false);
        }
        for (name, commands, wanted) in [("unless", &self.unless, false), ("onlyif", &self.onlyif, true)] {
            for command in commands {
                let Some(output) = self.run(command, true, site, context)? else {
                    let message = format!("Check {} exceeded timeout", inspected(command));
                    site.say_of(&mut context.log, name, Level::Err, message);
                    return Ok(false);
                };
                if !self.is_secret {
                    for line in output.text.lines() {
                        site.say_of(&mut context.log, name, Level::Debug, line);
                    }
                }
                if (output.code == Some(0)) != wanted {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn execute(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        let codes: Vec<String> = self.returns.should.iter().flatten().map(text_of).collect();
        let is_expected = |output: &Output| output.code.is_some_and(|code| codes.contains(&code.to_string()));
        let mut output = Output::default();
        for attempt in 1..=self.tries {
            output =
                self.run(&self.command, false, site, context)?.ok_or_else(|| Fault::new("Command exceeded timeout"))?;
            if is_expected(&output) {
                break;
            }
            if attempt < self.tries || self.tries > 1 {
                std::thread::sleep(self.pause);
            }
        }
        let is_logged = match self.logoutput.as_str() {
            "true" => true,
            "on_failure" => !is_expected(&output),
            _ => false,
        };
        if is_logged && self.is_secret {
            site.say_of(&mut context.log, "returns", site.loglevel, "[output redacted]");
        } else if is_logged && !output.is_text && !output.text.is_empty() {
            // Compatibility: what is no text cannot be shown, which the reference takes for a failure.
            return Err(Fault::new("invalid byte sequence in UTF-8"));
        } else if is_logged {
            let text = output.text.trim_end_matches('\n');
            for line in text.split('\n').filter(|_| !text.is_empty()) {
                site.say_of(&mut context.log, "returns", site.loglevel, line);
            }
        }
        if is_expected(&output) {
            return Ok(());
        }
        let code = output.code.map(|code| code.to_string()).unwrap_or_default();
        let command =
            if self.is_secret { "[command redacted]".to_owned() } else { format!("'{}'", shown(&self.command)) };
        Err(Fault::new(format!("{command} returned {code} instead of one of [{}]", codes.join(","))))
    }
}

impl Managed for Exec {
    fn provider(&self) -> Option<&str> {
        Some(&self.provider)
    }

    fn properties(&self) -> Vec<Property> {
        vec![self.returns.clone()]
    }

    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        let is_wanted = self.is_wanted(false, site, context)?;
        values.set("returns", if is_wanted { NOT_RUN.into() } else { self.returns.desired() });
        Ok(values)
    }

    fn sync(&mut self, _: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.execute(site, context)
    }

    fn change(&self, _: &Property, _: &Value, _: &mut Context<'_>) -> String {
        "executed successfully".to_owned()
    }

    fn event_name(&self, _: &str, _: &Property) -> String {
        "executed_command".to_owned()
    }

    fn is_refreshable(&self) -> bool {
        true
    }

    fn refresh(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        if !self.is_wanted(true, site, context)? {
            return Ok(());
        }
        match &self.refresh {
            Some(command) => self.run(command, false, site, context).map(drop),
            None => self.execute(site, context),
        }
    }
}
