//! Pluginsync: the facts, types and functions of modules that agents use, brought from the server before anything else.

use std::path::{Path, PathBuf};

use bunraku::Settings;
use bunraku::apply::{Level, Log};

use crate::failure::Failure;
use crate::mirror::{Change, Tree};
use crate::requests::{Search, Server};
use crate::text;

/// Pluginsync.
#[derive(Debug)]
pub struct Plugins {
    /// What is brought: its name, where it is on the server, and where it goes.
    parts: Vec<(&'static str, String, PathBuf)>,
    ignore: Vec<String>,
    /// Whether the run goes on without what cannot be brought.
    is_lenient: bool,
}

impl Plugins {
    /// What the settings ask for.
    pub fn new(settings: &Settings) -> Result<Plugins, String> {
        let part = |name: &'static str, source: &str, target: &str| {
            let source = text(settings, source)?;
            let mount = source.strip_prefix("puppet:///").map(str::to_owned);
            let mount = mount.ok_or_else(|| format!("Plugins come from puppet:///, not from {source}"))?;
            Ok::<_, String>((name, mount, PathBuf::from(text(settings, target)?)))
        };
        let is_lenient = settings.boolean("ignore_plugin_errors").map_err(|issue| issue.message().to_owned())?;
        Ok(Plugins {
            parts: vec![
                part("pluginfacts", "pluginfactsource", "pluginfactdest")?,
                part("plugin", "pluginsource", "plugindest")?,
            ],
            ignore: text(settings, "pluginsignore")?.split_whitespace().map(str::to_owned).collect(),
            is_lenient,
        })
    }

    /// Whether the server has the environment, without which there is nothing to bring.
    pub fn is_known(&self, server: &mut Server, environment: &str) -> Result<(), Failure> {
        server.has_environment(environment)
    }

    /// Brings everything that has changed, and names it. A failure ends the run unless the settings say otherwise.
    pub fn bring(&self, server: &mut Server, environment: &str, log: &mut Log) -> Result<Vec<String>, String> {
        let mut changed = Vec::new();
        for (name, mount, target) in &self.parts {
            log.say(Level::Info, format!("Retrieving {name}"));
            let search = Search { ignore: &self.ignore, keeps_permissions: *name == "pluginfacts" };
            if let Err(reason) = bring(server, mount, environment, &search, target, log, &mut changed) {
                if !self.is_lenient {
                    return Err(format!("Failed to retrieve {name}: {reason}"));
                }
                log.say(Level::Err, format!("Could not retrieve {name}: {reason}"));
            }
        }
        Ok(changed)
    }
}

fn bring(
    server: &mut Server,
    mount: &str,
    environment: &str,
    search: &Search<'_>,
    target: &Path,
    log: &mut Log,
    changed: &mut Vec<String>,
) -> Result<(), String> {
    let entries = match server.metadatas(mount, environment, search) {
        Ok(entries) => entries,
        // Where no module has any, there is nothing to bring.
        Err(failure) if failure.is(404) => return Ok(()),
        Err(failure) => return Err(failure.to_string()),
    };
    let tree = Tree { source: mount, environment, target, is_exact: true };
    tree.bring(server, &entries, &mut |path, change| {
        let path = path.display();
        let (property, message) = match change {
            Change::Created => ("ensure", "created".to_owned()),
            Change::Removed => ("ensure", "removed".to_owned()),
            Change::Defined(sum) => ("ensure", format!("defined content as '{sum}'")),
            Change::Changed(from, to) => ("content", format!("content changed '{from}' to '{to}'")),
        };
        changed.push(path.to_string());
        log.say_as(&format!("/File[{path}]/{property}"), Level::Notice, message);
    })
}

/// A directory of modules in which what was brought stands for a module of its own, so that functions and types in it are
/// found as those of modules are.
pub fn stand_for_module(settings: &Settings) -> Result<PathBuf, String> {
    let modules = PathBuf::from(text(settings, "client_datadir")?).join("modules");
    let own = modules.join("plugins");
    let library = PathBuf::from(text(settings, "plugindest")?);
    let link = own.join("lib");
    let wrong = |error: std::io::Error| format!("{}: {error}", link.display());
    std::fs::create_dir_all(&own).map_err(wrong)?;
    if std::fs::read_link(&link).ok().as_deref() != Some(library.as_path()) {
        // Whatever was there named another directory.
        _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&library, &link).map_err(wrong)?;
    }
    Ok(modules)
}
