//! `postgresql_psql` of the postgresql module: a statement that is run in a database, unless another says that it need not.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::execution::{Execution, Failure};
use crate::fault::{Fault, Outcome};
use crate::property::{Property, Values, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &[
    "name",
    "command",
    "unless",
    "onlyif",
    "connect_settings",
    "db",
    "port",
    "search_path",
    "psql_path",
    "psql_user",
    "psql_group",
    "cwd",
    "environment",
    "refreshonly",
    "provider",
];

const NOT_RUN: &str = "notrun";

struct Statement {
    command: Property,
    unless: Option<String>,
    only_if: Option<String>,
    /// The client with its options, as a line for a shell.
    client: String,
    search_path: Vec<String>,
    user: String,
    group: String,
    directory: String,
    variables: Vec<(String, String)>,
    is_refreshonly: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let text = |name: &str, usual: &str| given.text(name).unwrap_or_else(|| usual.to_owned());
    let mut command = Property::new("command", text("command", &given.name("name")).as_str().into());
    command.is_sensitive = given.is_sensitive("command");
    let mut variables: Vec<(String, String)> = Vec::new();
    if let Some(Value::Hash(settings)) = given.value("connect_settings") {
        variables.extend(settings.iter().map(|(name, value)| (text_of(name), text_of(value))));
    }
    for setting in given.texts("environment") {
        let parts = setting.split_once('=').filter(|(name, _)| !name.is_empty());
        let refused = || given.refuse("environment", &format!("Invalid environment setting '{setting}'"));
        let (name, value) = parts.ok_or_else(refused)?;
        variables.retain(|(known, _)| known != name);
        variables.push((name.to_owned(), value.to_owned()));
    }
    let mut client = text("psql_path", "psql");
    for (option, name) in [("-d", "db"), ("-p", "port")] {
        if let Some(value) = given.text(name) {
            client.push_str(&format!(" {option} {value}"));
        }
    }
    Ok(Box::new(Statement {
        command,
        unless: given.text("unless"),
        only_if: given.text("onlyif"),
        client,
        search_path: given.texts("search_path"),
        user: text("psql_user", "postgres"),
        group: text("psql_group", "postgres"),
        directory: text("cwd", "/tmp"),
        variables,
        is_refreshonly: given.flag("refreshonly") == Some(true),
    }))
}

impl Statement {
    /// Runs a statement: what is said, and the exit code.
    fn run(&self, statement: &str, context: &mut Context<'_>) -> Outcome<(String, i32)> {
        let statement = match self.search_path.is_empty() {
            true => statement.to_owned(),
            false => format!("set search_path to {}; {statement}", self.search_path.join(",")),
        };
        let line = format!("{} -t -X -c \"{}\"", self.client, statement.replace('"', "\\\""));
        let uid = context.accounts.uid(&self.user);
        let gid = context.accounts.gid(&self.group);
        let uid = uid.ok_or_else(|| Fault::new(format!("Could not find user {}", self.user)))?;
        let gid = gid.ok_or_else(|| Fault::new(format!("Could not find group {}", self.group)))?;
        let mut execution = Execution::line(&line).directory(Some(self.directory.clone()));
        if uid != rustix::process::geteuid().as_raw() {
            execution = execution.user(uid, gid, Some(self.user.clone()));
        }
        for (name, value) in &self.variables {
            execution = execution.variable(name, value);
        }
        match execution.run() {
            Ok(output) => Ok((output.text, output.code.unwrap_or(1))),
            Err(Failure::NotStarted(fault)) => Err(fault),
            Err(Failure::TimedOut) => Err(Fault::new("psql takes too long")),
        }
    }

    /// Whether a statement gives any rows.
    fn has_rows(&self, statement: &str, clause: &str, context: &mut Context<'_>) -> Outcome<bool> {
        let (text, code) = self.run(&format!("SELECT COUNT(*) FROM ({statement}) count"), context)?;
        if code != 0 {
            return Err(Fault::new(format!("Error evaluating '{clause}' clause, returned exit {code}: '{text}'")));
        }
        let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
        Ok(digits.parse::<u64>().is_ok_and(|count| count > 0))
    }

    fn is_needed(&self, is_refreshed: bool, context: &mut Context<'_>) -> Outcome<bool> {
        if let Some(statement) = &self.only_if
            && !self.has_rows(statement, "onlyif", context)?
        {
            return Ok(false);
        }
        if let Some(statement) = &self.unless
            && self.has_rows(statement, "unless", context)?
        {
            return Ok(false);
        }
        Ok(is_refreshed || !self.is_refreshonly)
    }

    fn execute(&self, context: &mut Context<'_>) -> Outcome {
        match self.run(&text_of(&self.command.desired()), context)? {
            (_, 0) => Ok(()),
            (text, code) => Err(Fault::new(format!("Error executing SQL; psql returned exit {code}: '{text}'"))),
        }
    }
}

impl Managed for Statement {
    fn provider(&self) -> Option<&str> {
        Some("ruby")
    }

    fn properties(&self) -> Vec<Property> {
        vec![self.command.clone()]
    }

    fn requires(&self) -> Vec<(String, String)> {
        vec![("class".to_owned(), "Postgresql::Server::Service".to_owned())]
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        let state = if self.is_needed(false, context)? { NOT_RUN.into() } else { self.command.desired() };
        values.set("command", state);
        Ok(values)
    }

    fn sync(&mut self, _: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        self.execute(context)
    }

    fn is_refreshable(&self) -> bool {
        true
    }

    fn refresh(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome {
        if self.is_needed(true, context)? { self.execute(context) } else { Ok(()) }
    }
}
