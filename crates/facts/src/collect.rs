//! Puts the sources of facts together: environment variables win over external facts, these over custom ones, and these
//! over core facts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::thread::Scope;
use std::time::Duration;

use bunraku_environment::World;
use bunraku_pcore::{Hash, Value};

use crate::config::Config;
use crate::custom::{CustomFacts, CustomRequest};
use crate::fact::{Fact, matches, part};
use crate::groups::Groups;
use crate::host::Host;
use crate::message::{Level, Message};
use crate::query::{dig, splits};
use crate::{cache, core, external};

/// The weights of external facts, and of variables of the environment.
const EXTERNAL: i64 = 10_000;
const VARIABLE: i64 = 1_000_000;

/// How many files with custom facts a run may have.
const MOST_FILES: usize = 10_000;

/// What facts are asked for, and where they may come from.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The names or paths of facts; nothing asks for all.
    pub queries: Vec<String>,
    /// Whether all facts include legacy ones.
    pub show_legacy: bool,
    /// The configuration file, if not that of the machine.
    pub config: Option<String>,
    /// Directories with custom facts, after those of the configuration.
    pub custom_dirs: Vec<String>,
    /// Directories with external facts, in place of those of the machine.
    pub external_dirs: Vec<String>,
    /// More directories with external facts.
    pub more_external_dirs: Vec<String>,
    /// Leaves custom facts out.
    pub no_custom_facts: bool,
    /// Leaves external facts out.
    pub no_external_facts: bool,
    /// Leaves `ruby` and custom facts out.
    pub no_ruby: bool,
    /// Blocks nothing.
    pub no_block: bool,
    /// Keeps nothing and uses nothing that is kept.
    pub no_cache: bool,
    /// Whether somebody looks for a mistake.
    pub is_debugging: bool,
    /// Facts that whoever asks adds.
    pub added: Vec<(String, Value)>,
}

/// How long a fact took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// Name of the fact, or of the file.
    pub name: String,
    /// How long it took.
    pub time: Duration,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Facts {
    /// All facts, or the answers to queries by the queries, sorted. A query without an answer has `Undef`.
    pub values: Hash,
    /// What was said meanwhile.
    pub messages: Vec<Message>,
    /// How long everything took.
    pub timings: Vec<Timing>,
    /// Files that whoever asked is to write, so that facts are kept.
    pub kept: Vec<(String, String)>,
}

/// Finds facts.
pub struct Collector<'w> {
    host: Host<'w>,
    custom: &'w dyn CustomFacts,
    options: Options,
    /// The configuration that counts.
    pub config: Config,
    timings: RefCell<Vec<Timing>>,
    kept: RefCell<BTreeMap<String, Hash>>,
}

/// Everything there is by name: facts that are no core facts, structured core facts, legacy facts.
#[derive(Default)]
struct Sources {
    others: BTreeMap<String, Value>,
    /// Those of the others that are variables of the environment.
    variables: BTreeSet<String>,
    core: BTreeMap<String, Value>,
    legacy: BTreeMap<String, Value>,
}

impl<'w> Collector<'w> {
    /// Reads the configuration.
    pub fn new(world: &'w dyn World, custom: &'w dyn CustomFacts, options: Options) -> Self {
        let host = Host::new(world);
        let config = Config::read(&host, options.config.as_deref());
        Collector { host, custom, options, config, timings: RefCell::default(), kept: RefCell::default() }
    }

    /// What was said while the configuration was read.
    pub fn messages(&self) -> Vec<Message> {
        self.host.take_messages()
    }

    /// The groups of facts that a configuration may name.
    pub fn groups(&self) -> Groups {
        let mut groups = self.config.groups.clone();
        let is_off = self.options.no_external_facts || self.config.is_on("no-external-facts");
        let directories = if is_off { Vec::new() } else { self.external_dirs() };
        let files = directories.into_iter().flat_map(|directory| self.host.list(&directory));
        groups.add_files(files.map(|entry| entry.name));
        groups
    }

    /// Finds what is asked for.
    pub fn collect(&self) -> Facts {
        std::thread::scope(|scope| self.collect_in(scope))
    }

    fn collect_in<'s>(&self, scope: &'s Scope<'s, '_>) -> Facts
    where
        'w: 's,
    {
        let mut sources = Sources::default();
        self.add_variables(&mut sources);
        self.add_external(&mut sources);
        for (name, value) in &self.options.added {
            sources.others.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let files = self.custom_files();
        let is_everything = self.options.queries.is_empty() || !files.is_empty();
        let is_asked = |fact: &&Fact| {
            let is_meant = |query: &String| {
                splits(query).any(|(name, _)| name == fact.name || fact.has_legacy(name)) || query.ends_with(".*")
            };
            is_everything || self.options.queries.iter().any(is_meant)
        };
        let asked: Vec<&Fact> = core::all().filter(is_asked).collect();
        // What is blocked or kept is not found out.
        let is_found = |fact: &&&Fact| !self.is_blocked(fact.name) && self.config.kept_in(fact.name).is_none();
        let found = asked.iter().filter(is_found);
        for (program, arguments) in found.filter_map(|fact| core::question(&self.host, fact.name)) {
            self.host.begin(scope, program, arguments);
        }
        for fact in asked {
            self.add_core(fact, &mut sources);
        }
        if !files.is_empty() {
            self.add_custom(&files, &mut sources);
        }
        let values = match self.options.queries.as_slice() {
            [] => self.all(sources),
            queries => {
                let answers = queries.iter().map(|query| (query.clone(), answer(&sources, query)));
                // A core fact without a value is left out, unlike a name that nobody knows.
                let is_shown = |(query, value): &(String, Value)| {
                    !value.is_undef() || !core::is_known(query) || self.is_hidden(query)
                };
                answers.filter(is_shown).collect()
            }
        };
        if self.options.is_debugging {
            for (name, value) in values.iter().filter(|(_, value)| !value.is_undef()) {
                let text = format!("fact \"{name}\" has resolved to: {value}");
                self.host.say(Level::Debug, "Facter::FactManager", text);
            }
        }
        let values = values.into_iter().map(|(name, value)| (Value::from(name), sorted(&value))).collect();
        let kept = self.kept.take().into_iter();
        let kept = kept.filter_map(|(group, facts)| Some((cache::file(&self.host, &group)?, cache::content(&facts))));
        Facts { values, messages: self.host.take_messages(), timings: self.timings.take(), kept: kept.collect() }
    }

    fn all(&self, sources: Sources) -> BTreeMap<String, Value> {
        let mut all = sources.core;
        if self.options.show_legacy || self.config.is_on("show-legacy") {
            all.extend(sources.legacy);
        }
        all.extend(sources.others);
        all
    }

    fn add_variables(&self, sources: &mut Sources) {
        for (name, value) in self.host.world.variables() {
            let is_ours = name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("facter"));
            let fact = name.get(6..).unwrap_or_default();
            let fact = fact.strip_prefix('_').unwrap_or(fact).to_lowercase();
            let is_name = !fact.is_empty() && fact.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            // Where custom facts are is no fact.
            if is_ours && is_name && fact != "lib" {
                sources.variables.insert(fact.clone());
                sources.others.insert(fact, Value::from(value));
            }
        }
    }

    fn external_dirs(&self) -> Vec<String> {
        let world = self.host.world;
        let configured = self.config.directories("external-dir");
        let mut directories = if !self.options.external_dirs.is_empty() {
            self.options.external_dirs.clone()
        } else if !configured.is_empty() {
            configured
        } else if world.is_privileged() {
            // The vendor's directory is used where the vendor's packages are.
            let vendor = ["/etc/puppetlabs/facter/facts.d", "/opt/puppetlabs/facter/facts.d"];
            let vendor = vendor.into_iter().filter(|_| world.is_dir("/opt/puppetlabs"));
            vendor.chain(["/etc/facter/facts.d"]).map(str::to_owned).collect()
        } else {
            let home = world.variable("HOME").unwrap_or_default();
            vec![format!("{home}/.facter/facts.d"), format!("{home}/.puppetlabs/opt/facter/facts.d")]
        };
        directories.extend(self.options.more_external_dirs.iter().cloned());
        directories
    }

    fn add_external(&self, sources: &mut Sources) {
        let world = self.host.world;
        if self.options.no_external_facts || self.config.is_on("no-external-facts") {
            return;
        }
        if world.variable("INSIDE_FACTER").is_some() {
            let text =
                "Recursion detected, skipping external facts. Silence this warning by adding --no-external-facts";
            self.host.say(Level::Warn, "Facter::FactLoader", text.to_owned());
            return;
        }
        let files = self.external_dirs().into_iter().flat_map(|directory| external::files(&self.host, &directory));
        for file in files {
            let name = file.rsplit('/').next().unwrap_or_default();
            if self.is_blocked(name) {
                continue;
            }
            let facts = self.kept(name, || self.timed(name, || external::read(&self.host, &file)));
            for (name, value) in facts.iter().flat_map(Hash::iter) {
                let name = name.to_string().to_lowercase();
                if !self.is_blocked(&name) {
                    sources.others.entry(name).or_insert_with(|| value.clone());
                }
            }
        }
    }

    fn add_core(&self, fact: &Fact, sources: &mut Sources) {
        // Legacy facts of their own are there even if the fact is blocked.
        let is_left_out = self.is_blocked(fact.name);
        if is_left_out && !self.wants_legacy(fact) || fact.name == "ruby" && self.is_without_ruby() {
            return;
        }
        let find = || {
            let value = self.timed(fact.name, || (fact.resolve)(&self.host));
            (!value.is_undef()).then(|| Hash::from_iter([(Value::from(fact.name), value)]))
        };
        let found = self.kept(fact.name, find);
        let value = found.and_then(|found| found.get_str(fact.name).cloned()).unwrap_or_default();
        let whole = value;
        let value = if is_left_out { Value::Undef } else { self.without_blocked(fact.name, whole.clone()) };
        let is_wanted = |name: &str| {
            let is_replaced = sources.others.contains_key(name);
            !is_replaced && !self.is_blocked(name) && !self.blocks("legacy")
        };
        let aliases = fact.aliases.iter().filter_map(|(alias, path)| {
            Some(((*alias).to_owned(), part(&value, path).filter(|value| !value.is_undef())?.clone()))
        });
        let others =
            fact.legacy.as_ref().filter(|_| self.wants_legacy(fact)).map(|legacy| (legacy.resolve)(&self.host, &whole));
        let others = others.into_iter().flatten().filter(|(_, value)| !value.is_undef());
        sources.legacy.extend(aliases.chain(others).filter(|(name, _)| is_wanted(name)));
        if !value.is_undef() {
            sources.core.insert(fact.name.to_owned(), value);
        }
    }

    /// Whether somebody may ask for the legacy facts that take work.
    fn wants_legacy(&self, fact: &Fact) -> bool {
        let is_asked = |query: &String| fact.has_legacy(query) || query.ends_with(".*");
        self.options.show_legacy
            || self.config.is_on("show-legacy")
            || self.options.queries.iter().any(is_asked)
            || !self.custom_files().is_empty()
    }

    /// The value without the parts that are blocked by their paths.
    fn without_blocked(&self, name: &str, value: Value) -> Value {
        let start = format!("{name}.");
        let paths = self.config.blocked.iter().filter_map(|blocked| blocked.strip_prefix(&start));
        paths.fold(value, |value, path| without(&value, path))
    }

    fn is_without_ruby(&self) -> bool {
        self.options.no_ruby || self.config.is_on("no-ruby")
    }

    fn custom_files(&self) -> Vec<String> {
        let is_off = self.options.no_custom_facts || self.config.is_on("no-custom-facts") || self.is_without_ruby();
        if is_off {
            return Vec::new();
        }
        let library = self.host.world.variable("FACTERLIB").unwrap_or_default();
        let configured = self.config.directories("custom-dir");
        let given = if self.options.custom_dirs.is_empty() { &configured } else { &self.options.custom_dirs };
        let directories = library.split(':').filter(|directory| !directory.is_empty()).map(str::to_owned);
        let mut files: Vec<String> = Vec::new();
        for directory in directories.chain(given.iter().cloned()) {
            let names =
                self.host.list(&directory).into_iter().filter(|entry| entry.name.ends_with(".rb") && !entry.is_dir);
            files.extend(names.map(|entry| format!("{directory}/{}", entry.name)));
        }
        files.truncate(MOST_FILES);
        files
    }

    fn add_custom(&self, files: &[String], sources: &mut Sources) {
        let known: BTreeMap<&String, &Value> =
            sources.core.iter().chain(&sources.legacy).chain(&sources.others).collect();
        let known = known.into_iter().map(|(name, value)| (Value::from(name.as_str()), value.clone())).collect();
        let weight = |name: &String| if sources.variables.contains(name) { VARIABLE } else { EXTERNAL };
        let weights = sources.others.keys().map(|name| (Value::from(name.as_str()), Value::from(weight(name))));
        let weights = weights.collect();
        let Options { queries, is_debugging, .. } = &self.options;
        let request = CustomRequest { files, known: &known, weights: &weights, queries, is_debugging: *is_debugging };
        let result = self.custom.resolve(&request);
        self.timings.borrow_mut().extend(result.timings);
        for message in result.messages {
            self.host.say(message.level, &message.source, message.text);
        }
        for (name, value) in result.facts.iter() {
            let name = name.to_string();
            if !self.is_blocked(&name) {
                sources.others.insert(name, value.clone());
            }
        }
    }

    fn is_blocked(&self, name: &str) -> bool {
        let fits =
            |pattern: &String| *pattern == name || pattern.contains('*') && matches(&pattern.replace(".*", "*"), name);
        // Compatibility: `--no-block` does not help a group that is named by its fact.
        self.config.blocked.iter().any(fits)
    }

    /// Whether a name is unknown since it, or the fact that it stands for, is blocked.
    fn is_hidden(&self, query: &str) -> bool {
        let structured = core::structured_name(query);
        let is_legacy = structured.as_deref().is_some_and(|name| name != query);
        let is_part_of = |path: &str, name: &str| {
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let hides = |blocked: &String| {
            blocked == "legacy" && is_legacy
                || is_part_of(query, blocked)
                || structured.as_deref().is_some_and(|path| path.contains('.') && is_part_of(path, blocked))
        };
        self.is_blocked(query) || self.config.blocked.iter().any(hides)
    }

    fn blocks(&self, group: &str) -> bool {
        self.config.blocked.iter().any(|blocked| blocked == group)
    }

    /// What is kept of a fact or a file, or else what is found now, which is kept if it is to be.
    fn kept(&self, name: &str, find: impl FnOnce() -> Option<Hash>) -> Option<Hash> {
        let Some((group, time)) = self.config.kept_in(name).filter(|_| !self.options.no_cache) else { return find() };
        // What is kept of another fact of the group says nothing about this one.
        let known = cache::read(&self.host, group, time);
        if let Some(known) = known.filter(|known| known.get_str(name).is_some() || group == name) {
            return Some(known);
        }
        let found = find()?;
        let mut kept = self.kept.borrow_mut();
        let entries = kept.entry(group.to_owned()).or_default();
        for (name, value) in found.iter() {
            entries.insert(name.clone(), value.clone());
        }
        Some(found)
    }

    fn timed<R>(&self, name: &str, work: impl FnOnce() -> R) -> R {
        let start = self.host.world.now();
        let result = work();
        let time = self.host.world.now().duration_since(start).unwrap_or(Duration::ZERO);
        self.timings.borrow_mut().push(Timing { name: name.to_owned(), time });
        result
    }
}

/// The answer to a query: by name, or by the longest name that a path begins with.
fn answer(sources: &Sources, query: &str) -> Value {
    let Sources { others, core, legacy, .. } = sources;
    if let Some(pattern) = query.strip_suffix(".*") {
        let pattern = format!("{pattern}*");
        let found = legacy.iter().chain(core).chain(others).find(|(name, _)| matches(&pattern, name));
        return found.map(|(_, value)| value.clone()).unwrap_or_default();
    }
    let known = |name: &str| others.get(name).or_else(|| core.get(name)).or_else(|| legacy.get(name));
    let (value, path) = match splits(query).find_map(|(name, path)| Some((known(name)?, path))) {
        Some(found) => found,
        None => return Value::Undef,
    };
    path.map_or(Some(value), |path| dig(value, path)).cloned().unwrap_or_default()
}

/// A value without the part that a path leads to.
fn without(value: &Value, path: &str) -> Value {
    let Value::Hash(hash) = value else { return value.clone() };
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let entries = hash.iter().filter_map(|(name, inner)| match (name.as_str() == Some(first), rest) {
        (true, None) => None,
        (true, Some(rest)) => Some((name.clone(), without(inner, rest))),
        (false, _) => Some((name.clone(), inner.clone())),
    });
    Value::hash(entries)
}

/// Hashes in the order of their keys, outside of arrays.
fn sorted(value: &Value) -> Value {
    bunraku_pcore::deep(|| match value {
        Value::Hash(hash) => {
            let entries: BTreeMap<String, Value> =
                hash.iter().map(|(name, inner)| (name.to_string(), sorted(inner))).collect();
            Value::hash(entries.into_iter().map(|(name, inner)| (Value::from(name), inner)))
        }
        other => other.clone(),
    })
}
