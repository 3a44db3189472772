//! The users and groups of the machine: names to numbers and back.

use rustc_hash::FxHashMap;

use crate::execution::Execution;

/// A user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct User {
    /// The name.
    pub(crate) name: String,
    /// The number.
    pub(crate) uid: u32,
    /// The number of the primary group.
    pub(crate) gid: u32,
}

/// What the files have of a user: the fields of `/etc/passwd` and of `/etc/shadow`.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The fields that everybody may read.
    pub(crate) passwd: Vec<String>,
    /// The others; none if they may not be read.
    pub(crate) shadow: Vec<String>,
}

/// A group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// The name.
    pub(crate) name: String,
    /// The number.
    pub(crate) gid: u32,
}

/// The users and groups of the machine. Files are read once, until something changes them; whom they do not have is asked
/// of the system, which may know more.
#[derive(Debug, Default)]
pub(crate) struct Accounts {
    users: Option<Vec<User>>,
    groups: Option<Vec<Group>>,
    asked: FxHashMap<(&'static str, String), Option<String>>,
}

impl Accounts {
    /// All users of the files.
    pub(crate) fn users(&mut self) -> &[User] {
        self.users.get_or_insert_with(|| read("/etc/passwd").lines().filter_map(user).collect())
    }

    /// All groups of the files.
    pub(crate) fn groups(&mut self) -> &[Group] {
        self.groups.get_or_insert_with(|| read("/etc/group").lines().filter_map(group).collect())
    }

    /// The user of a name.
    pub(crate) fn user(&mut self, name: &str) -> Option<User> {
        let found = self.users().iter().find(|user| user.name == name).cloned();
        found.or_else(|| user(&self.ask("passwd", name)?).filter(|user| user.name == name))
    }

    /// The group of a name.
    pub(crate) fn group(&mut self, name: &str) -> Option<Group> {
        let found = self.groups().iter().find(|group| group.name == name).cloned();
        found.or_else(|| group(&self.ask("group", name)?).filter(|group| group.name == name))
    }

    /// What the files have of a user.
    pub(crate) fn entry(&mut self, name: &str) -> Option<Entry> {
        let fields = |text: &str| -> Option<Vec<String>> {
            let is_own = |line: &&str| line.split(':').next() == Some(name);
            Some(text.lines().find(is_own)?.split(':').map(str::to_owned).collect())
        };
        let passwd = fields(&read("/etc/passwd")).or_else(|| fields(&self.ask("passwd", name)?))?;
        Some(Entry { passwd, shadow: fields(&read("/etc/shadow")).unwrap_or_default() })
    }

    /// The groups that have a user as a member.
    pub(crate) fn groups_of(&self, name: &str) -> Vec<String> {
        let text = read("/etc/group");
        let is_member = |line: &&str| {
            line.rsplit_once(':').is_some_and(|(_, members)| members.split(',').any(|member| member == name))
        };
        let groups = text.lines().filter(is_member).filter_map(|line| line.split(':').next());
        groups.map(str::to_owned).collect()
    }

    /// The number of a user, by name or as digits.
    pub(crate) fn uid(&mut self, name: &str) -> Option<u32> {
        name.parse().ok().or_else(|| self.user(name).map(|user| user.uid))
    }

    /// The number of a group, by name or as digits.
    pub(crate) fn gid(&mut self, name: &str) -> Option<u32> {
        name.parse().ok().or_else(|| self.group(name).map(|group| group.gid))
    }

    /// The name of a user.
    pub(crate) fn user_name(&mut self, uid: u32) -> Option<String> {
        let found = self.users().iter().find(|user| user.uid == uid).map(|user| user.name.clone());
        found.or_else(|| user(&self.ask("passwd", &uid.to_string())?).map(|user| user.name))
    }

    /// The name of a group.
    pub(crate) fn group_name(&mut self, gid: u32) -> Option<String> {
        let found = self.groups().iter().find(|group| group.gid == gid).map(|group| group.name.clone());
        found.or_else(|| group(&self.ask("group", &gid.to_string())?).map(|group| group.name))
    }

    /// Asks the system, whose answer may come from elsewhere than from files.
    fn ask(&mut self, database: &'static str, key: &str) -> Option<String> {
        let answer = self.asked.entry((database, key.to_owned())).or_insert_with(|| {
            // Where only files are asked, they have been.
            if !has_other_sources() {
                return None;
            }
            let output = Execution::new(&["getent", database, key]).run().ok()?;
            (output.code == Some(0)).then_some(output.text)
        });
        answer.clone()
    }
}

/// Whether users may come from elsewhere than from files.
fn has_other_sources() -> bool {
    let configuration = read("/etc/nsswitch.conf");
    let databases = configuration.lines().filter(|line| line.starts_with("passwd:") || line.starts_with("group:"));
    databases.flat_map(|line| line.split_whitespace().skip(1)).any(|source| !matches!(source, "files" | "compat"))
}

fn read(path: &str) -> String {
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn user(line: &str) -> Option<User> {
    let mut fields = line.trim_end().split(':');
    let name = fields.next().filter(|name| !name.is_empty())?.to_owned();
    let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(User { name, uid, gid })
}

fn group(line: &str) -> Option<Group> {
    let mut fields = line.trim_end().split(':');
    let name = fields.next().filter(|name| !name.is_empty())?.to_owned();
    let gid = fields.nth(1)?.parse().ok()?;
    Some(Group { name, gid })
}
