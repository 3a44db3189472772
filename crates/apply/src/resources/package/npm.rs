//! Global packages of Node.js, through `npm`: the provider of the nodejs module.

use bunraku_notation::yaml;
use bunraku_pcore::Value;

use super::{Installed, Listing, Packages, Request, Tool};
use crate::execution::{Execution, Failure};
use crate::fault::{Fault, Outcome};
use crate::property::text_of;

/// The command `npm`.
pub(super) struct Npm;

fn npm(arguments: &[&str]) -> Outcome<Execution> {
    let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
    Ok(Execution::provider("npm", &arguments)?.variable("HOME", "/root"))
}

/// All packages that are installed. That something is wrong with one of them makes no difference.
fn list() -> Outcome<Listing> {
    let output = match npm(&["list", "--json", "--global"])?.drop_errors().run() {
        Ok(output) => output.text,
        Err(Failure::NotStarted(fault)) => return Err(fault),
        Err(Failure::TimedOut) => return Err(Fault::new("npm takes too long")),
    };
    // What npm tells between is not JSON.
    let text: String = output.lines().filter(|line| !line.starts_with("npm")).map(|line| format!("{line}\n")).collect();
    let document = yaml::load(text.as_bytes(), "npm").ok().and_then(|document| document.value);
    let Some(Value::Hash(document)) = document else { return Ok(Listing::default()) };
    let Some(Value::Hash(packages)) = document.get_str("dependencies") else { return Ok(Listing::default()) };
    let package = |(name, package): (&Value, &Value)| {
        let Value::Hash(package) = package else { return None };
        Some((text_of(name), Installed::new(text_of(package.get_str("version")?))))
    };
    Ok(packages.iter().filter_map(package).collect())
}

impl Tool for Npm {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn can(&self, feature: &str) -> bool {
        feature == "versionable"
    }

    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>> {
        Ok(packages.of("npm", list)?.get(&request.name).cloned())
    }

    fn latest(&mut self, request: &Request, current: &Value) -> Outcome<Option<String>> {
        let text = npm(&["outdated", "--global", &request.name])?.run().map(|output| output.text).unwrap_or_default();
        let named = format!("{}@", request.name);
        let is_version = |it: char| it.is_ascii_digit() || it == '.';
        let versions = text.match_indices(&named).filter_map(|(place, _)| text.get(place + named.len()..));
        let mut newest = versions.map(|rest| rest.split(|it| !is_version(it)).next().unwrap_or_default());
        Ok(newest.find(|version| !version.is_empty()).map_or_else(|| Some(text_of(current)), |it| Some(it.to_owned())))
    }

    fn suits(&self, _: &Request, _: &Value) -> bool {
        false
    }

    fn install(&mut self, request: &Request, _: &Value) -> Outcome {
        let package = match request.version() {
            Some(version) => format!("{}@{version}", request.name),
            None => request.name.clone(),
        };
        let mut arguments = vec!["install", "--global"];
        if let Some(source) = &request.source {
            arguments.push(source);
            return npm(&arguments)?.succeed().map(drop);
        }
        for registry in request.option("registry") {
            arguments.extend(["--registry", registry]);
        }
        arguments.push(&package);
        npm(&arguments)?.succeed().map(drop)
    }

    fn remove(&mut self, request: &Request, _: &Value) -> Outcome {
        npm(&["uninstall", "--global", &request.name])?.succeed().map(drop)
    }
}
