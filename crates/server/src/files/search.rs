//! Directories as agents copy them: level by level, with what is to be left out.

use std::collections::HashSet;
use std::io;

use super::{Checksums, Links, Metadata, Wanted};

/// More files in one directory than this are refused, whatever the client allows.
const MOST: usize = 1_000_000;

/// What is looked for below a root.
#[derive(Debug)]
pub(crate) struct Search<'s> {
    pub(crate) recurses: bool,
    /// How many levels below the root.
    pub(crate) limit: Option<usize>,
    pub(crate) ignore: Vec<&'s str>,
    /// How many files there may be.
    pub(crate) most: Option<usize>,
    pub(crate) wanted: Wanted,
}

/// What is below several roots, put together: a path that an earlier one has is not told again.
pub(crate) fn search(roots: &[String], search: &Search<'_>, checksums: &Checksums) -> io::Result<Vec<Metadata>> {
    let mut found = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for root in roots {
        let before = found.len();
        let mut level = vec![".".to_owned()];
        let mut depth = 0;
        while !level.is_empty() {
            let mut next = Vec::new();
            for relative in level {
                let full = if relative == "." { root.clone() } else { format!("{root}/{relative}") };
                let is_directory = match search.wanted.links {
                    Links::Follow => std::fs::metadata(&full).is_ok_and(|it| it.is_dir()),
                    Links::Manage => std::fs::symlink_metadata(&full).is_ok_and(|it| it.is_dir()),
                };
                if is_directory && search.recurses && search.limit.is_none_or(|limit| depth < limit) {
                    next.extend(children(&full, &relative, &search.ignore)?);
                }
                if !known.insert(relative.clone()) {
                    continue;
                }
                match Metadata::read(root, Some(&relative), search.wanted, checksums) {
                    Ok(metadata) => found.push(metadata),
                    // What vanishes meanwhile, or is a link to nowhere, is not there.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
                if found.len() > MOST {
                    return Err(too_many(root, found.len(), MOST));
                }
            }
            level = next;
            depth += 1;
            // Links that lead back up would go on for ever.
            if depth > 256 {
                break;
            }
        }
        // The root itself does not count.
        let count = found.len().saturating_sub(before).saturating_sub(1);
        if let Some(most) = search.most.filter(|most| count > *most) {
            return Err(too_many(root, count, most));
        }
    }
    Ok(found)
}

fn too_many(root: &str, count: usize, most: usize) -> io::Error {
    io::Error::other(format!(
        "The directory '{root}' contains {count} entries, which exceeds the limit of {most} specified by the max_files \
         parameter for this resource. The limit may be increased, but be aware that large number of file resources can \
         result in excessive resource consumption and degraded performance. Consider using an alternate method to manage \
         large directory trees"
    ))
}

fn children(full: &str, relative: &str, ignore: &[&str]) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(full)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str() else { continue };
        if !ignore.iter().any(|pattern| is_match(pattern.as_bytes(), name.as_bytes())) {
            names.push(if relative == "." { name.to_owned() } else { format!("{relative}/{name}") });
        }
    }
    names.sort();
    Ok(names)
}

/// Ruby's `File.fnmatch`: a dot at the start is matched by a dot only. Of several stars only the last one is tried again, so
/// the time is bounded by the product of the lengths.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    let (mut rest, mut left) = (pattern, name);
    // Behind the last star: the pattern, and what of the name has not been tried yet.
    let mut star: Option<(&[u8], &[u8])> = None;
    loop {
        let is_start = left.len() == name.len();
        if let [b'*', after @ ..] = rest
            && !(is_start && name.first() == Some(&b'.'))
        {
            star = Some((after, left));
            rest = after;
        } else if rest.is_empty() && left.is_empty() {
            return true;
        } else if let Some((after, letters)) = step(rest, left, is_start) {
            (rest, left) = (after, letters);
        } else {
            let Some((after, [_, letters @ ..])) = star else { return false };
            star = Some((after, letters));
            (rest, left) = (after, letters);
        }
    }
}

/// One element of a pattern, other than a star, against one letter; what is left of both.
fn step<'s>(pattern: &'s [u8], name: &'s [u8], is_start: bool) -> Option<(&'s [u8], &'s [u8])> {
    let (first, rest) = pattern.split_first()?;
    let (letter, letters) = name.split_first()?;
    let fits = |fits: bool, rest: &'s [u8]| fits.then_some((rest, letters));
    match first {
        b'*' => None,
        b'?' => fits(!(is_start && *letter == b'.'), rest),
        b'[' => match rest.iter().skip(1).position(|it| *it == b']') {
            Some(end) => {
                let (class, after) = rest.split_at_checked(end + 1)?;
                fits(is_in(class, *letter), after.get(1..).unwrap_or_default())
            }
            None => fits(*letter == b'[', rest),
        },
        b'\\' if !rest.is_empty() => fits(rest.first() == Some(letter), rest.get(1..).unwrap_or_default()),
        wanted => fits(wanted == letter, rest),
    }
}

fn is_in(class: &[u8], letter: u8) -> bool {
    let (is_negated, class) = match class.split_first() {
        Some((b'!' | b'^', rest)) => (true, rest),
        _ => (false, class),
    };
    let mut rest = class;
    let mut is_found = false;
    while let Some((first, after)) = rest.split_first() {
        match after {
            [b'-', last, after @ ..] => {
                is_found |= (*first..=*last).contains(&letter);
                rest = after;
            }
            after => {
                is_found |= *first == letter;
                rest = after;
            }
        }
    }
    is_found != is_negated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        let check = |pattern: &str, name: &str, expected: bool| {
            assert_eq!(is_match(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        };
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
        check("*a*b", "xaxxb", true);
        check("*a*b", "xaxxbc", false);
        check(&"*a".repeat(40), &"a".repeat(200), true);
        check(&format!("{}b", "*a".repeat(40)), &"a".repeat(200), false);
    }
}
