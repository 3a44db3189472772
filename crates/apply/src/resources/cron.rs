//! `cron`: jobs in the crontabs of users, through `crontab`.

use std::path::Path;

use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::Outcome;
use crate::log::Level;
use crate::property::{ABSENT, Property, Values, is_absent, shown, text_of};
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed, Site};

/// Where the tables of all users are.
const CRONTABS: &str = "/var/spool/cron/crontabs";

/// The fields of a line, in its order.
const TIMES: [&str; 5] = ["minute", "hour", "monthday", "month", "weekday"];

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const SPECIALS: [&str; 9] =
    ["reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly", ABSENT];

const PROPERTIES: [&str; 11] =
    ["ensure", "command", "special", "minute", "hour", "weekday", "month", "monthday", "environment", "user", "target"];

static CRONTAB: Format = Format {
    type_name: "cron",
    provider: "crontab",
    identity: None,
    fields: &["command"],
    parse,
    gather,
    line,
    is_own: |entry, record| match record.is_unnamed {
        true => record.name == entry.name || is_equal(entry, record),
        false => record.name == entry.name && record.target == entry.target(),
    },
    is_insync,
    change,
    medium: Medium::Crontab,
};

struct Cron(Entry);

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let mut properties = given.properties_of_described(&PROPERTIES);
    for property in &mut properties {
        let name = property.name;
        let Some(values) = &mut property.should else { continue };
        match name {
            "command" => {
                for value in values.iter_mut() {
                    *value = text_of(value).trim().into();
                }
            }
            "special" => {
                if let Some(value) = values.iter().find(|value| !SPECIALS.contains(&text_of(value).as_str())) {
                    let reason = format!("Invalid special schedule {}", crate::property::inspected(value));
                    return Err(given.refuse(name, &reason));
                }
            }
            "environment" => {
                let is_setting = |text: &str| text == ABSENT || super::matches(r"(?m)^\s*(\w+)\s*=\s*(.*)\s*$", text);
                if let Some(value) = values.iter().find(|value| !is_setting(&text_of(value))) {
                    let reason = format!("Invalid environment setting {}", crate::property::inspected(value));
                    return Err(given.refuse(name, &reason));
                }
                property.is_list = !values.first().is_some_and(is_absent);
            }
            _ if TIMES.contains(&name) => {
                for value in values.iter_mut() {
                    let text = text_of(value);
                    let time = time(name, &text);
                    *value = time.ok_or_else(|| given.munging(name, &format!("{text} is not a valid {name}")))?;
                }
                property.is_list = !values.first().is_some_and(is_absent);
            }
            _ => {}
        }
    }
    let wants = |name: &str| given.text(name).is_some_and(|value| value != ABSENT && value != "*");
    if given.text("special").is_some_and(|special| special != ABSENT)
        && let Some(name) = ["minute", "hour", "weekday", "monthday", "month"].into_iter().find(|name| wants(name))
    {
        let reason = format!("{} cannot specify both a special schedule and a value for {name}", given.reference);
        return Err(given.invalid(&reason));
    }
    let user = given.text("user").or_else(|| context.accounts.user_name(rustix::process::getuid().as_raw()));
    super::add_target(&mut properties, user.as_deref().unwrap_or("root"));
    Ok(Box::new(Cron(Entry::new(&CRONTAB, given.name("name"), properties))))
}

/// The jobs of all users.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    let users: Vec<String> = context.accounts.users().iter().map(|user| user.name.clone()).collect();
    let own = context.accounts.user_name(rustix::process::getuid().as_raw());
    let has_table = |user: &String| Path::new(CRONTABS).join(user).is_file() || own.as_ref() == Some(user);
    let mut all = Vec::new();
    for user in users.iter().filter(|user| has_table(user)) {
        for mut instance in crate::records::instances(&CRONTAB, user, context)? {
            instance.parameters.insert("user".into(), user.as_str().into());
            instance.parameters.insert("target".into(), user.as_str().into());
            all.push(instance);
        }
    }
    Ok(all)
}

/// A time as crontabs have it.
fn time(name: &str, text: &str) -> Option<Value> {
    if text == ABSENT || text == "*" {
        return Some(ABSENT.into());
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let is_range = |text: &str| text.split_once('-').is_some_and(|(from, to)| is_number(from) && is_number(to));
    let is_step = match text.split_once('/') {
        Some((range, step)) => is_number(step) && (range == "*" || is_range(range)),
        None => is_range(text),
    };
    if is_step {
        return Some(text.into());
    }
    let (least, most) = match name {
        "minute" => (0, 59),
        "hour" => (0, 23),
        "weekday" => (0, 7),
        "month" => (1, 12),
        _ => (1, 31),
    };
    if is_number(text) {
        return text.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number)).then(|| text.into());
    }
    let (names, first): (&[&str], usize) = match name {
        "weekday" => (&DAYS, 0),
        "month" => (&MONTHS, 1),
        _ => return None,
    };
    let text = text.to_lowercase();
    let is_named = |known: &&str| text == **known || (text.len() == 3 && known.starts_with(&text));
    names.iter().position(is_named).map(|place| (place + first).to_string().as_str().into())
}

/// Whether a job without a name is the one that is wanted.
fn is_equal(entry: &Entry, record: &Record) -> bool {
    let is_field = |name: &str| match (entry.wanted(name), record.get(name)) {
        (None, _) => true,
        (Some(wanted), Some(known)) => crate::property::identical(&wanted, known),
        (Some(_), None) => false,
    };
    let wants_special = entry.wanted("special").is_none_or(|special| !is_absent(&special));
    record.target == entry.target()
        && entry.wanted("command").as_ref() == record.get("command")
        && wants_special
        && TIMES.iter().chain(&["special"]).all(|name| is_field(name))
}

fn parse(line: &str) -> Option<Record> {
    let bare = line.trim_start();
    let is_assignment = || {
        let word = bare.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || it == '_');
        word.len() < bare.len() && word.trim_start().starts_with('=')
    };
    if bare.is_empty() || bare.starts_with('#') || is_assignment() {
        return Some(Record::text(line));
    }
    let fields = if bare.starts_with('@') { 1 } else { TIMES.len() };
    let mut rest = bare;
    let mut times = Vec::with_capacity(fields);
    for _ in 0..fields {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        times.push(word);
        rest = after.trim_start();
    }
    let mut record = Record::named("").with("command", Some(rest).filter(|it| !it.is_empty())?);
    record.is_unnamed = true;
    match times.as_slice() {
        [special] => {
            record.set("special", special.trim_start_matches('@').into());
            for field in TIMES {
                record.set(field, ABSENT.into());
            }
        }
        times => {
            record.set("special", ABSENT.into());
            for (field, time) in TIMES.into_iter().zip(times) {
                let values = || Value::array(time.split(',').map(Value::from));
                record.set(field, if *time == "*" { ABSENT.into() } else { values() });
            }
        }
    }
    Some(record)
}

/// Puts jobs together with their names and variables, which come before them.
fn gather(lines: Vec<Record>) -> Vec<Record> {
    let mut records = Vec::with_capacity(lines.len());
    let mut name: Option<String> = None;
    let mut variables: Option<Vec<Value>> = None;
    let mut unnamed = 0;
    for mut record in lines {
        match record.text.as_deref().map(str::trim_start) {
            Some(comment) if comment.starts_with('#') => {
                if let Some((_, known)) = comment.split_once("Puppet Name: ").filter(|(_, known)| !known.is_empty()) {
                    name = Some(known.trim_end().to_owned());
                    variables = Some(Vec::new());
                    continue;
                }
            }
            Some(line) if !line.is_empty() => {
                if let Some(variables) = &mut variables {
                    variables.push(record.text.as_deref().unwrap_or_default().into());
                    continue;
                }
            }
            Some(_) => {}
            None => {
                if let Some(name) = name.take() {
                    record.name = name;
                    record.is_unnamed = false;
                } else {
                    unnamed += 1;
                    let command = record.words("command").unwrap_or_default();
                    let command = command.split_whitespace().collect::<Vec<_>>().join("_");
                    record.name = format!("unmanaged:{command}-{unnamed}");
                }
                let known = variables.take_if(|variables| !variables.is_empty());
                record.set("environment", known.map_or_else(|| ABSENT.into(), Value::array));
            }
        }
        records.push(record);
    }
    records
}

fn line(record: &Record) -> Outcome<String> {
    let mut text = String::new();
    if !record.is_unnamed {
        text.push_str(&format!("# Puppet Name: {}\n", record.name));
    }
    for variable in record.elements("environment").unwrap_or_default() {
        text.push_str(&format!("{variable}\n"));
    }
    match record.words("special") {
        Some(special) => text.push_str(&format!("@{special}")),
        None => {
            let time = |name: &&str| record.elements(name).map_or_else(|| "*".to_owned(), |values| values.join(","));
            text.push_str(&TIMES.iter().map(time).collect::<Vec<_>>().join(" "));
        }
    }
    let command = record.words("command").unwrap_or_else(|| "*".to_owned());
    Ok(format!("{text} {command}"))
}

fn is_insync(property: &Property, current: &Value) -> bool {
    match (property.name, current) {
        ("environment", Value::Array(current)) => {
            let sorted = |values: Vec<String>| {
                let mut values = values;
                values.sort_unstable();
                values
            };
            let wanted = property.should.iter().flatten().map(text_of).collect();
            sorted(current.iter().map(text_of).collect()) == sorted(wanted)
        }
        (name, current) if TIMES.contains(&name) => crate::property::identical(current, &property.desired()),
        _ => property.matches(current),
    }
}

fn change(property: &Property, from: &Value) -> Option<String> {
    if property.name != "environment" || !property.is_list {
        return None;
    }
    let wanted = property.should.iter().flatten().map(text_of).collect::<Vec<_>>().join(",");
    Some(match is_absent(from) {
        true => format!("defined 'environment' as {wanted}"),
        false => format!("environment changed {} to {wanted}", shown(from)),
    })
}

impl Managed for Cron {
    fn provider(&self) -> Option<&str> {
        self.0.provider()
    }

    fn properties(&self) -> Vec<Property> {
        self.0.properties()
    }

    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let mut values = self.0.retrieve(site, context)?;
        // The crontab is that of its user.
        if values.is_present()
            && let Some(record) = self.0.record(context)
        {
            values.set("user", record.target.as_str().into());
        }
        Ok(values)
    }

    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        site: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        self.0.is_insync(property, current, site, context)
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let is_created = property.name == "ensure" && !is_absent(&property.desired());
        if is_created && self.0.wanted("command").is_none() {
            site.say(&mut context.log, Level::Err, "no command specified, cannot create");
            return Ok(());
        }
        if property.name == "user" {
            let target = Property { name: "target", ..property.clone() };
            return self.0.sync(&target, site, context);
        }
        self.0.sync(property, site, context)
    }

    fn change(&self, property: &Property, from: &Value, context: &mut Context<'_>) -> String {
        Managed::change(&self.0, property, from, context)
    }

    fn flush(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.0.flush(site, context)
    }
}
