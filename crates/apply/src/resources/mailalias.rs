//! `mailalias`: other names of mailboxes, in `/etc/aliases`.

use std::sync::LazyLock;

use bunraku_pcore::Value;
use fancy_regex::Regex;

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::Property;
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed};

static ALIASES: Format = Format {
    type_name: "mailalias",
    provider: "aliases",
    identity: None,
    fields: &["recipient"],
    parse,
    gather: |records| records,
    line,
    is_own: |entry, record| entry.name == record.name,
    is_insync: Property::matches,
    change: |_, _| None,
    medium: Medium::File(0o600),
};

/// A comma that is not between quotes.
static COMMA: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"\s*,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)"#).ok());

/// What is in the file.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    crate::records::instances(&ALIASES, "/etc/aliases", context)
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    if let Some(path) = given.text("file").filter(|path| !path.starts_with('/')) {
        return Err(given.refuse("file", &format!("File paths must be fully qualified, not '{path}'")));
    }
    if given.value("recipient").is_some() && given.value("file").is_some() {
        return Err(given.invalid("You cannot specify both a recipient and a file"));
    }
    let mut properties = given.properties_of_described(&["ensure", "recipient", "file", "target"]);
    for property in &mut properties {
        property.is_list = property.name == "recipient";
    }
    super::add_target(&mut properties, "/etc/aliases");
    Ok(Box::new(Entry::new(&ALIASES, given.name("name"), properties)))
}

fn parse(line: &str) -> Option<Record> {
    if line.starts_with('#') || line.trim().is_empty() {
        return Some(Record::text(line));
    }
    let (name, rest) = line.split_once(':')?;
    let record = Record::named(name.trim());
    let parts: Vec<&str> = rest.splitn(3, ':').collect();
    if let [_, "include", file] = parts.as_slice() {
        return Some(record.with("file", file.trim()));
    }
    let mut record = record;
    let recipients = recipients(rest.trim());
    record.set("recipient", Value::array(recipients.iter().map(|it| it.as_str().into())));
    Some(record)
}

fn recipients(text: &str) -> Vec<String> {
    let Some(comma) = &*COMMA else { return vec![text.to_owned()] };
    let parts = comma.split(text).map(|part| part.unwrap_or_default());
    let bare = |part: &str| {
        let part = part.strip_prefix(['\'', '"']).unwrap_or(part);
        part.strip_suffix(['\'', '"']).unwrap_or(part).to_owned()
    };
    parts.map(bare).collect()
}

fn line(record: &Record) -> Outcome<String> {
    let quoted = |recipient: String| {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "-+_@.".contains(it);
        if recipient.chars().all(is_plain) { recipient } else { format!("\"{recipient}\"") }
    };
    let name = &record.name;
    Ok(match (record.elements("recipient"), record.words("file")) {
        (Some(recipients), _) => {
            format!("{name}: {}", recipients.into_iter().map(quoted).collect::<Vec<_>>().join(","))
        }
        (None, Some(file)) => format!("{name}: :include: {file}"),
        (None, None) => String::new(),
    })
}
