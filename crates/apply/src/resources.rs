//! How each resource type looks at the machine and changes it: one file for each, with the name of the type.

mod anchor;
mod exec;
mod file;
mod file_line;
mod filebucket;
mod group;
mod notify;
pub(crate) mod package;
pub(crate) mod schedule;
mod service;
mod user;

use crate::context::Context;
use crate::fault::Outcome;
use crate::resource::{Given, Managed};

type Build = fn(&Given<'_>, &mut Context<'_>) -> Outcome<Box<dyn Managed>>;

/// The types that are managed, in order.
const ALL: [(&str, Build); 9] = [
    ("anchor", anchor::build),
    ("exec", exec::build),
    ("file", file::build),
    ("file_line", file_line::build),
    ("group", group::build),
    ("notify", notify::build),
    ("package", package::build),
    ("service", service::build),
    ("user", user::build),
];

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
        "package" if !package::is_suitable(given) => Ok(None),
        "service" if !service::is_suitable(given) => Ok(None),
        "filebucket" => filebucket::validate(given).map(|()| None),
        _ => ALL.iter().find(|(name, _)| *name == type_name).map(|(_, build)| build(given, context)).transpose(),
    }
}

/// Whether a text matches a pattern of an attribute.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    fancy_regex::Regex::new(pattern).is_ok_and(|regex| regex.is_match(text).unwrap_or(false))
}
