//! `file`: files, directories and links, with their content, owner and permissions.

mod content;
mod mode;

use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::{Path, PathBuf};

use bunraku_pcore::Value;
use bunraku_pcore::data_types::Binary;

use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};
use crate::write;

use content::Digest;

/// The permissions of a new file.
const NEW_FILE: u32 = 0o644;

struct File {
    path: PathBuf,
    ensure: Option<String>,
    content: Option<Vec<u8>>,
    sources: Vec<String>,
    target: Option<String>,
    owner: Vec<String>,
    group: Vec<String>,
    mode: Option<String>,
    digest: Digest,
    follows_links: bool,
    is_forced: bool,
    is_replaced: bool,
    shows_diff: bool,
    is_secret: bool,
    backup: Option<String>,
    validate: Option<(String, String)>,
    watched: Vec<&'static str>,
    is_noop: bool,
    /// The numbers of owner and group, once they are known.
    ids: (Option<u32>, Option<u32>),
    /// The file that is copied, once it is known.
    copied: Option<PathBuf>,
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("path");
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("File paths must be fully qualified, not '{path}'")));
    }
    let trimmed = path.trim_end_matches('/');
    let path = PathBuf::from(if trimmed.is_empty() { "/" } else { trimmed });
    let content = given.value("content").map(|value| content::bytes(given, value)).transpose()?;
    let mode = given.value("mode").map(|value| mode::validated(given, value)).transpose()?;
    let (mut ensure, mut target) = (given.text("ensure"), given.text("target"));
    if let Some(other) =
        ensure.take_if(|it| !matches!(it.as_str(), "absent" | "present" | "file" | "directory" | "link"))
    {
        (ensure, target) = (Some("link".to_owned()), Some(other));
    }
    let sources = given.texts("source");
    let creators = [content.is_some(), !sources.is_empty(), target.is_some()];
    if creators.into_iter().filter(|it| *it).count() > 1 {
        return Err(given.invalid("You cannot specify more than one of content, source, target"));
    }
    if matches!(given.text("recurse").as_deref(), Some("true" | "remote")) {
        return Err(given.refuse("recurse", "directories are not managed recursively yet"));
    }
    let backup = given
        .text("backup")
        .filter(|it| it != "false")
        .map(|it| if it == "true" { ".puppet-bak".to_owned() } else { it });
    if let Some(bucket) = backup.as_ref().filter(|it| !it.starts_with('.')) {
        return Err(match context.declared.find("filebucket", bucket) {
            None => Fault::new(format!("Could not find filebucket {bucket} specified in backup")),
            Some(_) => given.refuse("backup", "filebuckets are not written yet; give a suffix such as `.bak`"),
        });
    }
    if ensure.is_none() {
        ensure = match (&target, &content) {
            (Some(_), _) => Some("link".to_owned()),
            (None, Some(_)) => Some("file".to_owned()),
            _ => None,
        };
    }
    let replacement = given.text("validate_replacement").unwrap_or_else(|| "%".to_owned());
    let names = ["ensure", "content", "target", "owner", "group", "mode", "type", "ctime", "mtime"];
    let digest = given.text("checksum").map_or(Ok(Digest::default()), |name| Digest::named(given, &name))?;
    Ok(Box::new(File {
        path,
        ensure,
        content,
        sources,
        target,
        owner: given.texts("owner"),
        group: given.texts("group"),
        mode,
        digest,
        follows_links: given.text("links").as_deref() == Some("follow"),
        is_forced: given.flag("force") == Some(true),
        is_replaced: given.flag("replace") != Some(false),
        shows_diff: given.flag("show_diff") != Some(false),
        is_secret: given.is_sensitive("content") || given.is_sensitive("source"),
        backup,
        validate: given.text("validate_cmd").map(|command| (command, replacement)),
        watched: names.into_iter().filter(|name| given.is_watched(name)).collect(),
        is_noop: given.is_noop,
        ids: (None, None),
        copied: None,
    }))
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

    /// Finds the file to copy, and takes over what kind of file it is.
    fn find_source(&mut self, context: &Context<'_>) -> Outcome {
        if self.sources.is_empty() {
            return Ok(());
        }
        let local = |source: &String| match source.strip_prefix("puppet:///") {
            Some(path) => context.host.file(path),
            None => Some(PathBuf::from(source.strip_prefix("file://").unwrap_or(source))),
        };
        let found = self.sources.iter().filter_map(local).find_map(|path| {
            let look = if self.follows_links { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
            look.ok().map(|found| (path, found))
        });
        let Some((path, found)) = found else {
            let uri =
                |source: &String| if source.starts_with('/') { format!("file://{source}") } else { source.clone() };
            let sources: Vec<String> = self.sources.iter().map(uri).collect();
            return Err(Fault::new(format!(
                "Could not retrieve information from environment {} source(s) {}",
                context.environment,
                sources.join(", ")
            )));
        };
        if self.ensure.as_deref() != Some(ABSENT) {
            self.ensure = Some(kind(&found).to_owned());
            match kind(&found) {
                "link" => self.target = fs::read_link(&path).ok().map(|target| target.display().to_string()),
                "file" => self.copied = Some(path),
                _ => {}
            }
        }
        Ok(())
    }

    /// What is to be in the file; nothing if that is not managed.
    fn wanted(&self) -> Outcome<Option<Vec<u8>>> {
        match (&self.content, &self.copied) {
            (Some(content), _) => Ok(Some(content.clone())),
            (None, Some(path)) => match fs::read(path) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(error) => Err(Fault::io(&error, &path.display().to_string())),
            },
            (None, None) => Ok(None),
        }
    }

    /// Removes what is in the way of something else; says so if it may not.
    fn clear(&self, wanted: &str, site: &Site, context: &mut Context<'_>) -> Outcome {
        let Some(found) = self.look() else { return Ok(()) };
        if let Some(suffix) = &self.backup {
            self.back_up(suffix, &found)?;
        }
        let current = kind(&found);
        if wanted != "link" && current == wanted {
            return Ok(());
        }
        let shown = self.shown_path();
        match current {
            "directory" if self.is_forced => fs::remove_dir_all(&self.path).map_err(|error| Fault::io(&error, &shown)),
            "directory" => {
                site.say(&mut context.log, Level::Notice, "Not removing directory; use 'force' to override");
                Ok(())
            }
            "link" | "file" | "fifo" | "socket" => {
                fs::remove_file(&self.path).map_err(|error| Fault::io(&error, &shown))
            }
            other => Err(Fault::new(format!("Could not remove files of type {other}"))),
        }
    }

    fn back_up(&self, suffix: &str, found: &Metadata) -> Outcome {
        if kind(found) != "file" {
            return Ok(());
        }
        let copy = format!("{}{suffix}", self.shown_path());
        // A link that somebody put there is replaced, not followed.
        let _ = fs::remove_file(&copy);
        let copied = fs::copy(&self.path, &copy).and_then(|_| chown(&copy, Some(found.uid()), Some(found.gid())));
        copied.map_err(|error| Fault::new(format!("Could not back {} up: {error}", self.shown_path())))
    }

    /// Writes the content to a new file next to this one, and puts it in its place when it is complete.
    fn write(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.clear("file", site, context)?;
        let shown = self.shown_path();
        let bytes = self.wanted()?.unwrap_or_default();
        // Who follows links replaces what they lead to.
        let path = match self.follows_links {
            true => fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone()),
            false => self.path.clone(),
        };
        if self.look().is_some_and(|found| found.is_dir()) {
            return Err(Fault::raw(format!("Is a directory - {shown}")));
        }
        let wrong = |error: &std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Fault::raw(format!("A directory component in {shown} does not exist or is a dangling symbolic link"))
            }
            _ => Fault::io(error, &shown),
        };
        let old = fs::symlink_metadata(&path).ok().filter(|found| !found.is_symlink());
        let (part, mut file) = write::begin(&path).map_err(|error| wrong(&error))?;
        let finished = self.finish(&mut file, (&part, old.as_ref()), &bytes, context);
        let placed = finished.and_then(|()| fs::rename(&part, &path).map_err(|error| Fault::io(&error, &shown)));
        if placed.is_err() {
            let _ = fs::remove_file(&part);
        }
        placed?;
        // What was there before has its permissions looked at on their own.
        if old.is_some() { Ok(()) } else { self.fix(context) }
    }

    /// Gives a new file its content, owner and permissions, and has it checked.
    fn finish(
        &self,
        file: &mut fs::File,
        (part, old): (&Path, Option<&Metadata>),
        bytes: &[u8],
        context: &mut Context<'_>,
    ) -> Outcome {
        use std::io::Write;
        let wrong = |error: std::io::Error| Fault::io(&error, &self.shown_path());
        let mode = match (old, &self.mode) {
            (Some(old), _) => old.mode() & 0o7777,
            (None, Some(mode)) => mode::applied(mode, NEW_FILE, false)?,
            (None, None) => NEW_FILE,
        };
        if let Some(old) = old {
            chown(part, Some(old.uid()), Some(old.gid())).map_err(wrong)?;
        } else {
            // Whom nobody knows is complained about when the file is there.
            let uid = self.first_id(&self.owner, true, context).ok().flatten();
            let gid = self.first_id(&self.group, false, context).ok().flatten();
            chown(part, uid, gid).map_err(wrong)?;
        }
        file.write_all(bytes).map_err(wrong)?;
        file.set_permissions(fs::Permissions::from_mode(mode)).map_err(wrong)?;
        file.sync_all().map_err(wrong)?;
        if let Some((command, replacement)) = &self.validate {
            Execution::line(&command.replace(replacement.as_str(), &part.display().to_string())).succeed()?;
        }
        Ok(())
    }

    fn first_id(&self, names: &[String], is_user: bool, context: &mut Context<'_>) -> Outcome<Option<u32>> {
        names.first().map(|name| id(name, is_user, context)).transpose()
    }

    /// Brings owner, group and permissions of a new file in line.
    fn fix(&self, context: &mut Context<'_>) -> Outcome {
        let Some(found) = self.look() else { return Ok(()) };
        let wrong = |error: std::io::Error| Fault::io(&error, &self.shown_path());
        let (uid, gid) = (self.first_id(&self.owner, true, context)?, self.first_id(&self.group, false, context)?);
        let (uid, gid) = (uid.filter(|uid| *uid != found.uid()), gid.filter(|gid| *gid != found.gid()));
        if uid.is_some() || gid.is_some() {
            lchown(&self.path, uid, gid).map_err(wrong)?;
        }
        if let Some(mode) = self.mode.as_ref().filter(|_| !found.is_symlink()) {
            let mode =
                mode::applied(&mode::for_directory(mode, found.is_dir()), found.mode() & 0o7777, found.is_dir())?;
            fs::set_permissions(&self.path, fs::Permissions::from_mode(mode)).map_err(wrong)?;
        }
        Ok(())
    }

    fn make_link(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        let target = self.target.as_ref().ok_or_else(|| Fault::new("Cannot create a symlink without a target"))?;
        self.clear("link", site, context)?;
        if self.path.exists() {
            return Err(Fault::new("Could not remove existing file"));
        }
        symlink(target, &self.path).map_err(|error| Fault::io(&error, &self.shown_path()))?;
        self.fix(context)
    }

    fn make_directory(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.clear("directory", site, context)?;
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let shown = self.shown_path();
        if !parent.exists() {
            let parent = parent.display();
            return Err(Fault::new(format!("Cannot create {shown}; parent directory {parent} does not exist")));
        }
        let mut builder = fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o755);
        match builder.create(&self.path) {
            Err(error) if !self.path.is_dir() => Err(Fault::io(&error, &shown)),
            _ => self.fix(context),
        }
    }

    /// Brings `ensure` about.
    fn ensure(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        match self.ensure.as_deref() {
            Some(ABSENT) => self.clear(ABSENT, site, context),
            Some("directory") => self.make_directory(site, context),
            Some("link") => self.make_link(site, context),
            _ => self.write(site, context),
        }
    }

    /// Shows how a file differs from what it is to be.
    fn show_diff(&self, wanted: &[u8], site: &Site, context: &mut Context<'_>) -> Outcome {
        if !context.options.show_diff || !self.shows_diff || !self.path.is_file() {
            return Ok(());
        }
        let message = if self.is_secret {
            "[diff redacted]".to_owned()
        } else {
            "\n".to_owned() + &content::diff(&self.path, wanted, &context.options.diff)?
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
        let Some(wanted) = self.wanted()?.filter(|_| self.is_replaced) else { return Ok(true) };
        let is_insync = text_of(current) == self.digest.of(&wanted);
        if !is_insync {
            self.show_diff(&wanted, site, context)?;
        }
        Ok(is_insync)
    }

    fn content_digest(&self) -> Option<String> {
        self.wanted().ok().flatten().map(|bytes| self.digest.of(&bytes))
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
        add("content", self.content_digest().map(Value::from));
        add("target", self.target.as_deref().map(Value::from));
        add("owner", texts(&self.owner));
        add("group", texts(&self.group));
        let is_dir = self.mode.is_some() && self.look().is_some_and(|found| found.is_dir());
        add("mode", self.mode.as_deref().map(|mode| mode::displayed(&mode::for_directory(mode, is_dir)).into()));
        for name in ["type", "ctime", "mtime"] {
            add(name, None);
        }
        for property in &mut properties {
            property.is_sensitive = self.is_secret && matches!(property.name, "ensure" | "content");
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
                "content" if found.is_file() => match fs::read(&self.path) {
                    Ok(bytes) => self.digest.of(&bytes).into(),
                    Err(error) => {
                        let shown = self.shown_path();
                        return Err(Fault::new(format!("Could not read file {shown}: {error}")));
                    }
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
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let first = self.first_id(if is_user { &self.owner } else { &self.group }, is_user, context);
                let known = if is_user { &mut self.ids.0 } else { &mut self.ids.1 };
                *known = first.ok().flatten();
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
                let bits = found.mode() & 0o7777;
                Ok(mode::applied(&text_of(&property.desired()), bits, found.is_dir())? == bits)
            }
            _ => Ok(property.matches(current)),
        }
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let shown = self.shown_path();
        match property.name {
            "ensure" => self.ensure(site, context).map_err(|fault| {
                if !fault.is_raw {
                    return fault;
                }
                let wanted = self.ensure.as_deref().unwrap_or_default();
                let message = site.located(format!("Could not set '{wanted}' on ensure: {fault}"));
                context.log.say(Level::Err, message.clone());
                Fault { original: Some(fault.message), ..Fault::new(message) }
            }),
            "content" => self.write(site, context),
            "target" => self.make_link(site, context),
            "owner" | "group" => {
                let is_user = property.name == "owner";
                let name = if is_user { self.owner.first() } else { self.group.first() };
                let number = name.map(|name| id(name, is_user, context)).transpose()?;
                let (uid, gid) = if is_user { (number, None) } else { (None, number) };
                let changed =
                    if self.follows_links { chown(&self.path, uid, gid) } else { lchown(&self.path, uid, gid) };
                let word = property.name;
                changed.map_err(|error| {
                    let number = number.unwrap_or_default();
                    Fault::new(format!("Failed to set {word} to '{number}': {error}"))
                })
            }
            _ => {
                let Some(found) = self.look() else { return Ok(()) };
                let bits = mode::applied(&text_of(&property.desired()), found.mode() & 0o7777, found.is_dir())?;
                fs::set_permissions(&self.path, fs::Permissions::from_mode(bits))
                    .map_err(|error| Fault::new(format!("failed to set mode {bits:04o} on {shown}: {error}")))
            }
        }
    }

    fn change(&self, property: &Property, from: &Value, context: &mut Context<'_>) -> String {
        let desired = property.desired();
        match property.name {
            "ensure" => match (self.ensure.as_deref(), self.content_digest()) {
                (Some("file" | "present"), Some(digest)) => format!("defined content as '{digest}'"),
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
            name => property::change(name, from, &desired, &property::shown),
        }
    }

    fn reported(&self, property: &Property) -> Value {
        match property.name {
            // Compatibility: the reference takes the checksum for binary data, which reports have as Base64.
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
