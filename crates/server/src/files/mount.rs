//! Mounts: the first part of a path names one, the rest is looked for behind it.

use std::sync::Mutex;

use bunraku::{Environment, World};

/// The names of mounts with their directories.
type Own = Vec<(String, String)>;

/// The mounts of `fileserver.conf`, read again when it changes.
#[derive(Debug)]
pub(crate) struct Mounts {
    path: String,
    own: Mutex<Option<(bunraku::world::Stamp, Own)>>,
}

impl Mounts {
    pub(crate) fn new(path: String) -> Mounts {
        Mounts { path, own: Mutex::new(None) }
    }

    /// The files that a path may stand for, the most wanted first; nothing if there is no such mount.
    pub(crate) fn candidates(
        &self,
        world: &dyn World,
        environment: &Environment,
        mount: &str,
        rest: &str,
        client: &str,
    ) -> Option<Vec<String>> {
        let in_module = |directory: &str| {
            let (module, rest) = rest.split_once('/').map_or((rest, None), |(module, rest)| (module, Some(rest)));
            let module = environment.module(module)?;
            let rest = rest.map(|rest| format!("/{rest}"));
            Some(format!("{}/{directory}{}", module.path, rest.unwrap_or_default()))
        };
        let in_all = |directory: &str| {
            environment.modules().map(|module| joined(&format!("{}/{directory}", module.path), rest)).collect()
        };
        Some(match mount {
            "modules" => in_module("files").into_iter().collect(),
            "tasks" => in_module("tasks").into_iter().collect(),
            "scripts" => in_module("scripts").into_iter().collect(),
            "plugins" => in_all("lib"),
            "pluginfacts" => in_all("facts.d"),
            "locales" => in_all("locales"),
            own => {
                let directory = self.own(world).into_iter().find(|(name, _)| name == own)?.1;
                vec![joined(&expanded(&directory, client), rest)]
            }
        })
    }

    /// Whether a mount puts the directories of all modules together.
    pub(crate) fn is_merged(mount: &str) -> bool {
        matches!(mount, "plugins" | "pluginfacts" | "locales")
    }

    fn own(&self, world: &dyn World) -> Own {
        let Some(stamp) = world.stamp(&self.path) else { return Vec::new() };
        let mut own = self.own.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*own {
            Some((known, mounts)) if *known == stamp => mounts.clone(),
            before => {
                let before = before.as_ref().map(|(_, mounts)| mounts.clone()).unwrap_or_default();
                // A mistake keeps what was there before.
                let mounts = world.read_text(&self.path).ok().and_then(|text| parse(&text)).unwrap_or(before);
                *own = Some((stamp, mounts.clone()));
                mounts
            }
        }
    }
}

fn parse(text: &str) -> Option<Own> {
    let mut mounts = Own::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
            name.bytes().all(is_name).then_some(())?;
            mounts.push((name.to_owned(), String::new()));
            continue;
        }
        let (word, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, mounts.last_mut()) {
            ("path", Some((_, path))) => value.trim().trim_end_matches('/').clone_into(path),
            ("allow" | "deny", Some(_)) => {}
            _ => return None,
        }
    }
    mounts.retain(|(_, path)| !path.is_empty());
    Some(mounts)
}

/// The names of the client in a path: `%h` its host, `%H` all of its name, `%d` its domain.
fn expanded(path: &str, client: &str) -> String {
    let (host, domain) = client.split_once('.').unwrap_or((client, ""));
    path.replace("%h", host).replace("%H", client).replace("%d", domain).replace("%%", "%")
}

/// A slash at the end stays: only a directory may be called so.
fn joined(directory: &str, rest: &str) -> String {
    if rest.is_empty() { directory.to_owned() } else { format!("{directory}/{rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read() {
        let check = |text: &str, expected: Option<&[(&str, &str)]>| {
            let expected = expected.map(|all| all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect());
            assert_eq!(parse(text), expected, "{text}");
        };
        check("# files\n[a-b]\n  path /x/y/\n  allow *\n[empty]\n", Some(&[("a-b", "/x/y")]));
        check("path /x\n", None);
        check("[a b]\n", None);
        assert_eq!(expanded("/x/%h/%d/%H", "a.b.c"), "/x/a/b.c/a.b.c");
    }
}
