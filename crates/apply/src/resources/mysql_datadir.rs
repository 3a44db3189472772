//! `mysql_datadir` of the mysql module: the directory in which a server keeps its databases.

use std::path::Path;

use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::mysql::{Server, program};
use crate::property::{ABSENT, Property, Values, is_absent};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] =
    &["datadir", "name", "ensure", "basedir", "user", "insecure", "defaults_extra_file", "log_error", "provider"];

struct Directory {
    path: String,
    options: Vec<String>,
    defaults: Option<String>,
    log: String,
    properties: Vec<Property>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("datadir");
    let base = given.text("basedir").map(|base| format!("--basedir={base}"));
    let user = given.text("user").unwrap_or_else(|| "mysql".to_owned());
    let own = [format!("--datadir={path}"), format!("--user={user}")];
    Ok(Box::new(Directory {
        options: base.into_iter().chain(own).collect(),
        defaults: given.text("defaults_extra_file"),
        log: given.text("log_error").unwrap_or_else(|| "/var/tmp/mysqld_initialize.log".to_owned()),
        properties: given.properties_of_described(&["ensure"]),
        path,
    }))
}

impl Managed for Directory {
    fn provider(&self) -> Option<&str> {
        Some("mysql")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn requires(&self) -> Vec<(String, String)> {
        vec![("package".to_owned(), "mysql-server".to_owned())]
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        let own = Path::new(&self.path).join("mysql");
        let is_there = std::fs::read_dir(own).is_ok_and(|mut entries| entries.next().is_some());
        values.set("ensure", if is_there { "present" } else { ABSENT }.into());
        Ok(values)
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        if is_absent(&property.desired()) {
            return Err(Fault::new("ERROR: `Resource` can not be removed."));
        }
        let mut options = Vec::new();
        if let Some(defaults) = &self.defaults {
            if !Path::new(defaults).exists() {
                return Err(Fault::new(format!("Defaults-extra-file {defaults} is missing.")));
            }
            options.push(format!("--defaults-extra-file={defaults}"));
        }
        options.extend(self.options.iter().cloned());
        let has_own =
            Server::installed()?.is_some_and(|server| server.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6")]));
        let name = if has_own { "mysqld" } else { "mysql_install_db" };
        if has_own {
            options.extend([format!("--log-error={}", self.log), "--initialize-insecure".to_owned()]);
        }
        let program = program(name).ok_or_else(|| Fault::new(format!("Command {name} is missing")))?;
        Execution::new(&[vec![program], options].concat()).succeed().map(drop)
    }
}
