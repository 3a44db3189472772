//! The files below a directory, as far as they are wanted: level by level, without those whose names match a pattern.

use std::fs;
use std::path::Path;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::log::Level;

/// Above how many files a directory is said to be large.
const MANY: usize = 1000;

/// Links that lead back up would go on for ever.
const DEEPEST: usize = 256;

/// Which files are wanted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fileset {
    /// How many levels below the directory; nothing for all.
    pub(crate) limit: Option<usize>,
    /// Patterns of names that are left out, with what is below them.
    pub(crate) ignore: Vec<String>,
    /// How many files there may be; 0 for any number with a warning, less for any number.
    pub(crate) most: i64,
    /// Whether links to directories are followed.
    pub(crate) follows_links: bool,
}

impl Fileset {
    /// The paths below a directory, relative to it; nothing if it is not there.
    pub(crate) fn below(&self, root: &Path, context: &mut Context<'_>) -> Outcome<Option<Vec<String>>> {
        if self.look(root).is_none() {
            return Ok(None);
        }
        let mut found: Vec<String> = Vec::new();
        let mut level = vec![String::new()];
        let mut depth = 0;
        while !level.is_empty() && depth < self.limit.unwrap_or(DEEPEST) {
            let mut next = Vec::new();
            for relative in level {
                let directory = if relative.is_empty() { root.to_owned() } else { root.join(&relative) };
                if !self.look(&directory).is_some_and(|it| it.is_dir()) {
                    continue;
                }
                for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    if !self.ignore.iter().any(|pattern| is_match(pattern, &name, false)) {
                        next.push(if relative.is_empty() { name } else { format!("{relative}/{name}") });
                    }
                }
            }
            found.extend(next.iter().cloned());
            level = next;
            depth += 1;
        }
        self.check(root, found.len(), context)?;
        Ok(Some(found))
    }

    fn look(&self, path: &Path) -> Option<fs::Metadata> {
        if self.follows_links { fs::metadata(path) } else { fs::symlink_metadata(path) }.ok()
    }

    fn check(&self, root: &Path, count: usize, context: &mut Context<'_>) -> Outcome {
        let root = root.display();
        if usize::try_from(self.most).is_ok_and(|most| most > 0 && count > most) {
            return Err(Fault::new(format!(
                "The directory '{root}' contains {count} entries, which exceeds the limit of {} specified by the max_files \
                 parameter for this resource. The limit may be increased, but be aware that large number of file resources \
                 can result in excessive resource consumption and degraded performance. Consider using an alternate method \
                 to manage large directory trees",
                self.most
            )));
        }
        if self.most == 0 && count > MANY {
            let message = format!(
                "The directory '{root}' contains {count} entries, which exceeds the default soft limit {MANY} and may cause \
                 excessive resource consumption and degraded performance. To remove this warning set a value for \
                 `max_files` parameter or consider using an alternate method to manage large directory trees"
            );
            context.log.say(Level::Warning, message);
        }
        Ok(())
    }
}

/// Ruby's `File.fnmatch`: without `dots`, a dot at the start is matched by a dot only.
pub(crate) fn is_match(pattern: &str, name: &str, dots: bool) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    if !dots && name.first() == Some(&'.') && matches!(pattern.first(), Some('*' | '?' | '[')) {
        return false;
    }
    let (mut at, mut place) = (0, 0);
    // Where the last star stands, and up to where it reaches: it takes one letter more whenever the rest does not match.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let rest = pattern.get(at..).unwrap_or_default();
        match (rest, name.get(place)) {
            ([], None) => return true,
            (['*', ..], _) => {
                star = Some((at, place));
                at += 1;
                continue;
            }
            (rest, Some(letter)) => {
                if let Some(length) = matches_one(rest, *letter) {
                    at += length;
                    place += 1;
                    continue;
                }
            }
            _ => {}
        }
        let Some((start, reach)) = star.filter(|(_, reach)| *reach < name.len()) else { return false };
        star = Some((start, reach + 1));
        (at, place) = (start + 1, reach + 1);
    }
}

/// How much of a pattern one letter matches, if it does.
fn matches_one(pattern: &[char], letter: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['\\', wanted, ..] => (*wanted == letter).then_some(2),
        ['[', class @ ..] => match class.iter().skip(1).position(|it| *it == ']') {
            Some(end) => is_in(class.get(..=end).unwrap_or_default(), letter).then_some(end + 3),
            None => (letter == '[').then_some(1),
        },
        [wanted, ..] => (*wanted == letter).then_some(1),
        [] => None,
    }
}

fn is_in(class: &[char], letter: char) -> bool {
    let (is_negated, mut rest) = match class {
        ['!' | '^', rest @ ..] => (true, rest),
        class => (false, class),
    };
    let mut is_found = false;
    while let Some((first, after)) = rest.split_first() {
        rest = match after {
            ['-', last, after @ ..] => {
                is_found |= (*first..=*last).contains(&letter);
                after
            }
            after => {
                is_found |= *first == letter;
                after
            }
        };
    }
    is_found != is_negated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        let check = |pattern, name, expected| assert_eq!(is_match(pattern, name, false), expected, "{pattern} {name}");
        check(".git", ".git", true);
        check("*.bak", "old.bak", true);
        check("*.bak", ".bak", false);
        check("*", ".git", false);
        check("?a", "ba", true);
        check("[a-c]x", "bx", true);
        check("[!a-c]x", "bx", false);
        check("a[", "a[", true);
        check("\\*", "*", true);
        check("\\*", "x", false);
        check("a*b*c", "axxbyybc", true);
        check("a*b*c", "axxbyyb", false);
        check("", "", true);
        assert!(is_match("*", ".git", true));
    }
}
