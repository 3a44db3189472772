//! Files by pattern, by the rules of Ruby's `Dir.glob`: `*`, `?`, `[a-z]`, `{a,b}` and `**/`.

use bunraku_syntax::Issue;

use super::{Entry, World, entries, join};
use crate::issues;

/// Alternatives one pattern may expand to, and files it may give: patterns come from configuration.
const LIMIT: usize = 10_000;

/// Whether the path is a pattern rather than a plain path.
pub fn has_wildcard(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The files and directories matching a pattern, in sorted order for each alternative of its braces. A directory that
/// cannot be read is an error.
pub fn glob(world: &dyn World, pattern: &str) -> Result<Vec<String>, Issue> {
    Walk { world, pattern, list: entries, found: Vec::new() }.all()
}

/// The same without what cannot be read, as `Dir.glob` gives it.
pub fn glob_readable(world: &dyn World, pattern: &str) -> Result<Vec<String>, Issue> {
    let list = |world: &dyn World, directory: &str| Ok(world.list(directory).unwrap_or_default());
    Walk { world, pattern, list, found: Vec::new() }.all()
}

struct Walk<'w> {
    world: &'w dyn World,
    pattern: &'w str,
    list: fn(&dyn World, &str) -> Result<Vec<Entry>, Issue>,
    found: Vec<String>,
}

impl Walk<'_> {
    fn all(mut self) -> Result<Vec<String>, Issue> {
        for alternative in expand_braces(self.pattern)? {
            let (start, rest) = match alternative.strip_prefix('/') {
                Some(rest) => ("/", rest),
                None => ("", alternative.as_str()),
            };
            let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
            self.enter(start, &parts)?;
        }
        Ok(self.found)
    }

    fn enter(&mut self, directory: &str, parts: &[&str]) -> Result<(), Issue> {
        let Some((part, rest)) = parts.split_first() else {
            if self.found.len() >= LIMIT {
                return Err(issues::too_many_matches(self.pattern, LIMIT));
            }
            self.found.push(directory.to_owned());
            return Ok(());
        };
        if *part == "**" && !rest.is_empty() {
            return self.enter_all(directory, rest);
        }
        if !has_wildcard(part) {
            let path = join(directory, part);
            return match self.world.stamp(&path) {
                Some(_) => self.enter(&path, rest),
                None => Ok(()),
            };
        }
        for entry in self.list(directory)? {
            if (rest.is_empty() || entry.is_dir) && matches(part, &entry.name) {
                self.enter(&join(directory, &entry.name), rest)?;
            }
        }
        Ok(())
    }

    /// `**/` stands for any number of directories, none included; hidden ones and links, which may lead back, are not
    /// entered.
    fn enter_all(&mut self, directory: &str, rest: &[&str]) -> Result<(), Issue> {
        let mut directories = vec![directory.to_owned()];
        while let Some(directory) = directories.pop() {
            self.enter(&directory, rest)?;
            let entries = self.list(&directory)?;
            let inner = entries.iter().filter(|entry| entry.is_dir && !entry.is_link && !entry.name.starts_with('.'));
            directories.extend(inner.rev().map(|entry| join(&directory, &entry.name)));
        }
        Ok(())
    }

    fn list(&self, directory: &str) -> Result<Vec<Entry>, Issue> {
        (self.list)(self.world, if directory.is_empty() { "." } else { directory })
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
fn expand_braces(pattern: &str) -> Result<Vec<String>, Issue> {
    let mut done = Vec::new();
    let mut pending = vec![pattern.to_owned()];
    while let Some(next) = pending.pop() {
        let inner = next.split_once('}').and_then(|(before, after)| {
            let (before, alternatives) = before.rsplit_once('{')?;
            Some((before, alternatives, after))
        });
        match inner {
            Some((before, alternatives, after)) => {
                let expanded = alternatives.rsplit(',').map(|alternative| format!("{before}{alternative}{after}"));
                pending.extend(expanded);
            }
            None => done.push(next),
        }
        if done.len().saturating_add(pending.len()) > LIMIT {
            return Err(issues::too_many_matches(pattern, LIMIT));
        }
    }
    Ok(done)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
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
        let check = |pattern, expected: &[&str]| assert_eq!(glob(&world, pattern).unwrap(), expected, "{pattern}");
        check("/m/**/*.pp", &["/m/a.pp", "/m/b/c.pp", "/m/b/d/e.pp"]);
        check("/{n,m}/*.{pp,yaml}", &["/n/x.yaml", "/m/a.pp"]);
        check("/m/*", &["/m/a.pp", "/m/b"]);
        check("/nowhere/*", &[]);
        let many = "{a,b}".repeat(14);
        let message = glob(&world, &many).unwrap_err().message().to_owned();
        assert_eq!(message, format!("The pattern {many} stands for more than 10000 paths"));
    }
}
