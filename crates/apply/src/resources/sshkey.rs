//! `sshkey`: keys of other hosts, in `/etc/ssh/ssh_known_hosts`.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::{Property, identical};
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed};

const FILE: &str = "/etc/ssh/ssh_known_hosts";

static KNOWN_HOSTS: Format = Format {
    type_name: "sshkey",
    provider: "parsed",
    identity: Some("type"),
    fields: &["key"],
    parse,
    gather: |records| records,
    line,
    is_own: |entry, record| entry.name == record.name && entry.wanted("type") == record.get("type").cloned(),
    is_insync,
    change: |_, _| None,
    medium: Medium::File(0o644),
};

/// The keys that there are, each with its kind.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    crate::records::instances(&KNOWN_HOSTS, FILE, context)
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name");
    if name.contains(char::is_whitespace) {
        return Err(given.refuse("name", "Resourcename cannot include whitespaces"));
    }
    if name.contains(',') {
        let reason = "No comma in resourcename allowed. If you want to specify aliases use the host_aliases property";
        return Err(given.refuse("name", reason));
    }
    for alias in given.texts("host_aliases") {
        if alias.contains(char::is_whitespace) {
            return Err(given.refuse("host_aliases", "Aliases cannot include whitespace"));
        }
        if alias.contains(',') {
            let reason = "Aliases must be provided as an array, not a comma-separated list";
            return Err(given.refuse("host_aliases", reason));
        }
    }
    let mut properties = given.properties_of_described(&["ensure", "key", "host_aliases", "target"]);
    for property in &mut properties {
        property.is_list = property.name == "host_aliases";
    }
    super::add_target(&mut properties, FILE);
    // What kind of key it is belongs to its name, and is never changed.
    properties.extend(given.text("type").map(|kind| Property::new("type", kind.as_str().into())));
    Ok(Box::new(Entry::new(&KNOWN_HOSTS, name, properties)))
}

fn parse(line: &str) -> Option<Record> {
    if line.starts_with('#') || line.trim().is_empty() {
        return Some(Record::text(line));
    }
    let mut words = line.split_whitespace();
    let mut names = words.next()?.split(',');
    let (kind, key) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>().join(" "));
    let mut record = Record::named(names.next()?).with("type", kind).with("key", &key);
    record.set("host_aliases", Value::array(names.map(Value::from)));
    Some(record)
}

fn line(record: &Record) -> Outcome<String> {
    let aliases = record.elements("host_aliases").unwrap_or_default();
    let names: Vec<String> = [record.name.clone()].into_iter().chain(aliases).collect();
    Ok(format!("{} {} {}", names.join(","), record.required("type")?, record.required("key")?))
}

fn is_insync(property: &Property, current: &Value) -> bool {
    match property.name {
        "host_aliases" => identical(current, &property.desired()),
        _ => property.matches(current),
    }
}
