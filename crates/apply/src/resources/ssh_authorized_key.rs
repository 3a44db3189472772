//! `ssh_authorized_key`: keys that let somebody in. They are written as the user whose they are.

use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::LazyLock;

use bunraku_pcore::Value;
use fancy_regex::Regex;

use crate::accounts::User;
use crate::context::Context;
use crate::fault::{Fault, Outcome, reason};
use crate::property::{ABSENT, Property, Values};
use crate::records::{Entry, Format, Medium, Record, write_file};
use crate::resource::{Given, Managed, Site};
use crate::write;

static AUTHORIZED_KEYS: Format = Format {
    type_name: "ssh_authorized_key",
    provider: "parsed",
    identity: None,
    fields: &["options", "type", "key"],
    parse,
    gather,
    line,
    is_own: |entry, record| match record.is_unnamed {
        true => entry.name == format!("{}{}", record.target, record.name),
        false => entry.name == record.name,
    },
    is_insync: Property::matches,
    change: |_, _| None,
    medium: Medium::File(0o600),
};

static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let kinds = "ssh-dss|ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp256|ecdsa-sha2-nistp384|ecdsa-sha2-nistp521|ecdsa-sk|\
                 ed25519-sk|sk-ecdsa-sha2-nistp256@openssh.com|sk-ssh-ed25519@openssh.com|ssh-rsa-cert-v01@openssh.com|\
                 ssh-ed25519-cert-v01@openssh.com|ssh-dss-cert-v01@openssh.com|ecdsa-sha2-nistp256-cert-v01@openssh.com|\
                 ecdsa-sha2-nistp384-cert-v01@openssh.com|ecdsa-sha2-nistp521-cert-v01@openssh.com";
    Regex::new(&format!(r"^(?:(.+)\s+)?({kinds})\s+([^ ]+)\s*(.*)$")).ok()
});

/// A key of the first version of the protocol.
const FIRST_VERSION: &str = r"^(?:(.+) )?(\d+) (\d+) (\d+)(?: (.+))?$";

struct AuthorizedKey {
    entry: Entry,
    user: Option<String>,
    /// Whether the file is that of the user, in the home directory.
    is_at_home: bool,
    drops_privileges: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    if let Some(key) = given.text("key").filter(|key| key.contains(char::is_whitespace)) {
        return Err(given.refuse("key", &format!("Key must not contain whitespace: {key}")));
    }
    let is_option = |text: &String| super::matches(r#"(?m)^[-a-z0-9A-Z_]+(?:=\".*?\")?$"#, text);
    if let Some(option) = given.texts("options").iter().find(|it| *it != ABSENT && !is_option(it)) {
        let reason = format!(
            "Option {option} is not valid. A single option must either be of the form 'option' or 'option=\"value\"'. \
             Multiple options must be provided as an array"
        );
        return Err(given.refuse("options", &reason));
    }
    let is_at_home = given.text("target").is_none_or(|target| target == ABSENT);
    if is_at_home && given.value("user").is_none() {
        return Err(given.invalid("Attribute 'user' or 'target' is mandatory"));
    }
    let names = ["ensure", "type", "key", "user", "target", "options"];
    let mut properties = given.properties_of_described(&names);
    super::add_target(&mut properties, "");
    if !properties.iter().any(|property| property.name == "options" && property.should.is_some()) {
        properties.retain(|property| property.name != "options");
        properties.push(Property::new("options", ABSENT.into()));
    }
    for property in properties.iter_mut().filter(|property| property.name == "options") {
        property.is_list = true;
    }
    properties.sort_by_key(|property| names.iter().position(|name| *name == property.name));
    Ok(Box::new(AuthorizedKey {
        entry: Entry::new(&AUTHORIZED_KEYS, given.name("name"), properties),
        user: given.text("user"),
        is_at_home,
        drops_privileges: given.flag("drop_privileges") != Some(false),
    }))
}

/// The names of the keys in a file; one without a name goes by its place.
pub(super) fn names(path: &str) -> Vec<String> {
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let records = gather(text.lines().filter_map(parse).collect());
    let keys = records.into_iter().filter(|record| record.text.is_none());
    keys.map(|record| if record.is_unnamed { format!("{path}{}", record.name) } else { record.name }).collect()
}

fn parse(line: &str) -> Option<Record> {
    let bare = line.trim_start();
    if bare.is_empty() || bare.starts_with('#') || super::matches(FIRST_VERSION, line) {
        return Some(Record::text(line));
    }
    let found = LINE.as_ref()?.captures(line).ok()??;
    let part = |place: usize| found.get(place).map(|it| it.as_str()).unwrap_or_default();
    let mut record = Record::named(part(4)).with("type", part(2)).with("key", part(3));
    let options = found.get(1).map_or_else(|| vec![ABSENT.to_owned()], |it| options(it.as_str()));
    record.set("options", Value::array(options.iter().map(|it| it.as_str().into())));
    Some(record)
}

/// Options one by one: what is in quotes belongs together.
fn options(text: &str) -> Vec<String> {
    let mut options = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t']);
    while !rest.is_empty() {
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        let name = rest.len() - rest.trim_start_matches(is_name).len();
        let value = rest.get(name..).and_then(|it| it.strip_prefix("=\"")).and_then(closing_quote);
        let end = name + value.map_or(0, |end| end + 2);
        let Some(option) = rest.get(..end).filter(|_| name > 0) else { break };
        options.push(option.to_owned());
        let after = rest.get(end..).unwrap_or_default().trim_start_matches([' ', '\t']);
        rest = after.strip_prefix(',').unwrap_or(after).trim_start_matches([' ', '\t']);
    }
    options
}

/// The length of what is in quotes, with the closing one, which no backslash precedes.
fn closing_quote(text: &str) -> Option<usize> {
    let mut before = None;
    for (place, it) in text.char_indices() {
        if it == '"' && before.is_some_and(|before| before != '\\') {
            return Some(place + 1);
        }
        before = Some(it);
    }
    None
}

/// Gives keys without a name one that nobody else has.
fn gather(mut records: Vec<Record>) -> Vec<Record> {
    let unnamed = records.iter_mut().filter(|record| record.text.is_none() && record.name.is_empty());
    for (number, record) in unnamed.enumerate() {
        record.is_unnamed = true;
        record.name = format!(":unnamed-{}", number + 1);
    }
    records
}

fn line(record: &Record) -> Outcome<String> {
    let options = record.elements("options").unwrap_or_default();
    let options = options.into_iter().filter(|option| option != ABSENT).collect::<Vec<_>>().join(",");
    let name = if record.is_unnamed { "" } else { &record.name };
    let line = format!("{options} {} {} {name}", record.required("type")?, record.required("key")?);
    Ok(line.trim_start().to_owned())
}

impl AuthorizedKey {
    /// The account whose key it is, as it is at this moment.
    fn account(&self, context: &mut Context<'_>) -> Option<(User, String)> {
        let name = self.user.as_deref()?;
        let user = context.accounts.user(name)?;
        let home = context.accounts.entry(name)?.passwd.get(5)?.clone();
        Some((user, home))
    }

    fn write(&self, user: &User, target: &str, text: &str) -> Outcome {
        let failed = |error: std::io::Error| {
            let reason = format!("{} - {target}", reason(&error));
            Fault::new(format!("Puppet::Util::FileType::FileTypeFlat could not write {target}: {reason}"))
        };
        let put = || {
            if let Some(directory) = Path::new(target).parent().filter(|it| self.drops_privileges && !it.exists()) {
                std::fs::DirBuilder::new().mode(0o700).create(directory)?;
            }
            write_file(target, text, 0o600)?;
            std::fs::set_permissions(target, std::fs::Permissions::from_mode(0o600))
        };
        if self.drops_privileges {
            return write::as_user(user.uid, user.gid, put).map_err(failed);
        }
        if !is_trusted(Path::new(target)) {
            return Err(Fault::new("drop_privileges is false but the target path is not trusted"));
        }
        let own = || std::os::unix::fs::chown(target, Some(user.uid), Some(user.gid));
        put().and_then(|()| own()).map_err(failed)
    }
}

/// Whether nobody else can change what is on the way to a file.
fn is_trusted(path: &Path) -> bool {
    let Some(directory) = path.parent().and_then(|directory| directory.canonicalize().ok()) else { return false };
    let is_safe = |directory: &Path| {
        let own = rustix::process::geteuid().as_raw();
        std::fs::metadata(directory).is_ok_and(|it| it.uid() == own && it.mode() & 0o022 == 0)
    };
    directory.ancestors().all(is_safe)
}

impl Managed for AuthorizedKey {
    fn provider(&self) -> Option<&str> {
        self.entry.provider()
    }

    fn properties(&self) -> Vec<Property> {
        self.entry.properties()
    }

    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        if self.is_at_home {
            let path = self.account(context).map(|(_, home)| format!("{home}/.ssh/authorized_keys"));
            for property in self.entry.properties.iter_mut().filter(|property| property.name == "target") {
                property.should = Some(vec![path.as_deref().unwrap_or_default().into()]);
            }
        }
        self.entry.retrieve(site, context)
    }

    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        site: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        self.entry.is_insync(property, current, site, context)
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.entry.sync(property, site, context)
    }

    fn flush(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome {
        let name = self.user.as_deref().ok_or_else(|| Fault::new("Cannot write SSH authorized keys without user"))?;
        let missing = || Fault::new(format!("User '{name}' does not exist"));
        let (user, _) = self.account(context).ok_or_else(missing)?;
        self.entry.write(context, &|target, text, _| self.write(&user, target, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_apart() {
        let found = options(r#"no-pty,command="/bin/x, \"y\" z" ,from="a""#);
        assert_eq!(found, ["no-pty", r#"command="/bin/x, \"y\" z""#, r#"from="a""#]);
    }
}
