//! `package`: installed software, through the tool that a provider stands for. What the tools have in common is here: which
//! states are as wanted, what is said about changes; each tool has a file of its own.

mod debian;
mod gem;
mod npm;
mod pip;
mod rpm;
mod version;
mod yum;
mod zypper;

use bunraku_pcore::Value;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{Context, Known};
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};
use crate::status::Status;

const PRESENT: &str = "present";
const PURGED: &str = "purged";
const LATEST: &str = "latest";

/// What a tool knows of a package.
#[derive(Debug, Clone)]
struct Installed {
    /// Its version, or its versions; `absent` if only its configuration is left, `purged` if nothing is.
    state: Value,
    is_held: bool,
}

impl Installed {
    fn new(state: impl Into<Value>) -> Self {
        Installed { state: state.into(), is_held: false }
    }
}

/// The packages that a tool has installed, by their names.
type Listing = IndexMap<String, Installed>;

/// The packages of the machine, by the tool that was asked for them. Whatever a tool changes, all are looked at anew.
#[derive(Debug, Default)]
pub(crate) struct Packages(FxHashMap<String, Listing>);

impl Packages {
    /// The packages of a tool, which is asked for them the first time.
    fn of(&mut self, tool: &str, list: impl FnOnce() -> Outcome<Listing>) -> Outcome<&Listing> {
        if !self.0.contains_key(tool) {
            let listing = list()?;
            self.0.insert(tool.to_owned(), listing);
        }
        self.0.get(tool).ok_or_else(|| Fault::new(format!("no packages of {tool}")))
    }
}

/// The newest versions of the packages that are to be the latest, as far as a tool tells of many at once. They are so as
/// long as the run has changed nothing since.
#[derive(Debug, Default)]
pub(crate) struct Newest {
    /// How many changes the run had made by then.
    changes: usize,
    /// The versions by name; nothing until they are asked for.
    versions: Option<FxHashMap<String, String>>,
}

/// What a tool is asked for.
#[derive(Debug, Clone, Default)]
struct Request {
    name: String,
    /// The wanted state.
    ensure: String,
    source: Option<String>,
    install_options: Vec<String>,
    uninstall_options: Vec<String>,
    /// The command that is used in the place of the usual one.
    command: Option<String>,
    /// Whether a name may be one that packages provide.
    allows_virtual: bool,
    /// Whether versions are installed next to those that are there.
    is_install_only: bool,
    replaces_configuration: bool,
    responses: Option<String>,
    /// The wanted mark.
    mark: Option<String>,
    is_reinstalled: bool,
}

impl Request {
    /// The version that is wanted, if it is one.
    fn version(&self) -> Option<&str> {
        match self.ensure.as_str() {
            "" | PRESENT | ABSENT | PURGED | LATEST => None,
            version => Some(version),
        }
    }

    /// The values of an option that is given as `name=value`.
    fn option(&self, name: &str) -> Vec<&str> {
        let values = self.install_options.iter().filter_map(|option| option.trim().split_once('='));
        values.filter(|(known, _)| *known == name).map(|(_, value)| value).collect()
    }
}

/// A tool that installs packages.
trait Tool {
    /// The provider.
    fn name(&self) -> &'static str;

    /// Whether it can do something that not every tool can.
    fn can(&self, feature: &str) -> bool;

    /// What is installed, by all means that the tool has; nothing if the package is not there.
    fn find(&mut self, request: &Request, packages: &mut Packages) -> Outcome<Option<Installed>>;

    /// The newest version there is; nothing if that cannot be told.
    fn latest(&mut self, request: &Request, current: &Value) -> Outcome<Option<String>>;

    /// The newest versions of many packages, of those that it can tell.
    fn newest(&self, _names: &[&str]) -> FxHashMap<String, String> {
        FxHashMap::default()
    }

    /// Whether an installed version is one of those that are wanted.
    fn suits(&self, request: &Request, current: &Value) -> bool;

    /// Installs the package, or brings it to a version.
    fn install(&mut self, request: &Request, current: &Value) -> Outcome;

    /// Removes the package.
    fn remove(&mut self, request: &Request, current: &Value) -> Outcome;

    /// Removes the package with all that belongs to it.
    fn purge(&mut self, request: &Request, current: &Value) -> Outcome {
        self.remove(request, current)
    }

    /// Whether a command that the resource names is there.
    fn check_command(&self, request: &Request) -> Outcome {
        match &request.command {
            Some(command) if self.can("targetable") && !std::path::Path::new(command).is_file() => {
                let name = self.name();
                Err(Fault::new(format!("Provider {name} package command '{command}' does not exist on this host")))
            }
            _ => Ok(()),
        }
    }

    /// Lets the package stay as it is, or not.
    fn mark(&mut self, _request: &Request, _is_held: bool) -> Outcome {
        Ok(())
    }
}

struct Package {
    request: Request,
    properties: Vec<Property>,
    tool: Box<dyn Tool>,
    /// The version that `latest` means.
    latest: Option<String>,
    current: Value,
}

/// The tools that are known, and the programs each cannot do without.
const TOOLS: [(&str, &[&str]); 13] = [
    ("apt", &["apt-get", "dpkg-query"]),
    ("dnf", &["dnf", "rpm"]),
    ("yum", &["yum", "rpm"]),
    ("zypper", &["/usr/bin/zypper", "rpm"]),
    ("dpkg", &["dpkg", "dpkg-query"]),
    ("rpm", &["rpm"]),
    ("gem", &[]),
    ("npm", &[]),
    ("pip", &[]),
    ("pip2", &[]),
    ("pip3", &[]),
    ("puppet_gem", &[]),
    ("puppetserver_gem", &["puppetserver"]),
];

/// The tools that are used where no other is asked for: the first that this machine has.
const USUAL: usize = 4;

fn works(tool: &str, programs: &[&str]) -> bool {
    let is_there = programs.iter().all(|program| which(program, None).is_some());
    match tool {
        // Other systems may have the program, but not the packages.
        "zypper" => is_there && zypper::is_system(),
        "puppet_gem" => which(gem::OF_PUPPET, None).is_some(),
        _ => is_there,
    }
}

/// The tool of a resource, if this machine has it.
fn tool(given: &Given<'_>) -> Option<&'static str> {
    let asked = given.text("provider");
    let candidates = match &asked {
        Some(name) => TOOLS.iter().filter(|(known, _)| known == name).collect::<Vec<_>>(),
        None => TOOLS.iter().take(USUAL).collect(),
    };
    candidates.into_iter().find(|(name, programs)| works(name, programs)).map(|(name, _)| *name)
}

/// Whether this machine has a tool for a resource.
pub(super) fn is_suitable(given: &Given<'_>) -> bool {
    tool(given).is_some()
}

/// Whether a provider is only known to Ruby.
pub(crate) fn is_of_ruby(given: &Given<'_>) -> bool {
    given.text("provider").is_some_and(|name| TOOLS.iter().all(|(known, _)| *known != name))
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = tool(given).unwrap_or("apt");
    let tool: Box<dyn Tool> = match name {
        "apt" | "dpkg" => Box::new(debian::Debian::new(name == "dpkg")),
        "dnf" | "yum" => Box::new(yum::Yum::new(name)),
        "zypper" => Box::new(zypper::Zypper),
        "rpm" => Box::new(rpm::Rpm),
        "npm" => Box::new(npm::Npm),
        "pip" | "pip2" | "pip3" => Box::new(pip::Pip::new(name)),
        _ => Box::new(gem::Gem::new(name)),
    };
    // Compatibility: `true` is any version, installed anew at every run, and `false` asks for nothing.
    let is_any = matches!(given.value("ensure"), Some(Value::Boolean(_)));
    let ensure = given.text("ensure").filter(|_| !is_any).unwrap_or_default();
    let feature = match ensure.as_str() {
        "disabled" => "disableable",
        PURGED => "purgeable",
        "" | PRESENT | "installed" | ABSENT | "latest" | "held" => "installable",
        _ => "versionable",
    };
    if feature != "installable" && !tool.can(feature) {
        let reason = format!("Provider {name} must have features '{feature}' to set 'ensure' to '{ensure}'");
        return Err(given.refuse("ensure", &reason));
    }
    if given.value("mark").is_some() && matches!(ensure.as_str(), ABSENT | PURGED) {
        let reason = "You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", \"purged\"]";
        return Err(given.invalid(reason));
    }
    let mut properties = given.properties_of_present(&["ensure", "mark"]);
    properties.retain(|property| match property.name {
        "mark" => tool.can("holdable"),
        _ => property.desired() != Value::Boolean(false),
    });
    for property in properties.iter_mut().filter(|property| !is_any || property.name == "mark") {
        for value in property.should.iter_mut().flatten() {
            let text = text_of(value);
            *value = if text == "installed" { PRESENT.into() } else { text.as_str().into() };
        }
    }
    let wanted = |name: &str| properties.iter().find(|it| it.name == name && it.should.is_some());
    let request = Request {
        name: given.name("name"),
        ensure: wanted("ensure").filter(|_| !is_any).map(|it| text_of(&it.desired())).unwrap_or_default(),
        source: given.text("source"),
        install_options: options(given.value("install_options")),
        uninstall_options: options(given.value("uninstall_options")),
        command: given.text("command").filter(|command| command != "default"),
        allows_virtual: given.flag("allow_virtual") != Some(false),
        is_install_only: given.flag("install_only") == Some(true),
        replaces_configuration: given.text("configfiles").as_deref() == Some("replace"),
        responses: given.text("responsefile"),
        mark: wanted("mark").map(|it| text_of(&it.desired())),
        is_reinstalled: given.flag("reinstall_on_refresh") == Some(true),
    };
    Ok(Box::new(Package { request, properties, tool, latest: None, current: Value::Undef }))
}

/// Options as words: those of a hash are written `name=value`, in the order of their names.
fn options(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(elements)) => elements.iter().flat_map(|element| options(Some(element))).collect(),
        Some(Value::Hash(hash)) => {
            let mut options: Vec<(String, String)> =
                hash.iter().map(|(name, value)| (text_of(name), text_of(value))).collect();
            options.sort();
            options.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
        }
        Some(value) => vec![text_of(value)],
        None => Vec::new(),
    }
}

/// A program of a tool with its arguments.
fn command<T: AsRef<str>>(program: &str, arguments: &[T]) -> Outcome<Execution> {
    let arguments: Vec<String> = arguments.iter().map(|it| it.as_ref().to_owned()).collect();
    Ok(Execution::provider(program, &arguments)?.variable("DEBIAN_FRONTEND", "noninteractive"))
}

/// Runs a program of a tool; that it fails is an error.
fn run<T: AsRef<str>>(program: &str, arguments: &[T]) -> Outcome<String> {
    command(program, arguments)?.succeed()
}

/// The packages that are there.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    let mut found: Vec<super::Instance> = Vec::new();
    let mut names: FxHashSet<String> = FxHashSet::default();
    let mut add = |tool: &str, is_usual: bool, listing: &Listing| {
        let there = listing.iter().filter(|(_, it)| it.state.as_str() != Some(PURGED));
        for (name, _) in there {
            // Of a name that several tools have, the first is shown.
            if !names.insert(name.clone()) {
                continue;
            }
            let mut parameters = bunraku_catalog::Parameters::default();
            if !is_usual {
                parameters.insert("provider".into(), tool.into());
            }
            found.push(super::Instance { title: name.clone(), parameters });
        }
    };
    let packages = &mut context.packages;
    let usual = TOOLS.iter().take(USUAL).find(|(name, programs)| works(name, programs)).map(|(name, _)| *name);
    match usual {
        Some("apt") => add("apt", true, packages.of("apt", debian::list)?),
        Some(tool) => add(tool, true, packages.of("rpm", rpm::list)?),
        None => {}
    }
    for tool in ["pip", "pip3", "gem"] {
        let listing = match tool {
            "gem" => gem::command_of(tool).map(|command| packages.of(&command.clone(), || gem::list(&command))),
            _ => pip::command_of(tool).map(|command| packages.of(&command.clone(), || pip::list(&command))),
        };
        if let Some(listing) = listing.transpose()? {
            add(tool, false, listing);
        }
    }
    Ok(found)
}

fn is_missing(state: &Value) -> bool {
    is_absent(state) || state.is_undef() || state.as_str() == Some(PURGED)
}

/// The versions that are installed: tools that install several side by side have a list.
fn versions(state: &Value) -> Vec<String> {
    match state {
        Value::Array(elements) => elements.iter().map(text_of).collect(),
        state => vec![text_of(state)],
    }
}

impl Package {
    fn change_state(&mut self, wanted: &str) -> Outcome {
        let (request, current) = (&self.request, &self.current);
        match wanted {
            ABSENT => self.tool.remove(request, current),
            PURGED => self.tool.purge(request, current),
            PRESENT | "" => self.tool.install(request, current),
            _ => {
                let installed = self.tool.install(request, current);
                installed.map_err(|fault| Fault::new(format!("Could not update: {fault}")))
            }
        }
    }
}

impl Package {
    /// The newest version of the package, if it was asked for together with those of others.
    fn known_newest(&self, context: &mut Context<'_>) -> Option<String> {
        let name = &self.request.name;
        if self.request.source.is_some() || self.request.command.is_some() {
            return None;
        }
        if context.newest.changes != context.changes || context.newest.versions.is_none() {
            let own = self.tool.name();
            let text = |known: &Known, name: &str| known.parameters.get(name).map(text_of);
            let is_alike = |known: &&Known| {
                text(known, "ensure").as_deref() == Some(LATEST)
                    && text(known, "provider").is_none_or(|provider| provider == own)
            };
            let declared = context.declared.of("package").iter().filter(is_alike);
            let names: Vec<&str> = declared.map(|known| known.name.as_str()).collect();
            // Who is alone is asked in a way that says more.
            let versions = if names.len() > 1 { self.tool.newest(&names) } else { FxHashMap::default() };
            context.newest = Newest { changes: context.changes, versions: Some(versions) };
        }
        context.newest.versions.as_ref()?.get(name).cloned()
    }
}

impl Managed for Package {
    fn provider(&self) -> Option<&str> {
        Some(self.tool.name())
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn evaluate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Option<Status>> {
        let Err(fault) = self.tool.check_command(&self.request) else { return Ok(None) };
        // The reference asks such a command for all packages before it looks at a single one.
        let name = self.tool.name();
        context.log.say(Level::Err, format!("Could not prefetch package provider '{name}': {fault}"));
        let mut status = Status::default();
        status.fail(format!("Prefetch failed for package provider '{name}'"));
        status.is_skipped = true;
        site.say(&mut context.log, Level::Warning, "Skipping because provider prefetch failed");
        Ok(Some(status))
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let found = self.tool.find(&self.request, &mut context.packages)?;
        let nothing = if self.tool.can("purgeable") { PURGED } else { ABSENT };
        let is_held = found.as_ref().is_some_and(|it| it.is_held);
        self.current = found.map_or_else(|| nothing.into(), |it| it.state);
        let mut values = Values::new();
        values.set("ensure", self.current.clone());
        values.set("mark", if is_held { "hold" } else { "none" }.into());
        Ok(values)
    }

    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        _: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        if property.name == "mark" {
            return Ok(property.matches(current));
        }
        Ok(match property.desired().as_str() {
            None => property.should.is_none(),
            Some(PRESENT) => !is_missing(current),
            Some(ABSENT) => is_missing(current),
            Some(PURGED) => current.as_str() == Some(PURGED),
            Some(LATEST) if is_missing(current) => false,
            Some(LATEST) => {
                let newest = match self.known_newest(context) {
                    Some(version) => Ok(Some(version)),
                    None => self.tool.latest(&self.request, current),
                };
                self.latest = newest.map_err(|fault| Fault::new(format!("Could not get latest version: {fault}")))?;
                self.latest.as_ref().is_none_or(|latest| versions(current).contains(latest))
            }
            Some(wanted) if versions(current).iter().any(|version| version == wanted) => true,
            _ if is_missing(current) => false,
            _ => self.tool.suits(&self.request, current),
        })
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        // What else the command changes is looked at anew.
        context.packages = Packages::default();
        let wanted = text_of(&property.desired());
        if property.name == "mark" {
            return self.tool.mark(&self.request, wanted == "hold");
        }
        let changed = self.change_state(&wanted);
        changed.map_err(|fault| site.setting_failed(property, fault, context))
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        let desired = property.desired();
        if property.name == "mark" {
            return property::change("mark", from, &desired, property::shown);
        }
        match desired.as_str() {
            Some(PURGED) => PURGED.to_owned(),
            Some(ABSENT) => "removed".to_owned(),
            _ if is_missing(from) => "created".to_owned(),
            Some(LATEST) => {
                let version: Value = self.latest.as_deref().unwrap_or(LATEST).into();
                property::ensure_change(from, &version)
            }
            _ => property::ensure_change(from, &desired),
        }
    }

    fn event_name(&self, type_name: &str, property: &Property) -> String {
        let word = match (property.name, property.desired().as_str()) {
            ("mark", _) => return "mark_changed".to_owned(),
            (_, Some(PRESENT)) => "installed",
            (_, Some(ABSENT)) => "removed",
            (_, Some(PURGED)) => PURGED,
            _ => "changed",
        };
        format!("{type_name}_{word}")
    }

    fn is_refreshable(&self) -> bool {
        self.request.is_reinstalled
    }
}
