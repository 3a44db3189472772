//! `host`: names of hosts in `/etc/hosts`.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::property::{ABSENT, Property, is_absent, shown, text_of};
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed};

static HOSTS: Format = Format {
    type_name: "host",
    provider: "parsed",
    identity: None,
    fields: &["ip", "host_aliases", "comment"],
    parse,
    gather: |records| records,
    line,
    is_own: |entry, record| entry.name == record.name,
    is_insync,
    change,
    medium: Medium::File(0o600),
};

/// What is in the file.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    crate::records::instances(&HOSTS, "/etc/hosts", context)
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name");
    let is_label = |label: &str| {
        let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let is_inner = |it: char| is_word(it) || it == '-';
        label.starts_with(is_word) && label.ends_with(is_word) && label.chars().all(is_inner)
    };
    if !name.split('.').all(is_label) {
        return Err(given.refuse("name", "Invalid host name"));
    }
    if let Some(address) = given.text("ip").filter(|address| !is_address(address)) {
        let shown = crate::property::inspected(&address.as_str().into());
        return Err(given.refuse("ip", &format!("Invalid IP address {shown}")));
    }
    for alias in given.texts("host_aliases") {
        if alias.contains(char::is_whitespace) {
            return Err(given.refuse("host_aliases", "Host aliases cannot include whitespace"));
        }
        if alias.is_empty() {
            let reason = "Host aliases cannot be an empty string. Use an empty array to delete all host_aliases ";
            return Err(given.refuse("host_aliases", reason));
        }
    }
    if given.text("comment").is_some_and(|comment| comment.contains(['\n', '\r'])) {
        return Err(given.refuse("comment", "Comment cannot include newline"));
    }
    let mut properties = given.properties_of_described(&["ensure", "ip", "host_aliases", "comment", "target"]);
    for property in properties.iter_mut().filter(|property| property.name == "host_aliases") {
        let whole = |values: &Vec<Value>| joined(&Value::array(values.iter().cloned()));
        property.should = property.should.as_ref().map(|values| vec![whole(values).as_str().into()]);
    }
    super::add_target(&mut properties, "/etc/hosts");
    Ok(Box::new(Entry::new(&HOSTS, name, properties)))
}

fn is_address(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let is_part = |part: &&str| {
        (1..=3).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_digit()) && part.parse::<u8>().is_ok()
    };
    let bare = text.split_once('%').map_or(text, |(bare, _)| bare);
    (parts.len() == 4 && parts.iter().all(is_part)) || bare.parse::<std::net::Ipv6Addr>().is_ok()
}

fn parse(line: &str) -> Option<Record> {
    Some(record(line).unwrap_or_else(|| Record::text(line)))
}

fn record(line: &str) -> Option<Record> {
    if !line.starts_with(|it: char| it.is_ascii_digit() || matches!(it, 'a'..='f' | ':')) {
        return None;
    }
    let (words, comment) = match line.split_once('#') {
        Some((words, comment)) => (words, comment.trim_start()),
        None => (line, ""),
    };
    let (ip, rest) = words.split_once(char::is_whitespace)?;
    let mut rest = rest.split_whitespace();
    let name = rest.next().filter(|name| ip.len() > 1 && name.len() > 1 && !name.starts_with('+'))?;
    let aliases: Vec<Value> = rest.map(Value::from).collect();
    let mut record = Record::named(name).with("ip", ip);
    record.set("host_aliases", if aliases.is_empty() { ABSENT.into() } else { Value::array(aliases) });
    record.set("comment", comment.into());
    Some(record)
}

fn line(record: &Record) -> Outcome<String> {
    let ip = record.words("ip").ok_or_else(|| Fault::new("ip is a required attribute for hosts"))?;
    let mut line = format!("{ip}\t{}", record.name);
    if let Some(aliases) = record.get("host_aliases").map(joined).filter(|aliases| !aliases.is_empty()) {
        line.push_str(&format!("\t{aliases}"));
    }
    if let Some(comment) = record.words("comment").filter(|comment| !comment.is_empty()) {
        line.push_str(&format!("\t# {comment}"));
    }
    Ok(line)
}

/// Aliases with blanks between them; none if they are absent.
fn joined(aliases: &Value) -> String {
    match aliases {
        Value::Array(aliases) => aliases.iter().map(text_of).collect::<Vec<_>>().join(" "),
        aliases if is_absent(aliases) => String::new(),
        aliases => text_of(aliases),
    }
}

fn is_insync(property: &Property, current: &Value) -> bool {
    match property.name {
        "host_aliases" => text_of(&property.desired()) == joined(current),
        _ => property.matches(current),
    }
}

fn change(property: &Property, from: &Value) -> Option<String> {
    let is_list = property.name == "host_aliases" && !is_absent(from);
    is_list.then(|| format!("host_aliases changed {} to {}", joined(from), shown(&property.desired())))
}
