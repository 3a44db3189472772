//! `.editorconfig`: how far to indent, as editors do in the same directory.

use std::path::Path;

/// How often braces in a pattern may double it.
const MOST_PATTERNS: usize = 64;

/// The `indent_size` that holds for a file: of the nearest `.editorconfig` that has one for it.
pub(super) fn indent_size(path: &Path) -> Option<u32> {
    let path = std::path::absolute(path).ok()?;
    for directory in path.ancestors().skip(1) {
        let Ok(text) = std::fs::read_to_string(directory.join(".editorconfig")) else { continue };
        let inside = path.strip_prefix(directory).ok()?.to_string_lossy();
        let (found, is_root) = read(&text, &inside);
        if found.is_some() || is_root {
            return found;
        }
    }
    None
}

/// The size that a file has for a path from its directory on, and whether those above it count no more.
fn read(text: &str, path: &str) -> (Option<u32>, bool) {
    let (mut is_root, mut is_meant, mut found) = (false, None, None);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(pattern) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_meant = Some(is_like(pattern, path));
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        match (key.trim().to_ascii_lowercase().as_str(), is_meant) {
            ("root", None) => is_root = value.trim().eq_ignore_ascii_case("true"),
            ("indent_size", Some(true)) => found = value.trim().parse().ok().filter(|size| (1..=16).contains(size)),
            _ => {}
        }
    }
    (found, is_root)
}

/// Whether a path is like a pattern. One without a slash is about the name of the file.
fn is_like(pattern: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let subject = if pattern.contains('/') { path } else { name };
    let subject: Vec<char> = subject.chars().collect();
    alternatives(pattern.trim_start_matches('/')).iter().any(|pattern| {
        let pattern: Vec<char> = pattern.chars().collect();
        matches(&pattern, &subject)
    })
}

/// A pattern for each choice that its braces offer.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(pattern) = open.pop().filter(|_| open.len() + done.len() < MOST_PATTERNS) {
        // The innermost braces, which have no others in them.
        let braces = pattern.find('}').and_then(|close| Some((pattern.get(..close)?.rfind('{')?, close)));
        let Some((start, close)) = braces else {
            done.push(pattern);
            continue;
        };
        let part = |range: std::ops::Range<usize>| pattern.get(range).unwrap_or_default();
        let (before, after) = (part(0..start), part(close + 1..pattern.len()));
        open.extend(part(start + 1..close).split(',').map(|choice| format!("{before}{choice}{after}")));
    }
    done
}

/// Matches in time that grows with the product of both lengths: `*` is anything but a slash, `**` anything, `?` a character.
fn matches(pattern: &[char], subject: &[char]) -> bool {
    // Which beginnings of the subject the pattern so far is like.
    let mut reached = vec![false; subject.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    let mut rest = pattern;
    while let Some((&letter, after)) = rest.split_first() {
        rest = after;
        let is_double = letter == '*' && rest.first() == Some(&'*');
        if is_double {
            rest = rest.get(1..).unwrap_or_default();
        }
        let mut next = vec![false; reached.len()];
        let mut before = false;
        for (place, (slot, was)) in next.iter_mut().zip(&reached).enumerate() {
            let last = place.checked_sub(1).and_then(|it| subject.get(it));
            *slot = match letter {
                '*' => *was || before && (is_double || last != Some(&'/')),
                _ => false,
            };
            before = *slot;
        }
        if letter != '*' {
            for ((slot, was), found) in next.iter_mut().skip(1).zip(&reached).zip(subject) {
                *slot = *was && (letter == *found || letter == '?' && *found != '/');
            }
        }
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_found_by_their_patterns() {
        let text = "root = true\n[*]\nindent_size = 8\n[*.{pp,epp}]\nindent_size = 4\n[spec/**.pp]\nINDENT_SIZE=3\n";
        assert_eq!(read(text, "manifests/init.pp"), (Some(4), true));
        assert_eq!(read(text, "spec/a/b.pp"), (Some(3), true));
        assert_eq!(read(text, "a.rb"), (Some(8), true));
        assert_eq!(read("[*.pp]\nindent_size = tab\n", "a.pp"), (None, false));
        assert!(is_like("a?c*.pp", "abcd.pp") && !is_like("/*.pp", "x/a.pp") && is_like("{a,{b,c}}.pp", "c.pp"));
        assert!(!is_like(&"{a,b}".repeat(80), "a"));
    }
}
