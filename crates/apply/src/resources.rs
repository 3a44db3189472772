//! How each resource type looks at the machine and changes it: one file for each, with the name of the type.

mod anchor;
mod augeas;
mod concat_file;
mod concat_fragment;
mod cron;
mod exec;
mod file;
mod file_line;
mod filebucket;
mod group;
mod host;
mod ini_setting;
mod ini_subsetting;
mod keystone_domain_config;
mod mailalias;
mod mount;
mod mysql_database;
mod mysql_datadir;
mod mysql_grant;
mod mysql_plugin;
mod mysql_user;
mod notify;
pub(crate) mod package;
mod postgresql_psql;
#[expect(clippy::module_inception, reason = "the type has this name")]
mod resources;
pub(crate) mod schedule;
pub(crate) mod service;
mod ssh_authorized_key;
mod sshkey;
mod sysctl;
mod sysctl_runtime;
mod tidy;
mod user;
mod vcsrepo;

use std::sync::{LazyLock, Mutex, PoisonError};

use bunraku_catalog::resource_type::is_metaparameter;
use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::{Parameters, Reference, Resource as Declaration};
use fancy_regex::Regex;
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::fault::Outcome;
use crate::mysql;
use crate::property::{Property, text_of};
use crate::resource::{Given, Managed};

pub(crate) use file::expanded;

type Build = fn(&Given<'_>, &mut Context<'_>) -> Outcome<Box<dyn Managed>>;

/// The types that are managed, in order.
const ALL: &[(&str, Build)] = &[
    ("anchor", anchor::build),
    ("augeas", augeas::build),
    ("concat_file", concat_file::build),
    ("concat_fragment", concat_fragment::build),
    ("cron", cron::build),
    ("exec", exec::build),
    ("file", file::build),
    ("file_line", file_line::build),
    ("group", group::build),
    ("host", host::build),
    ("ini_setting", ini_setting::build),
    ("ini_subsetting", ini_subsetting::build),
    ("mailalias", mailalias::build),
    ("mount", mount::build),
    ("notify", notify::build),
    ("package", package::build),
    ("resources", resources::build),
    ("service", service::build),
    ("ssh_authorized_key", ssh_authorized_key::build),
    ("sshkey", sshkey::build),
    ("tidy", tidy::build),
    ("user", user::build),
];

/// Types of modules that are managed, with the parameters that are known of them: what a version of a module adds is left
/// to its own Ruby.
const OF_MODULES: &[(&str, Build, &[&str])] = &[
    ("keystone_domain_config", keystone_domain_config::build, keystone_domain_config::PARAMETERS),
    ("mysql_database", mysql_database::build, mysql_database::PARAMETERS),
    ("mysql_datadir", mysql_datadir::build, mysql_datadir::PARAMETERS),
    ("mysql_grant", mysql_grant::build, mysql_grant::PARAMETERS),
    ("mysql_plugin", mysql_plugin::build, mysql_plugin::PARAMETERS),
    ("mysql_user", mysql_user::build, mysql_user::PARAMETERS),
    ("postgresql_psql", postgresql_psql::build, postgresql_psql::PARAMETERS),
    ("sysctl", sysctl::build, sysctl::PARAMETERS),
    ("sysctl_runtime", sysctl_runtime::build, sysctl_runtime::PARAMETERS),
    ("vcsrepo", vcsrepo::build, vcsrepo::PARAMETERS),
];

/// Whether a resource of a type of a module can be managed here: all its parameters are known, and the tools are there.
fn is_managed(type_name: &str, parameters: &[&str], given: &Given<'_>) -> bool {
    let is_own = |name: &str| is_metaparameter(name) || parameters.contains(&name);
    let names = given.parameters.iter().map(|(name, _)| name.as_str());
    let pending = given.pending.iter().map(String::as_str);
    names.chain(pending).all(is_own)
        && match type_name {
            "sysctl" => sysctl::is_suitable(),
            "sysctl_runtime" => sysctl_runtime::is_suitable(),
            "vcsrepo" => vcsrepo::is_suitable(given),
            "keystone_domain_config" | "postgresql_psql" => true,
            _ => mysql::has_client(),
        }
}

/// What is on the machine, whether or not a catalog has it.
pub(crate) struct Instance {
    /// The title it has.
    pub(crate) title: String,
    /// What tells it from others, besides the title.
    pub(crate) parameters: Parameters,
}

type Instances = fn(&mut Context<'_>) -> Outcome<Vec<Instance>>;

/// The types whose resources on the machine can be listed, in order.
const LISTED: [(&str, Instances); 13] = [
    ("cron", cron::instances),
    ("exec", |_| Ok(Vec::new())),
    ("file", |_| Ok(Vec::new())),
    ("group", |context| Ok(named(context.accounts.groups().iter().map(|group| group.name.as_str())))),
    ("host", host::instances),
    ("mailalias", mailalias::instances),
    ("mount", mount::instances),
    ("package", package::instances),
    ("schedule", |_| Ok(Vec::new())),
    ("service", service::instances),
    // Without a user there is no file to look into.
    ("ssh_authorized_key", |_| Ok(Vec::new())),
    ("sshkey", sshkey::instances),
    ("user", |context| Ok(named(context.accounts.users().iter().map(|user| user.name.as_str())))),
];

/// Resources that their names tell apart.
pub(crate) fn named<'n>(names: impl Iterator<Item = &'n str>) -> Vec<Instance> {
    names.map(|name| Instance { title: name.to_owned(), parameters: Parameters::default() }).collect()
}

/// What is on the machine of a type; nothing if that cannot be told.
pub(crate) fn instances(type_name: &str, context: &mut Context<'_>) -> Option<Outcome<Vec<Instance>>> {
    LISTED.iter().find(|(name, _)| *name == type_name).map(|(_, instances)| instances(context))
}

/// Whether resources of a type are managed here.
pub(crate) fn is_known(type_name: &str) -> bool {
    ALL.iter().any(|(name, _)| *name == type_name) || OF_MODULES.iter().any(|(name, ..)| *name == type_name)
}

/// Whether resources of a type are applied without Ruby, at least as far as this machine has what they need.
pub fn is_native(type_name: &str) -> bool {
    is_known(type_name) || matches!(type_name, "class" | "filebucket" | "schedule" | "stage")
}

/// Whether a resource is one that Ruby may manage where nothing here can.
pub(crate) fn is_left_to_ruby(type_name: &str, given: &Given<'_>) -> bool {
    match type_name {
        "schedule" | "filebucket" => false,
        "augeas" => true,
        "package" => package::is_of_ruby(given),
        _ if !has_provider(type_name, given) => {
            let known = builtin(type_name).map(|known| known.providers.as_slice()).unwrap_or_default();
            given.text("provider").is_some_and(|name| known.iter().all(|it| **it != *name))
        }
        _ => ALL.iter().all(|(name, _)| *name != type_name),
    }
}

/// The providers of types that are managed in one way, whatever the machine.
const PROVIDERS: [(&str, &[&str]); 10] = [
    ("cron", &["crontab"]),
    ("exec", &["posix", "shell"]),
    ("file", &["posix"]),
    ("group", &["groupadd"]),
    ("host", &["parsed"]),
    ("mailalias", &["aliases"]),
    ("mount", &["parsed"]),
    ("ssh_authorized_key", &["parsed"]),
    ("sshkey", &["parsed"]),
    ("user", &["useradd"]),
];

/// Whether a resource is managed in the way it asks for.
fn has_provider(type_name: &str, given: &Given<'_>) -> bool {
    let known = PROVIDERS.iter().find(|(name, _)| *name == type_name).map(|(_, providers)| providers);
    match (known, given.text("provider")) {
        (Some(known), Some(asked)) => known.contains(&asked.as_str()),
        _ => true,
    }
}

/// Lets a type read the parameters of a resource; nothing if there is no way to manage it on this machine.
pub(crate) fn manage(
    type_name: &str,
    given: &Given<'_>,
    context: &mut Context<'_>,
) -> Outcome<Option<Box<dyn Managed>>> {
    if let Some((_, build, parameters)) = OF_MODULES.iter().find(|(name, ..)| *name == type_name) {
        return is_managed(type_name, parameters, given).then(|| build(given, context)).transpose();
    }
    match type_name {
        "schedule" => schedule::validate(given).map(|()| None),
        "augeas" if !augeas::is_suitable() => Ok(None),
        "concat_file" if !concat_file::is_suitable(given) => Ok(None),
        "package" if !package::is_suitable(given) => Ok(None),
        "service" if !service::is_suitable(given) => Ok(None),
        _ if !has_provider(type_name, given) => Ok(None),
        "filebucket" => filebucket::validate(given).map(|()| None),
        _ => match ALL.iter().find(|(name, _)| *name == type_name) {
            Some((_, build)) => build(given, context).map(Some),
            None => context
                .setting_type(type_name)
                .map(|known| ini_setting::build_as(&known, &given.name("name"), given))
                .transpose(),
        },
    }
}

/// The reference of a resource that goes by another title than it was declared with: keys of hosts are told apart by
/// their kind.
pub(crate) fn reference(declaration: &Declaration) -> Option<Reference> {
    let known = builtin("sshkey").filter(|_| declaration.reference.type_name == "Sshkey")?;
    let key = known.uniqueness_key(&declaration.reference.title, |name| declaration.get(name)).ok()?;
    let [name, kind] = key.as_slice() else { return None };
    let (name, kind) = (text_of(name), text_of(kind));
    let aliases = &known.attribute("type")?.aliases;
    let kind = aliases.iter().find(|(spelling, _)| **spelling == *kind).map_or(&*kind, |(_, kind)| kind);
    Some(Reference::new("sshkey", &format!("{name}@{kind}")))
}

/// Whether a string matches a pattern of an attribute. These are a table of the program: each is compiled once.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    static COMPILED: LazyLock<Mutex<FxHashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !compiled.contains_key(pattern) {
        compiled.insert(pattern.to_owned(), Regex::new(pattern).ok());
    }
    let regex = compiled.get(pattern).and_then(Option::as_ref);
    regex.is_some_and(|regex| regex.is_match(text).unwrap_or(false))
}

/// Adds the file that records of a type are in, where none is asked for.
fn add_target(properties: &mut Vec<Property>, target: &str) {
    if !properties.iter().any(|property| property.name == "target" && property.should.is_some()) {
        properties.retain(|property| property.name != "target");
        properties.push(Property::new("target", target.into()));
    }
}
