//! `sysctl` of the sysctl module: a kernel parameter in `/etc/sysctl.conf`.

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::Property;
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed};

/// Other modules have types of this name with other parameters.
pub(super) const PARAMETERS: &[&str] = &["name", "ensure", "val", "target", "provider"];

const FILE: &str = "/etc/sysctl.conf";

static LINES: Format = Format {
    type_name: "sysctl",
    provider: "parsed",
    identity: None,
    fields: &["val"],
    parse,
    gather: |records| records,
    line,
    is_own: |entry, record| entry.name == record.name,
    is_insync: |property, current| property.matches(current),
    change: |_, _| None,
    medium: Medium::File(0o644),
};

/// Whether there is the file without which nothing can be done.
pub(super) fn is_suitable() -> bool {
    std::path::Path::new(FILE).exists()
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let mut properties: Vec<Property> = given.properties_of_described(&["ensure", "val", "target"]);
    super::add_target(&mut properties, FILE);
    Ok(Box::new(Entry::new(&LINES, given.name("name"), properties)))
}

/// Compatibility: a line without a value is a record as well, which cannot be written again.
fn parse(line: &str) -> Option<Record> {
    let bare = line.trim();
    if bare.is_empty() || bare.starts_with('#') {
        return Some(Record::text(line));
    }
    Some(match bare.split_once('=') {
        Some((name, value)) => Record::named(name.trim_end()).with("val", value.trim_start()),
        None => Record::named(bare),
    })
}

fn line(record: &Record) -> Outcome<String> {
    Ok(format!("{}={}", record.name, record.required("val")?))
}
