//! `user`: users of the machine, through `useradd` and its kin. Password hashes go through standard input, where no list of
//! processes shows them.

use bunraku_catalog::Reference;
use bunraku_pcore::Value;

use crate::accounts::{Accounts, Entry};
use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Generated, Given, Managed, Site};

/// The properties in the order in which they are changed.
const PROPERTIES: [&str; 12] = [
    "ensure",
    "home",
    "uid",
    "gid",
    "comment",
    "shell",
    "password",
    "password_min_age",
    "password_max_age",
    "password_warn_days",
    "groups",
    "expiry",
];

/// The options of `useradd`, in its order.
const OPTIONS: [(&str, &str); 7] = [
    ("comment", "-c"),
    ("expiry", "-e"),
    ("gid", "-g"),
    ("groups", "-G"),
    ("home", "-d"),
    ("shell", "-s"),
    ("uid", "-u"),
];

/// The options of `chage`.
const AGES: [(&str, &str); 3] = [("password_min_age", "-m"), ("password_max_age", "-M"), ("password_warn_days", "-W")];

struct User {
    name: String,
    properties: Vec<Property>,
    allows_duplicates: bool,
    manages_home: bool,
    is_system: bool,
    is_inclusive: bool,
    /// The groups that are asked for.
    groups: Vec<String>,
    /// Files from which keys are removed that the catalog does not have.
    purged_keys: Vec<String>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    if given.text("password").is_some_and(|password| password.contains(':')) {
        return Err(given.refuse("password", "Passwords cannot include ':'"));
    }
    if let Some(Value::Array(groups)) = given.value("groups")
        && groups.iter().any(|group| group.as_str().is_none())
    {
        return Err(given.refuse("groups", "Group names must be provided, not numbers"));
    }
    let is_date = |text: &String| text == ABSENT || super::matches(r"^\d{4}-\d{2}-\d{2}$", text);
    if given.text("expiry").is_some_and(|date| !is_date(&date)) {
        return Err(given.refuse("expiry", "Expiry dates must be YYYY-MM-DD or the string \"absent\""));
    }
    if given.text("ensure").as_deref() == Some("role") {
        let reason = "Provider useradd must have features 'manages_solaris_rbac' to set 'ensure' to 'role'";
        return Err(given.refuse("ensure", reason));
    }
    let mut groups = given.texts("groups");
    if groups.iter().any(|group| group.contains(',')) {
        let reason = "Group names must be provided as an array, not a comma-separated list.";
        return Err(given.refuse("groups", reason));
    }
    if groups.iter().any(|group| !group.is_empty() && group.bytes().all(|it| it.is_ascii_digit())) {
        return Err(given.refuse("groups", "Group names must be provided, not GID numbers."));
    }
    let what = ["minimum age", "maximum age", "warning days"];
    for ((name, _), what) in AGES.into_iter().zip(what) {
        if given.text(name).is_some_and(|days| days.parse::<i64>().is_err()) {
            return Err(given.refuse(name, &format!("Password {what} must be provided as a number.")));
        }
    }
    if groups.iter().any(String::is_empty) {
        let reason = "Group names must not be empty. If you want to specify \"no groups\" pass an empty array";
        return Err(given.refuse("groups", reason));
    }
    groups.sort();
    groups.dedup();
    let mut properties = given.properties_of_described(&PROPERTIES);
    for property in &mut properties {
        property.is_sensitive |= property.name == "password";
        if matches!(property.name, "uid" | "gid") || property.name.starts_with("password_") {
            for value in property.should.iter_mut().flatten() {
                if let Ok(number) = text_of(value).parse::<i64>() {
                    *value = number.into();
                }
            }
        }
    }
    Ok(Box::new(User {
        name: given.name("name"),
        properties,
        allows_duplicates: given.flag("allowdupe") == Some(true),
        manages_home: given.flag("managehome") == Some(true),
        is_system: given.flag("system") == Some(true),
        is_inclusive: given.text("membership").as_deref() == Some("inclusive"),
        groups,
        purged_keys: purged_keys(given)?,
    }))
}

/// The files from which keys are removed that the catalog does not have.
fn purged_keys(given: &Given<'_>) -> Outcome<Vec<String>> {
    let mut files = given.texts("purge_ssh_keys");
    match files.first().map(String::as_str) {
        None | Some("false") => return Ok(Vec::new()),
        Some("true") => files = vec!["~/.ssh/authorized_keys".to_owned()],
        Some(_) => {}
    }
    let is_placed = |path: &String| path.starts_with('/') || path.starts_with("~/") || path.starts_with("%h/");
    match files.iter().find(|path| !is_placed(path)) {
        Some(path) => {
            let reason = format!("Paths to keyfiles must be absolute, not {path}");
            Err(given.refuse("purge_ssh_keys", &reason))
        }
        None => Ok(files),
    }
}

impl User {
    /// The place of a file that may be below the home directory, if there is one.
    fn at_home(&self, path: &str, context: &mut Context<'_>) -> Option<String> {
        let Some(rest) = path.strip_prefix("~/").or_else(|| path.strip_prefix("%h/")) else {
            return Some(path.to_owned());
        };
        let own = || context.accounts.entry(&self.name).and_then(|it| it.passwd.get(5).cloned());
        let home = self.wanted("home").or_else(own)?;
        Some(format!("{home}/{rest}"))
    }

    fn wanted(&self, name: &str) -> Option<String> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(match name {
            "groups" => property.should.iter().flatten().map(text_of).collect::<Vec<_>>().join(","),
            _ => text_of(&property.desired()),
        })
    }

    fn run(&self, program: &str, options: Vec<String>) -> Outcome {
        let arguments: Vec<String> = options.into_iter().chain([self.name.clone()]).collect();
        Execution::provider(program, &arguments)?.succeed().map(drop)
    }

    fn check_shell(&self) -> Outcome {
        match self.wanted("shell").filter(|_| self.wanted("ensure").as_deref() != Some(ABSENT)) {
            Some(shell) if !std::path::Path::new(&shell).exists() => {
                Err(Fault::new(format!("Shell {shell} must exist")))
            }
            Some(shell) if crate::execution::which(&shell, None).is_none() => {
                Err(Fault::new(format!("Shell {shell} must be executable")))
            }
            _ => Ok(()),
        }
    }

    fn set_password(&self) -> Outcome {
        let Some(password) = self.wanted("password") else { return Ok(()) };
        let line = format!("{}:{password}\n", self.name);
        Execution::provider("chpasswd", &["-e".to_owned()])?.input(line).succeed().map(drop)
    }

    fn create(&self) -> Outcome {
        self.check_shell()?;
        let mut options = Vec::new();
        for (name, option) in OPTIONS {
            if let Some(value) = self.wanted(name).filter(|value| value != ABSENT && !value.is_empty()) {
                options.extend([option.to_owned(), value]);
            }
        }
        let is_duplicate = self.allows_duplicates && self.wanted("uid").is_some();
        options.extend(is_duplicate.then(|| "-o".to_owned()));
        options.push(if self.manages_home { "-m" } else { "-M" }.to_owned());
        options.extend(self.is_system.then(|| "-r".to_owned()));
        let named = |fault: Fault| Fault::new(format!("Could not create user {}: {fault}", self.name));
        self.run("useradd", options).map_err(named)?;
        let ages: Vec<String> = AGES
            .into_iter()
            .filter_map(|(name, option)| self.wanted(name).map(|age| [option.to_owned(), age]))
            .flatten()
            .collect();
        if !ages.is_empty() {
            self.run("chage", ages).map_err(named)?;
        }
        self.set_password().map_err(named)
    }

    fn modify(&self, property: &Property, context: &mut Context<'_>) -> Outcome {
        let value = self.wanted(property.name).unwrap_or_default();
        match property.name {
            "password" => self.set_password(),
            "shell" => self.check_shell().and_then(|()| self.run("usermod", vec!["-s".to_owned(), value])),
            "gid" if !context.accounts.groups().iter().any(|it| it.name == value || it.gid.to_string() == value) => {
                Err(Fault::new(format!("Could not find group(s) {value}")))
            }
            "expiry" if value == ABSENT => self.run("usermod", vec!["-e".to_owned(), String::new()]),
            name => {
                let options = OPTIONS.iter().map(|it| ("usermod", it)).chain(AGES.iter().map(|it| ("chage", it)));
                let found = options.into_iter().find(|(_, (known, _))| *known == name);
                let Some((program, (_, option))) = found else { return Ok(()) };
                let is_duplicate = name == "uid" && self.allows_duplicates;
                let duplicate = is_duplicate.then(|| "-o".to_owned());
                let options = [(*option).to_owned(), value].into_iter().chain(duplicate).collect();
                let set = |fault: Fault| Fault::new(format!("Could not set {name} on user[{}]: {fault}", self.name));
                self.run(program, options).map_err(set)
            }
        }
    }
}

fn elements(list: &Value) -> impl Iterator<Item = String> {
    let elements = if let Value::Array(elements) = list { elements.as_slice() } else { &[] };
    elements.iter().map(text_of)
}

fn number(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| ABSENT.into(), Value::from)
}

/// A number of days; one that is not there is -1.
fn days(text: &str) -> Value {
    if text.is_empty() { (-1).into() } else { number(text) }
}

/// The day of a number of days, as it is written.
fn date(days: &str) -> Value {
    let day = days.parse::<i64>().ok().and_then(|days| jiff::Timestamp::from_second(days.checked_mul(86400)?).ok());
    day.map_or_else(|| ABSENT.into(), |day| day.strftime("%Y-%m-%d").to_string().into())
}

impl Managed for User {
    fn provider(&self) -> Option<&str> {
        Some("useradd")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn generate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        let mut generated = Vec::new();
        for path in &self.purged_keys {
            let Some(path) = self.at_home(path, context) else { continue };
            for name in super::ssh_authorized_key::names(&path) {
                let mut parameters = site.metaparameters();
                for (key, value) in [("ensure", ABSENT), ("user", self.name.as_str()), ("target", path.as_str())] {
                    parameters.insert(key.into(), value.into());
                }
                generated.push(Generated { reference: Reference::new("ssh_authorized_key", &name), parameters });
            }
        }
        Ok(generated)
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let Some(Entry { passwd, shadow }) = context.accounts.entry(&self.name) else {
            return Values::of(&self.properties, Some(ABSENT.into()), |_| Ok(ABSENT.into()));
        };
        let groups = context.accounts.groups_of(&self.name);
        for property in self.properties.iter_mut().filter(|property| property.name == "groups") {
            let mut wanted = self.groups.clone();
            if !self.is_inclusive {
                wanted.extend(groups.iter().cloned());
                wanted.sort();
                wanted.dedup();
            }
            property.should = Some(wanted.iter().map(|group| group.as_str().into()).collect());
        }
        let field = |place: usize| passwd.get(place).map(String::as_str).unwrap_or_default();
        let secret = |place: usize| shadow.get(place).map(String::as_str).unwrap_or_default();
        Values::of(&self.properties, Some("present".into()), |property| {
            Ok(match property.name {
                "uid" => number(field(2)),
                "gid" => number(field(3)),
                "comment" => field(4).into(),
                "home" => field(5).into(),
                "shell" => field(6).into(),
                "password" => secret(1).into(),
                "password_min_age" => days(secret(3)),
                "password_max_age" => days(secret(4)),
                "password_warn_days" => days(secret(5)),
                "expiry" => date(secret(7)),
                _ => Value::array(groups.iter().map(|group| group.as_str().into())),
            })
        })
    }

    fn is_insync(
        &mut self,
        property: &Property,
        current: &Value,
        _: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<bool> {
        match property.name {
            "gid" => {
                let gid = context.accounts.gid(&text_of(&property.desired()));
                Ok(gid.is_some_and(|gid| *current == Value::Integer(gid.into())))
            }
            "groups" => {
                let mut current: Vec<String> = elements(current).collect();
                current.sort_unstable();
                Ok(property.should.iter().flatten().map(text_of).eq(current))
            }
            _ => Ok(property.matches(current)),
        }
    }

    fn sync(&mut self, property: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        let outcome = match property.name {
            "ensure" if is_absent(&property.desired()) => {
                let options = self.manages_home.then(|| "-r".to_owned()).into_iter().collect();
                let named = |fault: Fault| Fault::new(format!("Could not delete user {}: {fault}", self.name));
                self.run("userdel", options).map_err(named)
            }
            "ensure" => self.create(),
            _ => self.modify(property, context),
        };
        context.accounts = Accounts::default();
        outcome
    }

    fn change(&self, property: &Property, from: &Value, context: &mut Context<'_>) -> String {
        match property.name {
            "ensure" => property::ensure_change(from, &property.desired()),
            "groups" => {
                let wanted = Value::array(property.should.iter().flatten().cloned());
                format!("groups changed {} to {}", self.shown("groups", from, context), property::shown(&wanted))
            }
            // What is to be absent is a word here like any other, unless there are days to it.
            name if is_absent(&property.desired()) && name != "expiry" => {
                format!("{name} changed {} to 'absent'", property::shown(from))
            }
            name => property::change(name, from, &property.desired(), property::shown),
        }
    }

    fn reported(&self, property: &Property) -> Value {
        match property.name {
            "groups" => self.wanted("groups").map(|groups| groups.as_str().into()).unwrap_or_default(),
            _ => property.desired(),
        }
    }

    fn shown(&self, property: &str, value: &Value, _: &mut Context<'_>) -> String {
        match property {
            "groups" if matches!(value, Value::Array(_)) => elements(value).collect::<Vec<_>>().join(","),
            _ => property::shown(value),
        }
    }
}
