//! How each resource type looks at the machine and changes it: one file for each, with the name of the type.

mod anchor;
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
mod mailalias;
mod mount;
mod notify;
pub(crate) mod package;
#[expect(clippy::module_inception, reason = "the type has this name")]
mod resources;
pub(crate) mod schedule;
mod service;
mod ssh_authorized_key;
mod sshkey;
mod tidy;
mod user;

use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::{Parameters, Reference, Resource as Declaration};

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::{Property, text_of};
use crate::resource::{Given, Managed};

type Build = fn(&Given<'_>, &mut Context<'_>) -> Outcome<Box<dyn Managed>>;

/// The types that are managed, in order.
const ALL: &[(&str, Build)] = &[
    ("anchor", anchor::build),
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

/// What is on the machine, whether or not a catalog has it.
pub(crate) struct Instance {
    /// The title it has.
    pub(crate) title: String,
    /// What tells it from others, besides the title.
    pub(crate) parameters: Parameters,
}

type Instances = fn(&mut Context<'_>) -> Outcome<Vec<Instance>>;

/// The types whose resources on the machine can be listed, in order.
const LISTED: [(&str, Instances); 8] = [
    ("exec", |_| Ok(Vec::new())),
    ("file", |_| Ok(Vec::new())),
    ("group", |context| Ok(named(context.accounts.groups().iter().map(|group| group.name.as_str())))),
    ("host", host::instances),
    ("mailalias", mailalias::instances),
    ("package", package::instances),
    ("service", service::instances),
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
    ALL.iter().any(|(name, _)| *name == type_name)
}

/// Lets a type read the parameters of a resource; nothing if there is no way to manage it on this machine.
pub(crate) fn manage(
    type_name: &str,
    given: &Given<'_>,
    context: &mut Context<'_>,
) -> Outcome<Option<Box<dyn Managed>>> {
    match type_name {
        "schedule" => schedule::validate(given).map(|()| None),
        "concat_file" if !concat_file::is_suitable(given) => Ok(None),
        "package" if !package::is_suitable(given) => package::check_provider(given).map(|()| None),
        "service" if !service::is_suitable(given) => Ok(None),
        "filebucket" => filebucket::validate(given).map(|()| None),
        _ => match ALL.iter().find(|(name, _)| *name == type_name) {
            Some((_, build)) => build(given, context).map(Some),
            None => context.setting_type(type_name).map(|known| ini_setting::build_as(&known, given)).transpose(),
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

/// Whether a text matches a pattern of an attribute.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    fancy_regex::Regex::new(pattern).is_ok_and(|regex| regex.is_match(text).unwrap_or(false))
}

/// Adds the file that records of a type are in, where none is asked for.
fn add_target(properties: &mut Vec<Property>, target: &str) {
    if !properties.iter().any(|property| property.name == "target" && property.should.is_some()) {
        properties.retain(|property| property.name != "target");
        properties.push(Property::new("target", target.into()));
    }
}
