//! Files in which each line is a record: those that are not managed stay as they are, in their order. A file is read once,
//! and written after each resource that changed something in it.

use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use bunraku_pcore::Value;
use rustc_hash::FxHashMap;

use crate::bucket;
use crate::context::Context;
use crate::execution::{Execution, Failure};
use crate::fault::{Fault, Outcome, reason};
use crate::log::Level;
use crate::property::{ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Managed, Site};
use crate::write;

/// How the records of a type are read and written.
#[derive(Debug)]
pub(crate) struct Format {
    /// The resource type.
    pub(crate) type_name: &'static str,
    /// The provider, as reports name it.
    pub(crate) provider: &'static str,
    /// What tells records of the same name apart.
    pub(crate) identity: Option<&'static str>,
    /// The properties that every record has; others are taken to be as they should.
    pub(crate) fields: &'static [&'static str],
    /// Reads a line; nothing if it makes no sense.
    pub(crate) parse: fn(&str) -> Option<Record>,
    /// Makes records of all lines of a file where several belong together.
    pub(crate) gather: fn(Vec<Record>) -> Vec<Record>,
    /// Writes a record.
    pub(crate) line: fn(&Record) -> Outcome<String>,
    /// Whether a record is the one of a resource.
    pub(crate) is_own: fn(&Entry, &Record) -> bool,
    /// Whether a property is as it should be.
    pub(crate) is_insync: fn(&Property, &Value) -> bool,
    /// What is said about a change of a property, where it is something special.
    pub(crate) change: fn(&Property, &Value) -> Option<String>,
    /// Where the files are.
    pub(crate) medium: Medium,
}

/// Where records are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Medium {
    /// In files; the permissions of new ones.
    File(u32),
    /// In the crontabs of users.
    Crontab,
}

/// A line of a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    /// The file.
    pub(crate) target: String,
    /// The line itself, if it is nothing that could be managed.
    pub(crate) text: Option<String>,
    /// What it is called.
    pub(crate) name: String,
    /// Whether the file has no name for it.
    pub(crate) is_unnamed: bool,
    /// Whether it is to go, or has gone.
    pub(crate) is_removed: bool,
    fields: Vec<(&'static str, Value)>,
}

impl Record {
    /// A line that is kept as it is.
    pub(crate) fn text(line: &str) -> Self {
        Record { text: Some(line.to_owned()), ..Record::default() }
    }

    /// A record of a name.
    pub(crate) fn named(name: &str) -> Self {
        Record { name: name.to_owned(), ..Record::default() }
    }

    /// The same with a value in it; no words mean that there is none.
    pub(crate) fn with(mut self, field: &'static str, value: &str) -> Self {
        self.set(field, if value.is_empty() { ABSENT.into() } else { value.into() });
        self
    }

    /// The value of a field, as far as there is one.
    pub(crate) fn get(&self, field: &str) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value)
    }

    /// The words of a field.
    pub(crate) fn words(&self, field: &str) -> Option<String> {
        self.get(field).filter(|value| !is_absent(value)).map(text_of)
    }

    /// The elements of a field that is a list.
    pub(crate) fn elements(&self, field: &str) -> Option<Vec<String>> {
        match self.get(field)? {
            value if is_absent(value) => None,
            Value::Array(elements) => Some(elements.iter().map(text_of).collect()),
            value => Some(vec![text_of(value)]),
        }
    }

    /// The words of a field that must be there.
    pub(crate) fn required(&self, field: &str) -> Outcome<String> {
        self.words(field).ok_or_else(|| Fault::new(format!("Field '{field}' is required")))
    }

    /// Sets a field.
    pub(crate) fn set(&mut self, field: &'static str, value: Value) {
        match self.fields.iter_mut().find(|(known, _)| *known == field) {
            Some((_, known)) => *known = value,
            None => self.fields.push((field, value)),
        }
    }
}

/// The records of one type that have been read.
#[derive(Debug, Default)]
pub(crate) struct Store {
    records: Vec<Record>,
    targets: Vec<String>,
    /// Files that could not be read, and why.
    unreadable: Vec<(String, String)>,
    modified: BTreeSet<String>,
    kept: BTreeSet<String>,
}

/// The records of all types.
pub(crate) type Stores = FxHashMap<&'static str, Store>;

/// A resource that is a record.
pub(crate) struct Entry {
    pub(crate) format: &'static Format,
    /// The name that the record has.
    pub(crate) name: String,
    /// The properties; `target` is one of them.
    pub(crate) properties: Vec<Property>,
    place: Option<usize>,
}

/// The resources that are records of a file.
pub(crate) fn instances(
    format: &'static Format,
    target: &str,
    context: &mut Context<'_>,
) -> Outcome<Vec<crate::resources::Instance>> {
    load(format, target, context)?;
    let store = context.records.get(format.type_name);
    let records = store.map(|store| store.records.as_slice()).unwrap_or_default();
    let records: Vec<&Record> = records.iter().filter(|it| it.text.is_none()).collect();
    let mut instances = crate::resources::named(records.iter().map(|it| it.name.as_str()));
    for (instance, record) in instances.iter_mut().zip(records) {
        let identity = format.identity.and_then(|name| Some((name.into(), record.get(name)?.clone())));
        instance.parameters.extend(identity);
    }
    Ok(instances)
}

impl Entry {
    /// A resource of a name.
    pub(crate) fn new(format: &'static Format, name: String, properties: Vec<Property>) -> Self {
        Entry { format, name, properties, place: None }
    }

    /// What is wanted of a property.
    pub(crate) fn wanted(&self, name: &str) -> Option<Value> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(property.desired())
    }

    /// The file the record is to be in.
    pub(crate) fn target(&self) -> String {
        self.wanted("target").map(|target| text_of(&target)).unwrap_or_default()
    }

    /// Finds the record; files that have not been read yet are read now.
    pub(crate) fn find(&mut self, targets: &[String], context: &mut Context<'_>) -> Outcome {
        let own = self.target();
        for target in targets.iter().chain([&own]).filter(|target| !target.is_empty()) {
            load(self.format, target, context)?;
        }
        let store = context.records.entry(self.format.type_name).or_default();
        let mut is_taken_over = false;
        for (place, record) in store.records.iter().enumerate() {
            if record.text.is_some() || (record.is_unnamed && is_taken_over) || !(self.format.is_own)(self, record) {
                continue;
            }
            is_taken_over |= record.is_unnamed;
            self.place = Some(place);
        }
        if let Some(record) = self.place.and_then(|place| store.records.get_mut(place)) {
            record.name.clone_from(&self.name);
        }
        Ok(())
    }

    /// The record, as far as there is one.
    pub(crate) fn record<'c>(&self, context: &'c Context<'_>) -> Option<&'c Record> {
        context.records.get(self.format.type_name)?.records.get(self.place?)
    }

    /// The states of all properties but `ensure`, which is given.
    pub(crate) fn values(&self, ensure: &str, context: &Context<'_>) -> Outcome<Values> {
        let record = self.record(context);
        Values::of(&self.properties, Some(ensure.into()), |property| {
            let known = record.and_then(|record| match property.name {
                "target" => Some(record.target.as_str().into()),
                name => record.get(name).cloned(),
            });
            let assumed = || match self.format.fields.contains(&property.name) {
                true => ABSENT.into(),
                false => property.desired(),
            };
            Ok(known.unwrap_or_else(assumed))
        })
    }

    /// Adds the record.
    pub(crate) fn create(&mut self, context: &mut Context<'_>) {
        let mut record = Record { target: self.target(), ..Record::named(&self.name) };
        for property in self.properties.iter().filter(|it| it.should.is_some()) {
            if !matches!(property.name, "target" | "ensure") {
                record.set(property.name, property.desired());
            }
        }
        let store = context.records.entry(self.format.type_name).or_default();
        store.modified.insert(record.target.clone());
        self.place = Some(store.records.len());
        store.records.push(record);
    }

    /// Changes the record.
    pub(crate) fn change(&self, context: &mut Context<'_>, change: impl FnOnce(&mut Record)) {
        let store = context.records.entry(self.format.type_name).or_default();
        if let Some(record) = self.place.and_then(|place| store.records.get_mut(place)) {
            store.modified.insert(record.target.clone());
            change(record);
            store.modified.insert(record.target.clone());
        }
    }

    /// Sets a property of the record.
    pub(crate) fn set(&self, property: &Property, context: &mut Context<'_>) {
        let value = property.desired();
        self.change(context, |record| match property.name {
            "target" => record.target = text_of(&value),
            name => record.set(name, value),
        });
    }

    /// Writes the files that have changed.
    pub(crate) fn write(
        &self,
        context: &mut Context<'_>,
        write: &dyn Fn(&str, &str, &mut Context<'_>) -> Outcome,
    ) -> Outcome {
        let next = |context: &mut Context<'_>| context.records.get_mut(self.format.type_name)?.modified.pop_first();
        while let Some(target) = next(context) {
            self.keep(&target, context)?;
            let Some(store) = context.records.get(self.format.type_name) else { continue };
            if let Some((_, detail)) = store.unreadable.iter().find(|(known, _)| *known == target) {
                let message = format!("Failed to read {target}'s records when prefetching them. Reason: {detail}");
                return Err(Fault::new(message));
            }
            let mut text = String::new();
            for record in store.records.iter().filter(|record| record.target == target && !record.is_removed) {
                match &record.text {
                    Some(line) => text.push_str(line),
                    None => text.push_str(&(self.format.line)(record)?),
                }
                text.push('\n');
            }
            // Compatibility: where no line is left, there is an empty one.
            if text.is_empty() {
                text.push('\n');
            }
            let text = self.format.medium.finish(text);
            write(&target, &text, context)?;
        }
        Ok(())
    }

    /// Keeps a copy of a file, once.
    fn keep(&self, target: &str, context: &mut Context<'_>) -> Outcome {
        let store = context.records.entry(self.format.type_name).or_default();
        if matches!(self.format.medium, Medium::Crontab) || !store.kept.insert(target.to_owned()) {
            return Ok(());
        }
        let kept = bucket::keep(&context.options.paths.client_bucket, Path::new(target));
        kept.map_err(|error| Fault::new(format!("Could not back up {target}: {}", reason(&error))))
    }
}

impl Managed for Entry {
    fn provider(&self) -> Option<&str> {
        Some(self.format.provider)
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let targets = declared_targets(self.format.type_name, context);
        self.find(&targets, context)?;
        let ensure = if self.place.is_some() { "present" } else { ABSENT };
        self.values(ensure, context)
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok((self.format.is_insync)(property, current))
    }

    fn sync(&mut self, property: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        match property.name {
            "ensure" if is_absent(&property.desired()) => self.change(context, |record| record.is_removed = true),
            "ensure" => self.create(context),
            _ => self.set(property, context),
        }
        Ok(())
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        (self.format.change)(property, from).unwrap_or_else(|| match property.name {
            "ensure" => crate::property::ensure_change(from, &property.desired()),
            name => crate::property::change(name, from, &property.desired(), crate::property::shown),
        })
    }

    fn flush(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome {
        self.write(context, &|target, text, context| self.format.medium.write(target, text, context))
    }
}

/// The files that resources of a type name.
fn declared_targets(type_name: &str, context: &Context<'_>) -> Vec<String> {
    let target = |known: &crate::context::Known| known.parameters.get("target").map(text_of);
    context.declared.of(type_name).iter().filter_map(target).filter(|target| target != ABSENT).collect()
}

/// Reads a file, once.
fn load(format: &'static Format, target: &str, context: &mut Context<'_>) -> Outcome {
    let store = context.records.entry(format.type_name).or_default();
    if store.targets.iter().any(|known| known == target) {
        return Ok(());
    }
    store.targets.push(target.to_owned());
    let text = match format.medium.read(target, context) {
        Ok(text) => text,
        Err(fault) if matches!(format.medium, Medium::Crontab) => {
            let store = context.records.entry(format.type_name).or_default();
            store.unreadable.push((target.to_owned(), fault.message));
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    let mut records = Vec::new();
    // Empty lines at the end are not kept.
    for (number, line) in without_header(&text).trim_end_matches('\n').split('\n').enumerate() {
        if text.is_empty() {
            break;
        }
        let record = (format.parse)(line).ok_or_else(|| {
            let line = crate::property::inspected(&line.into());
            Fault::new(format!("Could not parse line {line} (file: {target}, line: {})", number + 2))
        })?;
        records.push(record);
    }
    let mut records = (format.gather)(records);
    for record in &mut records {
        target.clone_into(&mut record.target);
    }
    context.records.entry(format.type_name).or_default().records.extend(records);
    Ok(())
}

/// A text without the lines that say who wrote it.
fn without_header(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.find("# HEADER") {
            Some(place) if line.ends_with('\n') => line.get(..place).unwrap_or_default(),
            _ => line,
        })
        .collect()
}

impl Medium {
    fn read(self, target: &str, context: &mut Context<'_>) -> Outcome<String> {
        match self {
            Medium::File(_) => read_file(target).map_err(|error| {
                let message =
                    format!("Puppet::Util::FileType::FileTypeFlat could not read {target}: {}", reason(&error));
                context.log.say(Level::Err, message.clone());
                Fault::new(message)
            }),
            Medium::Crontab => {
                let Some(user) = context.accounts.user(target) else { return Ok(String::new()) };
                let output = crontab(user.uid, target, "-l")?.run().map_err(|failure| match failure {
                    Failure::NotStarted(fault) => fault,
                    Failure::TimedOut => Fault::new("crontab did not come to an end"),
                })?;
                match output.text {
                    text if output.code == Some(0) && text.contains('\u{fffd}') => {
                        Err(Fault::new(format!("The crontab of {target} is not UTF-8")))
                    }
                    text if output.code == Some(0) => Ok(text),
                    text if text.contains("no crontab for") || text.contains("are not allowed to") => Ok(String::new()),
                    text => Err(Fault::new(format!("Could not read crontab for {target}: {}", text.trim()))),
                }
            }
        }
    }

    /// The text as it is written: with a header.
    fn finish(self, text: String) -> String {
        let now = jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S %z");
        match self {
            Medium::File(_) => format!(
                "# HEADER: This file was autogenerated at {now}\n\
                 # HEADER: by puppet.  While it can still be managed manually, it\n\
                 # HEADER: is definitely not recommended.\n{text}"
            ),
            Medium::Crontab => {
                let text = without_native_header(&text);
                let header = format!(
                    "# HEADER: This file was autogenerated at {now} by puppet.\n\
                     # HEADER: While it can still be managed manually, it is definitely not recommended.\n\
                     # HEADER: Note particularly that the comments starting with 'Puppet Name' should\n\
                     # HEADER: not be deleted, as doing so could cause duplicate cron jobs.\n"
                );
                // The time zone has to come before everything else.
                let is_zone = |line: &str| line.len() > 4 && line.starts_with("TZ=");
                match text.split_inclusive('\n').find(|line| is_zone(line)) {
                    Some(zone) => format!("{zone}{header}{}", text.replacen(zone, "", 1)),
                    None => header + &text,
                }
            }
        }
    }

    /// Writes a file, or has it written.
    pub(crate) fn write(self, target: &str, text: &str, context: &mut Context<'_>) -> Outcome {
        match self {
            Medium::File(mode) => write_file(target, text, mode).map_err(|error| {
                let reason = format!("{} - {target}", reason(&error));
                let message = format!("Puppet::Util::FileType::FileTypeFlat could not write {target}: {reason}");
                context.log.say(Level::Err, message.clone());
                Fault::new(message)
            }),
            Medium::Crontab => {
                let user = context.accounts.user(target).ok_or_else(|| {
                    Fault::new(format!("Cannot write the {target} user's crontab: The user does not exist"))
                })?;
                let written = crontab(user.uid, target, "-")?.input(text.to_owned()).share_output().run();
                // Compatibility: what crontab refuses it says itself; the resource counts as changed.
                written.map(drop).map_err(|failure| match failure {
                    Failure::NotStarted(fault) => fault,
                    Failure::TimedOut => Fault::new("crontab did not come to an end"),
                })
            }
        }
    }
}

fn crontab(uid: u32, user: &str, what: &str) -> Outcome<Execution> {
    let is_own = rustix::process::getuid().as_raw() == uid;
    let arguments: Vec<String> = match is_own {
        true => vec![what.to_owned()],
        false => ["-u", user, what].map(str::to_owned).to_vec(),
    };
    Execution::provider("crontab", &arguments)
}

/// Without the lines that crontab puts on top itself.
fn without_native_header(text: &str) -> String {
    let find = |from: usize, what: &str| text.get(from..)?.find(what).map(|place| from + place);
    let header = find(0, "# DO NOT EDIT THIS FILE").and_then(|start| {
        let version = find(start, "Cron version")?;
        let end = find(find(version, "vixie")?, "\n")?;
        Some((start, end + 1))
    });
    match header {
        Some((start, end)) => [text.get(..start), text.get(end..)].into_iter().flatten().collect(),
        None => text.to_owned(),
    }
}

/// Reads a file; one that is not there is empty, and nothing is waited for.
fn read_file(path: &str) -> std::io::Result<String> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut file = match std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other(format!("not a file - {path}")));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Writes a file: one that is there keeps its owner and permissions.
pub(crate) fn write_file(path: &str, text: &str, mode: u32) -> std::io::Result<()> {
    let path = Path::new(path);
    if path.exists() { write::rewrite(path, text) } else { write::create(path, text, mode) }
}
