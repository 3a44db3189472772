//! `package`: packages of Debian, through `apt-get` and `dpkg`. All packages are looked at once, with one `dpkg-query`.

use bunraku_catalog::resource_types::builtin;
use bunraku_pcore::Value;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

const PURGED: &str = "purged";
const LATEST: &str = "latest";

/// What `dpkg` knows of a package.
#[derive(Debug, Clone)]
pub(crate) struct Installed {
    /// Its version; `absent` if only its configuration is left, `purged` if nothing is.
    state: String,
    is_held: bool,
}

/// The packages of the machine by their names.
pub(crate) type Packages = FxHashMap<String, Installed>;

struct Package {
    name: String,
    properties: Vec<Property>,
    is_dpkg: bool,
    source: Option<String>,
    options: Vec<String>,
    replaces_configuration: bool,
    responses: Option<String>,
    is_reinstalled: bool,
    /// The version that `latest` means.
    candidate: Option<String>,
    is_held: bool,
}

/// Whether packages of this machine are those of Debian, and no other provider is asked for.
pub(super) fn is_suitable(given: &Given<'_>) -> bool {
    let program = match given.text("provider").as_deref() {
        None | Some("apt") => "apt-get",
        Some("dpkg") => "dpkg",
        Some(_) => return false,
    };
    which(program, None).is_some() && which("dpkg-query", None).is_some()
}

/// Refuses a provider that nobody knows.
pub(super) fn check_provider(given: &Given<'_>) -> Outcome {
    let known = builtin("package").map(|known| known.providers.as_slice()).unwrap_or_default();
    match given.text("provider").filter(|name| !known.iter().any(|it| **it == **name)) {
        Some(name) => Err(given.refuse("provider", &format!("Invalid package provider '{name}'"))),
        None => Ok(()),
    }
}

/// A range of versions, if it is one: comparisons that all have to hold.
fn range(text: &str) -> Option<Vec<(String, String)>> {
    let comparison = |word: &str| {
        let operator = ["<=", ">=", "<", ">"].into_iter().find(|operator| word.starts_with(operator))?;
        let version = word.strip_prefix(operator)?.trim();
        (!version.is_empty()).then(|| (operator.to_owned(), version.to_owned()))
    };
    let spaced = text.replace("> ", ">").replace("< ", "<").replace("= ", "=");
    spaced.split_whitespace().map(comparison).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Whether one version of Debian stands to another as an operator says.
fn compares(first: &str, operator: &str, second: &str) -> bool {
    let operator = match operator {
        "<" => "lt",
        "<=" => "le",
        ">" => "gt",
        _ => "ge",
    };
    let arguments = ["--compare-versions", first, operator, second].map(str::to_owned);
    let run = Execution::provider("dpkg", &arguments).map(|command| command.run());
    matches!(run, Ok(Ok(output)) if output.code == Some(0))
}

/// Whether a version is in a range.
fn is_in(version: &str, range: &[(String, String)]) -> bool {
    range.iter().all(|(operator, other)| compares(version, operator, other))
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let is_dpkg = given.text("provider").as_deref() == Some("dpkg");
    let provider = if is_dpkg { "dpkg" } else { "apt" };
    if given.text("ensure").as_deref() == Some("disabled") {
        let reason = format!("Provider {provider} must have features 'disableable' to set 'ensure' to 'disabled'");
        return Err(given.refuse("ensure", &reason));
    }
    let mut properties = given.properties_of_present(&["ensure", "mark"]);
    for property in &mut properties {
        for value in property.should.iter_mut().flatten() {
            let text = text_of(value);
            *value = if text == "installed" { "present".into() } else { text.as_str().into() };
        }
    }
    Ok(Box::new(Package {
        name: given.name("name"),
        properties,
        is_dpkg,
        source: given.text("source"),
        options: options(given.value("install_options")),
        replaces_configuration: given.text("configfiles").as_deref() == Some("replace"),
        responses: given.text("responsefile"),
        is_reinstalled: given.flag("reinstall_on_refresh") == Some(true),
        candidate: None,
        is_held: false,
    }))
}

/// Options as words: those of a hash are written `name=value`.
fn options(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(elements)) => elements.iter().flat_map(|element| options(Some(element))).collect(),
        Some(Value::Hash(hash)) => {
            hash.iter().map(|(name, value)| format!("{}={}", text_of(name), text_of(value))).collect()
        }
        Some(value) => vec![text_of(value)],
        None => Vec::new(),
    }
}

fn run(program: &str, arguments: &[&str]) -> Outcome<String> {
    let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
    Execution::provider(program, &arguments)?.variable("DEBIAN_FRONTEND", "noninteractive").succeed()
}

/// The packages that are there.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    let packages = match &mut context.packages {
        Some(packages) => packages,
        none => none.insert(list()?),
    };
    let is_there = |it: &Installed| it.state != PURGED;
    Ok(super::named(packages.iter().filter(|(_, it)| is_there(it)).map(|(name, _)| name.as_str())))
}

/// Looks at all packages.
fn list() -> Outcome<Packages> {
    let text = run("dpkg-query", &["-W", "--showformat", "${Status} ${Package} ${Version}\\n"])?;
    let package = |line: &str| {
        let mut words = line.split(' ');
        let (desired, _, status) = (words.next()?, words.next()?, words.next()?);
        let (name, version) = (words.next()?, words.next().unwrap_or_default());
        let state = match status {
            "installed" => version,
            "not-installed" => PURGED,
            _ => ABSENT,
        };
        Some((name.to_owned(), Installed { state: state.to_owned(), is_held: desired == "hold" }))
    };
    Ok(text.lines().filter_map(package).collect())
}

fn is_missing(state: &Value) -> bool {
    is_absent(state) || state.as_str() == Some(PURGED)
}

impl Package {
    fn wanted(&self, name: &str) -> Option<String> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(text_of(&property.desired()))
    }

    fn hold(&self, selection: &str) -> Outcome {
        let line = format!("{} {selection}\n", self.name);
        Execution::provider("dpkg", &["--set-selections".to_owned()])?.input(line).succeed().map(drop)
    }

    fn install(&self) -> Outcome {
        if self.is_held && self.wanted("mark").is_none() {
            self.hold("install")?;
        }
        let configuration = if self.replaces_configuration { "--force-confnew" } else { "--force-confold" };
        if self.is_dpkg {
            let missing = || Fault::raw("You cannot install dpkg packages without a source");
            let source = self.source.as_deref().ok_or_else(missing)?;
            return run("dpkg", &[configuration, "-i", source]).map(drop);
        }
        if let Some(responses) = &self.responses {
            run("debconf-set-selections", &[responses])?;
        }
        let ensure = self.wanted("ensure").unwrap_or_default();
        let is_version = !matches!(ensure.as_str(), "present" | LATEST | "");
        let version = match range(&ensure) {
            Some(range) => self.newest_in(&range)?.unwrap_or_else(|| ensure.clone()),
            None => ensure.clone(),
        };
        let what = match (&self.source, is_version) {
            (Some(source), _) => source.clone(),
            (None, true) => format!("{}={version}", self.name),
            (None, false) => self.name.clone(),
        };
        let configuration = format!("DPkg::Options::={configuration}");
        let mut arguments = vec!["-q", "-y", "-o", &configuration];
        arguments.extend(is_version.then_some("--force-yes"));
        arguments.extend(self.options.iter().map(String::as_str));
        arguments.extend(["install", &what]);
        let installed = run("apt-get", &arguments).map(drop);
        installed.map_err(|fault| match ensure.as_str() {
            "present" | "" => fault,
            _ => Fault::new(format!("Could not update: {fault}")),
        })?;
        if self.wanted("mark").as_deref() == Some("hold") {
            self.hold("hold")?;
        }
        Ok(())
    }

    fn remove(&self, is_purged: bool) -> Outcome {
        if self.is_held {
            self.hold("install")?;
        }
        match (self.is_dpkg, is_purged) {
            (true, false) => run("dpkg", &["-r", &self.name]).map(drop),
            (true, true) => run("dpkg", &["--purge", &self.name]).map(drop),
            (false, false) => run("apt-get", &["-y", "-q", "remove", &self.name]).map(drop),
            (false, true) => {
                run("apt-get", &["-y", "-q", "remove", "--purge", &self.name])?;
                run("dpkg", &["--purge", &self.name]).map(drop)
            }
        }
    }

    /// The newest version in a range that can be installed.
    fn newest_in(&self, range: &[(String, String)]) -> Outcome<Option<String>> {
        let table = run("apt-cache", &["madison", &self.name])?;
        let versions = table.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
        let mut newest: Option<&str> = None;
        for version in versions.filter(|version| is_in(version, range)) {
            if newest.is_none_or(|known| compares(version, ">", known)) {
                newest = Some(version);
            }
        }
        Ok(newest.map(str::to_owned))
    }

    /// The newest version there is.
    fn find_candidate(&mut self) -> Outcome {
        let text = match (&self.source, self.is_dpkg) {
            (Some(source), true) => {
                let shown = run("dpkg-deb", &["--show", source])?;
                self.candidate = shown.split_whitespace().nth(1).map(str::to_owned);
                return Ok(());
            }
            _ => run("apt-cache", &["policy", &self.name])?,
        };
        let candidate = text.lines().find_map(|line| line.trim().strip_prefix("Candidate:")).map(str::trim);
        self.candidate = candidate.filter(|version| *version != "(none)").map(str::to_owned);
        Ok(())
    }
}

impl Managed for Package {
    fn provider(&self) -> Option<&str> {
        Some(if self.is_dpkg { "dpkg" } else { "apt" })
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let packages = match &mut context.packages {
            Some(packages) => packages,
            none => none.insert(list()?),
        };
        let found = packages.get(&self.name).cloned();
        self.is_held = found.as_ref().is_some_and(|it| it.is_held);
        let state: Value = found.map_or_else(|| PURGED.into(), |it| it.state.into());
        if self.wanted("ensure").as_deref() == Some(LATEST) && !is_missing(&state) {
            self.find_candidate()?;
        }
        let mark = if self.is_held { "hold" } else { "none" };
        let mut values = Values::new();
        values.set("ensure", state);
        values.set("mark", mark.into());
        Ok(values)
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        if property.name == "mark" {
            return Ok(property.matches(current));
        }
        Ok(match property.desired().as_str() {
            Some("present") => !is_missing(current),
            Some(ABSENT) => is_missing(current),
            Some(LATEST) => {
                let is_newest = self.candidate.as_deref().is_none_or(|candidate| current.as_str() == Some(candidate));
                !is_missing(current) && is_newest
            }
            Some(wanted) if !is_missing(current) && range(wanted).is_some() => {
                is_in(&text_of(current), &range(wanted).unwrap_or_default())
            }
            _ => property.matches(current),
        })
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        // What else the command changes is looked at anew.
        let before = context.packages.take();
        if property.name == "mark" {
            let selection = if property.desired().as_str() == Some("hold") { "hold" } else { "install" };
            return self.hold(selection);
        }
        match property.desired().as_str() {
            Some(ABSENT) => self.remove(false),
            Some(PURGED) => self.remove(true),
            wanted => {
                let complain = |fault: Fault| match fault.is_raw {
                    true => {
                        let wanted = wanted.unwrap_or_default();
                        let message = site.located(format!("Could not set '{wanted}' on ensure: {fault}"));
                        context.log.say(crate::log::Level::Err, message.clone());
                        Fault { original: Some(fault.message), ..Fault::new(message) }
                    }
                    false => fault,
                };
                self.install().map_err(complain)?;
                let was_there = before.as_ref().and_then(|all| all.get(&self.name)).map(|it| it.state.as_str());
                if !self.is_dpkg && matches!(was_there, None | Some(ABSENT | PURGED)) {
                    run("apt-mark", &["manual", &self.name])?;
                }
                Ok(())
            }
        }
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        let desired = property.desired();
        if property.name == "mark" {
            return property::change("mark", from, &desired, &property::shown);
        }
        match desired.as_str() {
            Some(PURGED) => PURGED.to_owned(),
            Some(ABSENT) => "removed".to_owned(),
            _ if is_missing(from) => "created".to_owned(),
            Some(LATEST) => {
                let version: Value = self.candidate.as_deref().unwrap_or(LATEST).into();
                property::ensure_change(from, &version)
            }
            _ => property::ensure_change(from, &desired),
        }
    }

    fn event_name(&self, type_name: &str, property: &Property) -> String {
        let word = match (property.name, property.desired().as_str()) {
            ("mark", _) => return "mark_changed".to_owned(),
            (_, Some("present")) => "installed",
            (_, Some(ABSENT)) => "removed",
            (_, Some(PURGED)) => PURGED,
            _ => "changed",
        };
        format!("{type_name}_{word}")
    }

    fn is_refreshable(&self) -> bool {
        self.is_reinstalled
    }
}
