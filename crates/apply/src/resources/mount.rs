//! `mount`: file systems of `/etc/fstab`, mounted or not.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::records::{Entry, Format, Medium, Record};
use crate::resource::{Given, Managed, Site};

const MOUNTED: &str = "mounted";
const UNMOUNTED: &str = "unmounted";
/// Mounted, but not in the table.
const GHOST: &str = "ghost";

static FSTAB: Format = Format {
    type_name: "mount",
    provider: "parsed",
    identity: None,
    fields: &["device", "fstype", "options", "dump", "pass"],
    parse,
    gather: |records| records,
    line,
    is_own: |entry, record| entry.name == record.name,
    is_insync: Property::matches,
    change: |_, _| None,
    medium: Medium::File(0o600),
};

struct Mount {
    entry: Entry,
    /// How it was found, and what has become of it since.
    state: &'static str,
    needs_mount: bool,
    can_remount: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    for name in ["fstype", "options"] {
        if let Some(text) = given.text(name) {
            if text.contains(char::is_whitespace) {
                return Err(given.refuse(name, &format!("{name} must not contain whitespace: {text}")));
            }
            if text.is_empty() {
                return Err(given.refuse(name, &format!("{name} must not be an empty string")));
            }
        }
    }
    let names = ["ensure", "device", "fstype", "options", "pass", "dump", "target"];
    let mut properties = given.properties(&names);
    for name in ["pass", "dump"] {
        if !properties.iter().any(|property| property.name == name && property.should.is_some()) {
            properties.retain(|property| property.name != name);
            properties.push(Property::new(name, 0.into()));
        }
    }
    super::add_target(&mut properties, "/etc/fstab");
    properties.sort_by_key(|property| names.iter().position(|name| *name == property.name));
    Ok(Box::new(Mount {
        entry: Entry::new(&FSTAB, without_slashes(&given.name("name")), properties),
        state: ABSENT,
        needs_mount: false,
        can_remount: given.flag("remounts") != Some(false),
    }))
}

/// A path without slashes at its end.
fn without_slashes(path: &str) -> String {
    let bare = path.trim_end_matches('/');
    if bare.is_empty() { "/".to_owned() } else { bare.to_owned() }
}

fn parse(line: &str) -> Option<Record> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [device, name, rest @ ..] = fields.as_slice() else { return Some(Record::text(line)) };
    if device.starts_with('#') {
        return Some(Record::text(line));
    }
    let mut record = Record::named(&without_slashes(&name.replace("\\040", " ")));
    record.set("device", device.replace("\\040", " ").as_str().into());
    for (place, field) in ["fstype", "options", "dump"].into_iter().enumerate() {
        record = record.with(field, rest.get(place).copied().unwrap_or_default());
    }
    let pass = rest.get(3..).unwrap_or_default().join("\t");
    Some(record.with("pass", &pass))
}

fn line(record: &Record) -> Outcome<String> {
    let name = &record.name;
    if record.get("fstype").is_none() {
        return Err(Fault::new(format!("Mount[{name}]: Field 'fstype' is required")));
    }
    let escaped = |text: &str| text.replace(' ', "\\040");
    let options = match record.get("options") {
        Some(_) => record.words("options").unwrap_or_default(),
        None => "defaults".to_owned(),
    };
    let word = |field: &str| record.words(field).unwrap_or_default();
    let device = escaped(&record.required("device")?);
    let fields = [device, escaped(name), word("fstype"), options, word("dump"), word("pass")];
    Ok(fields.join("\t"))
}

/// What is in the table and what is mounted.
pub(super) fn instances(context: &mut Context<'_>) -> Outcome<Vec<super::Instance>> {
    let mut all = crate::records::instances(&FSTAB, "/etc/fstab", context)?;
    for place in mounted() {
        if all.iter().all(|known| known.title != place) {
            all.extend(super::named([place.as_str()].into_iter()));
        }
    }
    Ok(all)
}

/// The paths at which something is mounted.
fn mounted() -> Vec<String> {
    let table = std::fs::read("/proc/self/mounts").unwrap_or_default();
    let table = String::from_utf8_lossy(&table);
    let places = table.lines().filter_map(|line| line.split(' ').nth(1));
    let plain = |place: &str| place.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    places.map(plain).collect()
}

/// Whether something is mounted at a path.
fn is_mounted(path: &str) -> bool {
    mounted().iter().any(|place| place == path)
}

impl Mount {
    fn run(&self, program: &str, options: &[&str]) -> Outcome {
        let arguments: Vec<String> =
            options.iter().map(|it| (*it).to_owned()).chain([self.entry.name.clone()]).collect();
        Execution::provider(program, &arguments)?.succeed().map(drop)
    }

    fn unmount(&mut self) -> Outcome {
        self.run("umount", &[])?;
        self.state = if self.state == GHOST { ABSENT } else { UNMOUNTED };
        Ok(())
    }

    fn is_mounted(&self) -> bool {
        matches!(self.state, MOUNTED | GHOST)
    }

    /// Brings all other properties in line, without events of their own.
    fn sync_others(&mut self, context: &mut Context<'_>) -> Outcome {
        let values = self.entry.values(self.state, context)?;
        for property in self.entry.properties.clone() {
            if property.name != "ensure" && !property.matches(&values.get(property.name)) {
                self.entry.set(&property, context);
            }
        }
        Ok(())
    }

    fn write(&self, context: &mut Context<'_>) -> Outcome {
        self.entry.write(context, &|target, text, context| FSTAB.medium.write(target, text, context))
    }

    fn create(&mut self, state: &'static str, context: &mut Context<'_>) {
        self.entry.create(context);
        self.state = state;
    }

    fn ensure(&mut self, wanted: &str, context: &mut Context<'_>) -> Outcome {
        match (wanted, self.state) {
            (UNMOUNTED, GHOST) => {
                self.create(UNMOUNTED, context);
                self.write(context)?;
                self.unmount()
            }
            (UNMOUNTED, MOUNTED) => {
                self.unmount()?;
                self.sync_others(context)
            }
            (UNMOUNTED, _) => {
                self.create(UNMOUNTED, context);
                Ok(())
            }
            (ABSENT, state) => {
                if self.is_mounted() {
                    self.unmount()?;
                }
                if state != GHOST {
                    self.entry.change(context, |record| record.is_removed = true);
                }
                self.state = ABSENT;
                Ok(())
            }
            (MOUNTED, state) => {
                let is_mounted = self.is_mounted();
                if matches!(state, ABSENT | GHOST) {
                    self.create(MOUNTED, context);
                }
                self.needs_mount = !is_mounted;
                self.sync_others(context)
            }
            _ => {
                self.create("defined", context);
                Ok(())
            }
        }
    }
}

impl Managed for Mount {
    fn provider(&self) -> Option<&str> {
        self.entry.provider()
    }

    fn properties(&self) -> Vec<Property> {
        self.entry.properties()
    }

    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        self.entry.retrieve(site, context)?;
        let is_known = self.entry.record(context).is_some();
        self.state = match (is_known, is_mounted(&self.entry.name)) {
            (true, true) => MOUNTED,
            (true, false) => UNMOUNTED,
            (false, true) => GHOST,
            (false, false) => ABSENT,
        };
        self.entry.values(self.state, context)
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        let is_defined = property.name == "ensure" && property.desired().as_str() == Some("defined");
        Ok(property.matches(current) || (is_defined && matches!(current.as_str(), Some(MOUNTED | UNMOUNTED))))
    }

    fn sync(&mut self, property: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        match property.name {
            "ensure" => self.ensure(&text_of(&property.desired()), context),
            _ => {
                self.entry.set(property, context);
                Ok(())
            }
        }
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        property::change(property.name, from, &property.desired(), property::shown)
    }

    fn event_name(&self, _: &str, property: &Property) -> String {
        match (property.name, property.desired().as_str()) {
            ("ensure", Some(MOUNTED)) => "mount_mounted".to_owned(),
            ("ensure", Some(ABSENT)) => "mount_deleted".to_owned(),
            ("ensure", _) => "mount_changed".to_owned(),
            (name, _) => format!("{name}_changed"),
        }
    }

    fn flush(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome {
        self.write(context)?;
        if std::mem::take(&mut self.needs_mount) {
            self.run("mount", &[])?;
            self.state = MOUNTED;
        }
        Ok(())
    }

    fn is_refreshable(&self) -> bool {
        true
    }

    fn refreshes_itself(&self) -> bool {
        self.entry.wanted("ensure").is_none_or(|ensure| !is_absent(&ensure))
    }

    fn refresh(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        let is_swap = self.entry.wanted("fstype").is_some_and(|fstype| fstype.as_str() == Some("swap"));
        if is_swap || !self.is_mounted() {
            return Ok(());
        }
        site.say(&mut context.log, Level::Info, "Remounting");
        if self.can_remount {
            return self.run("mount", &["-o", "remount"]);
        }
        self.unmount()?;
        self.run("mount", &[])?;
        self.state = MOUNTED;
        Ok(())
    }
}
