//! Files by pattern, by the rules of Ruby's `Dir.glob`: `*`, `?`, `[a-z]`, `{a,b}` and `**/`.

use super::{World, join};

/// Alternatives one pattern may expand to, and files it may give: patterns come from configuration.
const LIMIT: usize = 10_000;

/// Whether the path is a pattern rather than a plain path.
pub fn has_wildcard(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The files and directories matching a pattern, in sorted order for each alternative of its braces.
pub fn glob(world: &dyn World, pattern: &str) -> Vec<String> {
    let mut found = Vec::new();
    for alternative in expand_braces(pattern) {
        let (start, rest) = match alternative.strip_prefix('/') {
            Some(rest) => ("/", rest),
            None => ("", alternative.as_str()),
        };
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        walk(world, start, &parts, &mut found);
    }
    found
}

fn walk(world: &dyn World, directory: &str, parts: &[&str], found: &mut Vec<String>) {
    let Some((part, rest)) = parts.split_first() else {
        found.push(directory.to_owned());
        return;
    };
    if found.len() >= LIMIT {
        return;
    }
    if *part == "**" && !rest.is_empty() {
        return walk_deep(world, directory, rest, found);
    }
    if !has_wildcard(part) {
        let path = join(directory, part);
        if world.stamp(&path).is_some() {
            walk(world, &path, rest, found);
        }
        return;
    }
    let listed = if directory.is_empty() { "." } else { directory };
    for entry in world.list(listed).unwrap_or_default() {
        if (rest.is_empty() || entry.is_dir) && matches(part, &entry.name) {
            walk(world, &join(directory, &entry.name), rest, found);
        }
    }
}

/// `**/` stands for any number of directories, none included; hidden ones and links, which may lead back, are not entered.
fn walk_deep(world: &dyn World, directory: &str, rest: &[&str], found: &mut Vec<String>) {
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        if found.len() >= LIMIT {
            return;
        }
        walk(world, &directory, rest, found);
        let listed = if directory.is_empty() { "." } else { &directory };
        let entries = world.list(listed).unwrap_or_default();
        let inner = entries.iter().filter(|entry| entry.is_dir && !entry.is_link && !entry.name.starts_with('.'));
        directories.extend(inner.rev().map(|entry| join(&directory, &entry.name)));
    }
}

/// Whether a name matches one segment of a pattern.
fn matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    matches_chars(&pattern, &name)
}

/// Matches greedily and returns to the last `*` on failure, so the cost is at most quadratic.
fn matches_chars(pattern: &[char], name: &[char]) -> bool {
    let (mut rest, mut text) = (pattern, name);
    let mut star: Option<(&[char], &[char])> = None;
    loop {
        let advanced = match (rest.split_first(), text.split_first()) {
            (Some(('*', after)), _) => {
                star = Some((after, text));
                rest = after;
                continue;
            }
            (None, None) => return true,
            (Some(_), Some((found, text_after))) => matches_one(rest, *found).map(|after| (after, text_after)),
            _ => None,
        };
        match (advanced, star) {
            (Some(next), _) => (rest, text) = next,
            (None, Some((after, from))) => {
                let Some((_, later)) = from.split_first() else {
                    return false;
                };
                star = Some((after, later));
                (rest, text) = (after, later);
            }
            (None, None) => return false,
        }
    }
}

/// Matches one character; gives what is left of the pattern.
fn matches_one(pattern: &[char], found: char) -> Option<&[char]> {
    match pattern.split_first()? {
        ('?', rest) => Some(rest),
        ('[', rest) => {
            let (is_negated, set) = match rest.split_first()? {
                ('!' | '^', after) => (true, after),
                _ => (false, rest),
            };
            let end = set.iter().position(|&it| it == ']')?;
            let (set, after) = set.split_at(end);
            (is_in_set(set, found) != is_negated).then_some(after.get(1..)?)
        }
        ('\\', rest) => {
            let (escaped, after) = rest.split_first()?;
            (*escaped == found).then_some(after)
        }
        (plain, rest) => (*plain == found).then_some(rest),
    }
}

fn is_in_set(mut set: &[char], found: char) -> bool {
    while let Some((&first, rest)) = set.split_first() {
        if let ['-', last, after @ ..] = rest {
            if (first..=*last).contains(&found) {
                return true;
            }
            set = after;
        } else if first == found {
            return true;
        } else {
            set = rest;
        }
    }
    false
}

/// Replaces `{a,b}` by its alternatives, innermost first.
fn expand_braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut pending = vec![pattern.to_owned()];
    while let Some(pattern) = pending.pop() {
        let inner = pattern.split_once('}').and_then(|(before, after)| {
            let (before, alternatives) = before.rsplit_once('{')?;
            Some((before, alternatives, after))
        });
        match inner {
            Some((before, alternatives, after)) if pending.len() < LIMIT => {
                let expanded = alternatives.rsplit(',').map(|alternative| format!("{before}{alternative}{after}"));
                pending.extend(expanded);
            }
            _ => done.push(pattern),
        }
        if done.len() >= LIMIT {
            break;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    #[test]
    fn names_match_patterns() {
        let check = |pattern, name, expected| {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        };
        check("*.pp", "a.pp", true);
        check("*.pp", ".a.pp", false);
        check("a*b*c", "aXbYbc", true);
        check("a?c", "abc", true);
        check("[a-c]x", "bx", true);
        check("[!a-c]x", "bx", false);
        check("[", "[", false);
        check("a", "ab", false);
    }

    #[test]
    fn files_are_found() {
        let world = Memory::from([("m/a.pp", ""), ("m/b/c.pp", ""), ("m/b/d/e.pp", ""), ("n/x.yaml", "")]);
        let check = |pattern, expected: &[&str]| assert_eq!(glob(&world, pattern), expected, "{pattern}");
        check("/m/**/*.pp", &["/m/a.pp", "/m/b/c.pp", "/m/b/d/e.pp"]);
        check("/{n,m}/*.{pp,yaml}", &["/n/x.yaml", "/m/a.pp"]);
        check("/m/*", &["/m/a.pp", "/m/b"]);
        check("/nowhere/*", &[]);
    }
}
