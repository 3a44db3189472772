//! Gems of Ruby, through `gem`: that of this machine, of Puppet's own Ruby, or one that a resource names.

use bunraku_pcore::Value;

use super::version::{GEM, meets};
use super::{Installed, Listing, Packages, Request, Tool, versions};
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};

/// The command of the Ruby that Puppet's packages bring along.
pub(super) const OF_PUPPET: &str = "/opt/puppetlabs/puppet/bin/gem";

/// A command for gems.
pub(super) struct Gem {
    provider: &'static str,
}

/// The command of a provider, if this machine has it.
pub(super) fn command_of(provider: &str) -> Option<String> {
    which(if provider == "puppet_gem" { OF_PUPPET } else { "gem" }, None)
}

fn run(command: &[String], arguments: &[String]) -> Outcome<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    Execution::new(&[command, arguments].concat()).variable("HOME", &home).succeed()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}

/// The gems of a listing: lines such as `rake (13.0.6, default: 12.3)`.
fn parse(text: &str) -> Listing {
    let gem = |line: &str| {
        let (name, rest) = line.trim_end().split_once(' ')?;
        let (versions, _) = rest.trim_start().strip_prefix('(')?.rsplit_once(')')?;
        let versions = versions.replacen("default: ", "", 1);
        let versions = versions.split(',').filter_map(|version| version.split_whitespace().next());
        let versions = Value::array(versions.map(Value::from));
        Some((name.to_owned(), Installed::new(versions)))
    };
    text.lines().filter_map(gem).collect()
}

fn listed(command: &[String], arguments: &[String]) -> Outcome<Listing> {
    let text = run(command, &[words(&["list"]), arguments.to_vec()].concat());
    text.map(|text| parse(&text)).map_err(|fault| Fault::new(format!("Could not list gems: {fault}")))
}

/// All gems that a command has installed.
pub(super) fn list(command: &str) -> Outcome<Listing> {
    listed(&words(&[command]), &words(&["--local"]))
}

impl Gem {
    pub(super) fn new(provider: &'static str) -> Self {
        Gem { provider }
    }

    /// The command, which must be there.
    fn command(&self, request: &Request) -> Outcome<Vec<String>> {
        let provider = self.provider;
        if provider == "puppetserver_gem" {
            let found = which("puppetserver", None).ok_or_else(|| missing(provider))?;
            return Ok(vec![found, "gem".to_owned()]);
        }
        let command = request.command.clone().or_else(|| command_of(provider)).ok_or_else(|| missing(provider))?;
        Ok(vec![command])
    }
}

/// What is said about a command that is not there.
pub(super) fn missing(provider: &str) -> Fault {
    Fault::new(format!("Provider {provider} package command is not functional on this host"))
}

/// Where a gem comes from: a file, or its name and perhaps a place to look for it.
fn origin(request: &Request) -> Outcome<Vec<String>> {
    let Some(source) = &request.source else { return Ok(vec![request.name.clone()]) };
    match source.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
            Ok(vec![rest.strip_prefix("//").unwrap_or(rest).to_owned()])
        }
        Some(("puppet", _)) => Err(Fault::new("puppet:// URLs are not supported as gem sources")),
        Some(_) if !source.starts_with('/') => Ok(words(&["--source", source, &request.name])),
        _ => Ok(vec![source.clone()]),
    }
}

impl Tool for Gem {
    fn name(&self) -> &'static str {
        self.provider
    }

    fn can(&self, feature: &str) -> bool {
        matches!(feature, "versionable" | "targetable")
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        let command = self.command(request)?;
        let listing = packages.of(&command.join(" "), || listed(&command, &words(&["--local"])))?;
        Ok(listing.get(&request.name).cloned())
    }

    fn latest(&mut self, request: &Request, _: &Value) -> Outcome<Option<String>> {
        let mut arguments = words(&["--remote"]);
        if let Some(source) = &request.source {
            arguments.extend(words(&["--source", source]));
        }
        arguments.push(format!("\\A{}\\z", request.name));
        let found = listed(&self.command(request)?, &arguments)?;
        let newest = found.values().next().and_then(|it| versions(&it.state).into_iter().next());
        newest.map(Some).ok_or_else(|| Fault::new("undefined method `[]' for nil:NilClass"))
    }

    fn suits(&self, request: &Request, current: &Value) -> bool {
        let wanted = request.ensure.as_str();
        let suits = |version: &String| match meets(version, wanted) {
            Some(suits) => suits,
            None => GEM.range(wanted).is_some_and(|range| range.includes(version)),
        };
        versions(current).iter().any(suits)
    }

    fn install(&mut self, request: &Request, _: &Value) -> Outcome {
        let command = self.command(request)?;
        let mut arguments = words(&["install"]);
        arguments.extend(request.install_options.iter().cloned());
        if let Some(version) = request.version() {
            let range = if meets("0", version).is_none() { GEM.range(version) } else { None };
            let version = range.map_or_else(|| version.to_owned(), |range| range.joined(", "));
            arguments.extend(words(&["-v", &version]));
        }
        let is_old = GEM.compare(run(&command, &words(&["--version"]))?.trim(), "2.0.0").is_lt();
        arguments.extend(words(if is_old { &["--no-rdoc", "--no-ri"] } else { &["--no-document"] }));
        arguments.extend(origin(request)?);
        let output = run(&command, &arguments)?;
        match output.contains("ERROR") {
            true => Err(Fault::new(format!("Could not install: {}", output.trim_end()))),
            false => Ok(()),
        }
    }

    fn remove(&mut self, request: &Request, _: &Value) -> Outcome {
        let mut arguments = words(&["uninstall", "--executables", "--all", &request.name]);
        arguments.extend(request.uninstall_options.iter().cloned());
        let output = run(&self.command(request)?, &arguments)?;
        match output.contains("ERROR") {
            true => Err(Fault::new(format!("Could not uninstall: {}", output.trim_end()))),
            false => Ok(()),
        }
    }
}
