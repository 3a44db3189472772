//! `file`: files, directories and links, with their content, owner and permissions.

mod backup;
mod content;
mod ensure;
mod mode;
mod recursion;
mod source;
mod web;

pub(super) use source::local as local_source;

use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::PathBuf;

use bunraku_pcore::Value;
use bunraku_pcore::data_types::Binary;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Generated, Given, Managed, Site, located};

use backup::Backup;
use content::{Content, Digest};
use recursion::Recursion;
use source::{Origin, Permissions};

/// The properties that are only looked at.
const READ_ONLY: [&str; 7] = ["type", "seluser", "selrole", "seltype", "selrange", "ctime", "mtime"];

struct File {
    path: PathBuf,
    ensure: Option<String>,
    content: Option<Content>,
    /// Whether something is copied; of a list without elements, nothing is found.
    has_source: bool,
    sources: Vec<String>,
    permissions: Permissions,
    checksum_value: Option<String>,
    /// Whether what is written must have that checksum.
    is_checked: bool,
    target: Option<String>,
    /// Whether the target is a word that stands for no path.
    is_target_a_word: bool,
    owner: Vec<String>,
    group: Vec<String>,
    mode: Option<String>,
    digest: Digest,
    follows_links: bool,
    is_forced: bool,
    is_replaced: bool,
    shows_diff: bool,
    sensitive: Vec<String>,
    backup: Option<Backup>,
    validate: Option<(String, String)>,
    recursion: Option<Recursion>,
    watched: Vec<&'static str>,
    is_noop: bool,
    /// Whether another resource has put the content together.
    is_generated: bool,
    /// The numbers of owner and group, once they are known.
    ids: (Option<u32>, Option<u32>),
    /// The file that is copied, once it is known.
    copied: Option<Origin>,
    /// The checksum of what is to be in the file.
    wanted_digest: Option<String>,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("path");
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    if let Some(name) = ["type", "ctime", "mtime"].into_iter().find(|name| given.value(name).is_some()) {
        return Err(given.refuse(name, &format!("{name} is read-only")));
    }
    let path = PathBuf::from(expanded(&path));
    let has_content = |value: &&Value| !matches!(value, Value::Array(elements) if elements.is_empty());
    let content = given.value("content").filter(has_content);
    let content = content.map(|value| content::build(given, value, context)).transpose()?;
    if let Some(Value::Integer(_) | Value::Float(_) | Value::Boolean(true) | Value::Hash(_)) = given.value("ignore") {
        return Err(
            given.refuse("ignore", &located("Ignore must be a string or an Array".to_owned(), given.file, given.line))
        );
    }
    let mode = given.value("mode").map(|value| mode::validated(given, value)).transpose()?;
    let (mut ensure, mut target) = (given.text("ensure"), given.text("target"));
    if let Some(other) =
        ensure.take_if(|it| !matches!(it.as_str(), "absent" | "present" | "file" | "directory" | "link"))
    {
        (ensure, target) = (Some("link".to_owned()), Some(other));
    }
    let sources = source::build(given)?;
    let permissions = source::permissions(given, context);
    let creators = [content.is_some(), !sources.is_empty(), target.is_some()];
    if creators.into_iter().filter(|it| *it).count() > 1 {
        return Err(given.invalid("You cannot specify more than one of content, source, target"));
    }
    let recursion = recursion::build(given)?;
    let digest = given.text("checksum").map_or_else(Digest::default, |name| Digest::named(&name));
    if digest.name() == "none" && !sources.is_empty() {
        return Err(given.invalid("You cannot specify source when using checksum 'none'"));
    }
    if digest.is_of_source() && content.is_some() {
        return Err(given.invalid(&format!("You cannot specify content when using checksum '{}'", digest.name())));
    }
    let warn = |message: &str, context: &mut Context<'_>| {
        context.log.say_as(&format!("/{}", given.reference), Level::Warning, message);
    };
    if recursion.is_none() && given.value("recurselimit").is_some() {
        warn("Possible error: recurselimit is set but not recurse, no recursion will happen", context);
    }
    let checksum_value = given.text("checksum_value");
    let is_checked = given.value("checksum").is_some() || !sources.is_empty();
    if let Some(value) = checksum_value.as_ref().filter(|value| is_checked && !digest.is_valid(value)) {
        let name = digest.name();
        return Err(given.invalid(&format!("Checksum value '{value}' is not a valid checksum type {name}")));
    }
    if checksum_value.is_some() && content.is_none() && sources.is_empty() {
        warn("Checksum value is ignored unless content or source are specified", context);
    }
    if ensure.is_none() {
        ensure = match (&target, &content) {
            (Some(_), _) => Some("link".to_owned()),
            (None, Some(_)) => Some("file".to_owned()),
            _ => None,
        };
    }
    let replacement = given.text("validate_replacement").unwrap_or_else(|| "%".to_owned());
    let names = ["ensure", "content", "checksum_value", "target", "owner", "group", "mode"];
    let wanted_digest = match &content {
        Some(Content::Bytes(bytes)) => Some(digest.of(bytes)),
        Some(Content::Sum(sum)) => Some(sum.clone()),
        None => None,
    };
    Ok(Box::new(File {
        path,
        ensure,
        content,
        has_source: given.value("source").is_some(),
        sources,
        permissions,
        checksum_value,
        is_checked,
        target,
        is_target_a_word: matches!(given.value("ensure"), Some(Value::Boolean(_))),
        owner: given.texts("owner"),
        group: given.texts("group"),
        mode,
        digest,
        follows_links: given.text("links").as_deref() == Some("follow"),
        is_forced: given.flag("force") == Some(true),
        is_replaced: given.flag("replace") != Some(false),
        shows_diff: given.flag("show_diff") != Some(false),
        sensitive: given.sensitive.to_vec(),
        backup: backup::build(given, context)?,
        validate: given.text("validate_cmd").map(|command| (command, replacement)),
        recursion,
        watched: names.into_iter().chain(READ_ONLY).filter(|name| given.is_watched(name)).collect(),
        is_noop: given.is_noop,
        is_generated: given.line.is_none() && given.value("content").is_some(),
        ids: (None, None),
        copied: None,
        wanted_digest,
    }))
}

/// A path without the directories that lead nowhere else.
pub(crate) fn expanded(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop(),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// What kind of file something is, in the words of the type.
fn kind(found: &Metadata) -> &'static str {
    let kind = found.file_type();
    if kind.is_symlink() {
        "link"
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_file() {
        "file"
    } else if kind.is_fifo() {
        "fifo"
    } else if kind.is_socket() {
        "socket"
    } else {
        "characterSpecial"
    }
}

impl File {
    fn look(&self) -> Option<Metadata> {
        if self.follows_links { fs::metadata(&self.path) } else { fs::symlink_metadata(&self.path) }.ok()
    }

    fn shown_path(&self) -> String {
        self.path.display().to_string()
    }

    /// Whether nobody may see what is in the file.
    fn is_secret(&self) -> bool {
        self.sensitive.iter().any(|name| name == "content" || name == "source")
    }

    /// Shows how a file differs from what it is to be.
    fn show_diff(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        if !context.options.show_diff || !self.shows_diff || !self.path.is_file() {
            return Ok(());
        }
        let message = if self.is_secret() {
            "[diff redacted]".to_owned()
        } else {
            "\n".to_owned() + &content::diff(&self.path, &self.bytes(context)?, &context.options.diff)?
        };
        site.say_of(&mut context.log, "content", site.loglevel, message);
        Ok(())
    }

    fn is_content_insync(&self, current: &Value, site: &Site, context: &mut Context<'_>) -> Outcome<bool> {
        let found = self.look();
        let is_file = match (self.ensure.as_deref(), &found) {
            (Some("file") | None, _) | (Some("present"), None) => true,
            (Some("present"), Some(found)) => found.is_file(),
            _ => false,
        };
        if !is_file {
            if let (Some("present"), Some(found)) = (self.ensure.as_deref(), found) {
                let kind = kind(&found);
                let message = format!("Ensure set to :present but file type is {kind} so no content will be synced");
                site.say(&mut context.log, Level::Warning, message);
            }
            return Ok(true);
        }
        if is_absent(current) {
            return Ok(false);
        }
        let wanted = match (&self.checksum_value, &self.wanted_digest) {
            _ if !self.is_replaced => return Ok(true),
            (Some(value), _) => format!("{{{}}}{value}", self.digest.name()),
            (None, Some(digest)) => digest.clone(),
            (None, None) => return Ok(true),
        };
        let is_insync = self.digest.is_current(&text_of(current), &wanted);
        if !is_insync {
            self.show_diff(site, context)?;
        }
        Ok(is_insync)
    }

    /// The checksum of what is in the file now.
    fn current_digest(&self, found: &Metadata) -> Outcome<Value> {
        if !found.is_file() {
            return Ok(Value::Undef);
        }
        self.digest.of_file(&self.path, found).map(Value::from).map_err(|error| {
            let (shown, reason) = (self.shown_path(), crate::fault::reason(&error));
            Fault::new(format!("Could not read file {shown}: {reason} - {shown}"))
        })
    }
}

/// The number of a user or group.
fn id(name: &str, is_user: bool, context: &mut Context<'_>) -> Outcome<u32> {
    let found = if is_user { context.accounts.uid(name) } else { context.accounts.gid(name) };
    let what = if is_user { "user" } else { "group" };
    found.ok_or_else(|| Fault::raw(format!("Could not find {what} {name}")))
}

impl Managed for File {
    fn provider(&self) -> Option<&str> {
        Some("posix")
    }

    fn properties(&self) -> Vec<Property> {
        let mut properties = Vec::new();
        let mut add = |name: &'static str, wanted: Option<Value>| match wanted {
            Some(value) => properties.push(Property::new(name, value)),
            None if self.watched.contains(&name) => properties.push(Property::watched(name)),
            None => {}
        };
        let texts =
            |names: &[String]| (!names.is_empty()).then(|| Value::array(names.iter().map(|it| it.as_str().into())));
        add("ensure", self.ensure.as_deref().map(Value::from));
        // A checksum that is given takes the place of what is copied.
        let is_compared_by_value = self.checksum_value.is_some() && !self.sources.is_empty();
        let digest = self.wanted_digest.as_deref().filter(|_| !is_compared_by_value);
        add("content", digest.map(Value::from));
        add("checksum_value", self.checksum_value.as_deref().map(Value::from));
        add("target", self.target.as_deref().map(Value::from));
        add("owner", texts(&self.owner));
        add("group", texts(&self.group));
        let is_dir = self.mode.is_some() && self.look().is_some_and(|found| found.is_dir());
        add("mode", self.mode.as_deref().map(|mode| mode::displayed(&mode::for_directory(mode, is_dir)).into()));
        for name in READ_ONLY {
            add(name, None);
        }
        for property in &mut properties {
            let is_content = matches!(property.name, "ensure" | "content");
            property.is_sensitive =
                self.sensitive.iter().any(|name| name == property.name) || (is_content && self.is_secret());
        }
        properties
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        self.find_source(context)?;
        let found = self.look();
        let ensure = found.as_ref().map_or(ABSENT, kind).into();
        Values::of(&self.properties(), Some(ensure), |property| {
            let Some(found) = &found else { return Ok(ABSENT.into()) };
            Ok(match property.name {
                "content" => self.current_digest(found)?,
                "checksum_value" if self.sources.is_empty() => Value::Undef,
                "checksum_value" => match text_of(&self.current_digest(found)?).split_once('}') {
                    Some((_, sum)) => sum.into(),
                    None => Value::Undef,
                },
                "target" if found.is_symlink() => {
                    fs::read_link(&self.path).map(|it| it.display().to_string().into()).unwrap_or_default()
                }
                "target" => "notlink".into(),
                "owner" => i64::from(found.uid()).into(),
                "group" => i64::from(found.gid()).into(),
                "mode" => format!("{:04o}", found.mode() & 0o7777).into(),
                "type" => kind(found).into(),
                "ctime" => seconds(found.ctime()),
                "mtime" => seconds(found.mtime()),
                _ => Value::Undef,
            })
        })
    }

    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        site: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        match property.name {
            "ensure" if !is_absent(current) && !self.is_replaced => Ok(true),
            "ensure" if self.ensure.as_deref() == Some("present") => Ok(!is_absent(current)),
            "content" => self.is_content_insync(current, site, context),
            "checksum_value" if self.sources.is_empty() => Ok(true),
            "checksum_value" => {
                let current = match current {
                    Value::String(sum) if !is_absent(current) => format!("{{{}}}{sum}", self.digest.name()).into(),
                    other => other.clone(),
                };
                self.is_content_insync(&current, site, context)
            }
            "target" if self.recursion.is_some() => Ok(true),
            "target" if !self.is_replaced && self.path.exists() => Ok(true),
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let wanted = if is_user { &self.owner } else { &self.group };
                let first = wanted.first().and_then(|name| id(name, is_user, context).ok());
                match is_user {
                    true => self.ids.0 = first,
                    false => self.ids.1 = first,
                }
                for name in if is_user { &self.owner } else { &self.group } {
                    match id(name, is_user, context) {
                        Ok(number) if *current == Value::Integer(i64::from(number)) => return Ok(true),
                        Err(fault) if !self.is_noop => return Err(fault),
                        _ => {}
                    }
                }
                Ok(false)
            }
            "mode" => {
                let Some(found) = self.look().filter(|found| !found.is_symlink()) else { return Ok(true) };
                // Compatibility: what was found counts, though new content may have set the mode since.
                let bits = u32::from_str_radix(&text_of(current), 8).unwrap_or(found.mode() & 0o7777);
                Ok(mode::applied(&text_of(&property.desired()), bits, found.is_dir())? == bits)
            }
            _ => Ok(property.matches(current)),
        }
    }

    fn was_insync(
        &mut self,
        property: &Property,
        current: &Value,
        site: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        let wanted = property.should.iter().flatten();
        match property.name {
            "ensure" if !is_absent(current) && !self.is_replaced => Ok(true),
            "ensure" if property.desired().as_str() == Some("present") => Ok(!is_absent(current)),
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let numbers = wanted.filter_map(|name| id(&text_of(name), is_user, context).ok());
                Ok(numbers.into_iter().any(|number| *current == Value::Integer(number.into())))
            }
            "mode" => {
                let Ok(bits) = u32::from_str_radix(&text_of(current), 8) else { return Ok(false) };
                let is_dir = self.look().is_some_and(|found| found.is_dir());
                Ok(mode::applied(&text_of(&property.desired()), bits, is_dir)? == bits)
            }
            "content" if !property.matches(current) && self.is_replaced => {
                // Compatibility: who compares shows how the file differs by now.
                self.show_diff(site, context)?;
                Ok(false)
            }
            _ => Ok(property.matches(current)),
        }
    }

    fn kept(&self, property: &Property, context: &mut Context<'_>) -> Option<Vec<Value>> {
        let is_dir = || self.look().is_some_and(|found| found.is_dir());
        match (property.name, &self.mode) {
            ("mode", Some(mode)) => Some(vec![mode::for_directory(mode, is_dir()).into()]),
            ("owner" | "group", _) => {
                let is_user = property.name == "owner";
                let mut number = |name: &Value| match id(&text_of(name), is_user, context) {
                    Ok(number) => Value::Integer(number.into()),
                    Err(_) => name.clone(),
                };
                property.should.as_ref().map(|names| names.iter().map(&mut number).collect())
            }
            _ => property.should.clone(),
        }
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let shown = self.shown_path();
        match property.name {
            "ensure" => self.bring_about(site, context).map_err(|fault| {
                if !fault.is_raw {
                    return fault;
                }
                let wanted = self.ensure.as_deref().unwrap_or_default();
                let message = site.located(format!("Could not set '{wanted}' on ensure: {fault}"));
                context.log.say(Level::Err, message.clone());
                Fault { original: Some(fault.message), ..Fault::new(message) }
            }),
            "content" | "checksum_value" => self.write(site, context),
            "target" => self.make_link(site, context),
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let name = if is_user { self.owner.first() } else { self.group.first() };
                let number = name.map(|name| id(name, is_user, context)).transpose()?;
                let (uid, gid) = if is_user { (number, None) } else { (None, number) };
                let word = property.name;
                self.chown(uid, gid).map_err(|error| {
                    let number = number.unwrap_or_default();
                    Fault::new(format!("Failed to set {word} to '{number}': {error}"))
                })
            }
            _ => {
                let Some(found) = self.look() else { return Ok(()) };
                let bits = mode::applied(&text_of(&property.desired()), found.mode() & 0o7777, found.is_dir())?;
                self.chmod(bits)
                    .map_err(|error| Fault::new(format!("failed to set mode {bits:04o} on {shown}: {error}")))
            }
        }
    }

    fn shown(&self, property: &str, value: &Value, context: &mut Context<'_>) -> String {
        match (property, value) {
            ("owner" | "group", Value::Integer(number)) => {
                let accounts = &mut context.accounts;
                let is_user = property == "owner";
                let name = |id| if is_user { accounts.user_name(id) } else { accounts.group_name(id) };
                let name = u32::try_from(*number).ok().and_then(name);
                name.map_or_else(|| property::shown(value), |name| property::shown(&name.as_str().into()))
            }
            // Compatibility: symbols are filled up like digits.
            ("mode", Value::String(mode)) if !is_absent(value) => format!("'{mode:0>4}'"),
            _ => property::shown(value),
        }
    }

    fn generate_late(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        self.children(site, context)
    }

    fn change(&self, property: &Property, from: &Value, context: &mut Context<'_>) -> String {
        let desired = property.desired();
        match property.name {
            "ensure" => match (self.ensure.as_deref(), &self.wanted_digest) {
                (Some("file" | "present"), Some(digest)) => format!("defined content as '{digest}'"),
                // Compatibility: content that is only watched is nothing.
                (Some("file" | "present"), None) if self.watched.contains(&"content") => {
                    "defined content as ''".to_owned()
                }
                _ => property::ensure_change(from, &desired),
            },
            "content" => format!("content changed '{}' to '{}'", text_of(from), text_of(&desired)),
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let mut name = |value: &Value| {
                    let number = match value {
                        Value::Integer(number) => u32::try_from(*number).ok(),
                        value => text_of(value).parse().ok(),
                    };
                    let accounts = &mut context.accounts;
                    let known =
                        number.and_then(|id| if is_user { accounts.user_name(id) } else { accounts.group_name(id) });
                    match (known, number) {
                        (Some(name), _) => property::shown(&name.as_str().into()),
                        (None, Some(number)) => number.to_string(),
                        (None, None) => property::shown(value),
                    }
                };
                format!("{} changed {} to {}", property.name, name(from), name(&desired))
            }
            "mode" => {
                let desired = text_of(&desired);
                let is_octal = desired.bytes().all(|it| it.is_ascii_digit());
                let bits = u32::from_str_radix(&text_of(from), 8).unwrap_or_default();
                let is_dir = self.look().is_some_and(|found| found.is_dir());
                match mode::applied(&desired, bits, is_dir) {
                    Ok(to) if !is_octal => format!("mode changed '{bits:04o}' to '{to:04o}' ({desired})"),
                    _ => format!("mode changed '{bits:04o}' to '{desired}'"),
                }
            }
            name => property::change(name, from, &desired, property::shown),
        }
    }

    fn reported(&self, property: &Property) -> Value {
        match property.name {
            // Compatibility: the reference takes the checksum for binary data, which reports have as Base64, unless the
            // content comes of another resource.
            "content" if self.is_generated => property.desired(),
            "content" => Binary::new(text_of(&property.desired()).into_bytes()).to_string().into(),
            "owner" => self.ids.0.map_or_else(|| property.desired(), |id| i64::from(id).into()),
            "group" => self.ids.1.map_or_else(|| property.desired(), |id| i64::from(id).into()),
            _ => property.desired(),
        }
    }

    fn event_name(&self, type_name: &str, property: &Property) -> String {
        match (property.name, self.ensure.as_deref()) {
            ("ensure", Some("file" | "present")) => "file_created".to_owned(),
            ("ensure", Some("directory")) => "directory_created".to_owned(),
            ("ensure", Some("link")) => "link_created".to_owned(),
            _ => property::event_name(type_name, property.name, &property.desired()),
        }
    }
}

fn seconds(time: i64) -> Value {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(time.try_into().unwrap_or_default());
    crate::state::shown(time).into()
}
