//! Patterns of file names: `File.fnmatch` and `Dir.glob`.

use bunraku_environment::World;
use bunraku_environment::world::join;

use crate::interpreter::{Outcome, Stop, Vm};

pub(super) const NO_ESCAPE: i64 = 1;
pub(super) const PATHNAME: i64 = 2;
pub(super) const DOT_MATCH: i64 = 4;
pub(super) const CASE_FOLD: i64 = 8;
pub(super) const EXT_GLOB: i64 = 16;

/// How many steps a comparison may take: stars multiply them.
const MOST_STEPS: usize = 1 << 20;
/// How many alternatives braces may make.
const MOST_ALTERNATIVES: usize = 4096;

/// Whether a name has the form of a pattern; nothing if that takes too long to find out.
pub(super) fn is_match(pattern: &str, name: &str, flags: i64) -> Option<bool> {
    let patterns = if flags & EXT_GLOB != 0 { alternatives(pattern) } else { vec![pattern.to_owned()] };
    let name: Vec<char> = name.chars().collect();
    let mut steps = 0;
    for pattern in patterns {
        let pattern: Vec<char> = pattern.chars().collect();
        if matches(&pattern, &name, flags, true, &mut steps)? {
            return Some(true);
        }
    }
    Some(false)
}

fn matches(pattern: &[char], name: &[char], flags: i64, starts: bool, steps: &mut usize) -> Option<bool> {
    *steps += 1;
    if *steps > MOST_STEPS {
        return None;
    }
    let by_parts = flags & PATHNAME != 0;
    let hides_dot = |name: &[char]| flags & DOT_MATCH == 0 && name.first() == Some(&'.');
    Some(match pattern {
        [] => name.is_empty(),
        ['*', '*', '/', rest @ ..] if by_parts && starts => {
            if matches(rest, name, flags, true, steps)? {
                return Some(true);
            }
            let Some(slash) = name.iter().position(|letter| *letter == '/') else { return Some(false) };
            if hides_dot(name) {
                return Some(false);
            }
            return matches(pattern, name.get(slash + 1..)?, flags, true, steps);
        }
        ['*', rest @ ..] => {
            if starts && hides_dot(name) {
                return Some(false);
            }
            for length in 0..=name.len() {
                if matches(rest, name.get(length..)?, flags, false, steps)? {
                    return Some(true);
                }
                if by_parts && name.get(length) == Some(&'/') {
                    break;
                }
            }
            false
        }
        ['?', rest @ ..] => match name {
            [letter, others @ ..] if !(by_parts && *letter == '/' || starts && hides_dot(name)) => {
                return matches(rest, others, flags, false, steps);
            }
            _ => false,
        },
        ['[', rest @ ..] => match (set(rest, name.first(), flags), name) {
            (Some((true, length)), [letter, others @ ..]) if !(by_parts && *letter == '/') => {
                return matches(rest.get(length..)?, others, flags, false, steps);
            }
            _ => false,
        },
        ['\\', letter, rest @ ..] if flags & NO_ESCAPE == 0 => match name {
            [first, others @ ..] if same(*letter, *first, flags) => {
                return matches(rest, others, flags, by_parts && *letter == '/', steps);
            }
            _ => false,
        },
        [letter, rest @ ..] => match name {
            [first, others @ ..] if same(*letter, *first, flags) => {
                return matches(rest, others, flags, by_parts && *letter == '/', steps);
            }
            _ => false,
        },
    })
}

fn same(a: char, b: char, flags: i64) -> bool {
    a == b || (flags & CASE_FOLD != 0 && a.to_lowercase().eq(b.to_lowercase()))
}

/// Whether a letter is one of a set, and how long the set is in the pattern.
fn set(pattern: &[char], letter: Option<&char>, flags: i64) -> Option<(bool, usize)> {
    let letter = *letter?;
    let is_negated = matches!(pattern.first(), Some('!' | '^'));
    let mut at = usize::from(is_negated);
    let mut is_in = false;
    let start = at;
    loop {
        let first = *pattern.get(at)?;
        if first == ']' && at > start {
            return Some((is_in != is_negated, at + 1));
        }
        let first = if first == '\\' && flags & NO_ESCAPE == 0 {
            at += 1;
            *pattern.get(at)?
        } else {
            first
        };
        at += 1;
        if pattern.get(at) == Some(&'-') && pattern.get(at + 1).is_some_and(|it| *it != ']') {
            let last = *pattern.get(at + 1)?;
            at += 2;
            is_in |= (first..=last).contains(&letter)
                || flags & CASE_FOLD != 0 && (first..=last).any(|it| same(it, letter, flags));
        } else {
            is_in |= same(first, letter, flags);
        }
    }
}

/// The patterns that `{a,b}` stands for.
pub(super) fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match braces(&pattern) {
            Some((before, parts, after)) if done.len() + open.len() < MOST_ALTERNATIVES => {
                open.extend(parts.iter().rev().map(|part| format!("{before}{part}{after}")));
            }
            _ => done.push(pattern),
        }
    }
    done
}

fn braces(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = pattern.find('{')?;
    let (mut depth, mut from) = (0, start + 1);
    let mut parts = Vec::new();
    for (at, letter) in pattern.char_indices().skip_while(|(at, _)| *at < start) {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(pattern.get(from..at)?);
                    return Some((pattern.get(..start)?, parts, pattern.get(at + 1..)?));
                }
            }
            ',' if depth == 1 => {
                parts.push(pattern.get(from..at)?);
                from = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The paths that a pattern stands for, sorted.
pub(super) fn glob(vm: &mut Vm, world: &dyn World, base: &str, pattern: &str, flags: i64) -> Outcome<Vec<String>> {
    let mut all = Vec::new();
    for pattern in alternatives(pattern) {
        let (start, rest) = match pattern.strip_prefix('/') {
            Some(rest) => ("/".to_owned(), rest),
            None => (String::new(), pattern.as_str()),
        };
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        let only_directories = rest.ends_with('/');
        walk(vm, world, base, &start, &parts, flags, only_directories, &mut all)?;
    }
    Ok(all)
}

#[expect(clippy::too_many_arguments, reason = "it calls itself with all of them")]
fn walk(
    vm: &mut Vm,
    world: &dyn World,
    base: &str,
    at: &str,
    parts: &[&str],
    flags: i64,
    only_directories: bool,
    all: &mut Vec<String>,
) -> Outcome<()> {
    vm.step()?;
    let full = |path: &str| join(base, path);
    let Some((part, rest)) = parts.split_first() else {
        if !at.is_empty() && world.stamp(&full(at)).is_some_and(|stamp| stamp.is_dir || !only_directories) {
            all.push(if only_directories { format!("{at}/") } else { at.to_owned() });
            vm.check_size(all.len() * 64)?;
        }
        return Ok(());
    };
    let with =
        |name: &str| if at.is_empty() || at.ends_with('/') { format!("{at}{name}") } else { format!("{at}/{name}") };
    if !part.contains(['*', '?', '[', '\\']) {
        let next = with(part);
        return walk(vm, world, base, &next, rest, flags, only_directories, all);
    }
    let directory = if at.is_empty() { base.to_owned() } else { full(at) };
    let entries = world.list(&directory).unwrap_or_default();
    if *part == "**" && !rest.is_empty() {
        walk(vm, world, base, at, rest, flags, only_directories, all)?;
        for entry in entries.iter().filter(|it| it.is_dir && !it.is_link) {
            if !entry.name.starts_with('.') || flags & DOT_MATCH != 0 {
                let next = with(&entry.name);
                vm.deeper(|vm| walk(vm, world, base, &next, parts, flags, only_directories, all))?;
            }
        }
        return Ok(());
    }
    for entry in &entries {
        let Some(is_match) = is_match(part, &entry.name, flags | PATHNAME) else {
            return Err(Box::new(Stop::Limit("a pattern of file names takes too many steps")));
        };
        if is_match && (rest.is_empty() || entry.is_dir) {
            let next = with(&entry.name);
            vm.deeper(|vm| walk(vm, world, base, &next, rest, flags, only_directories, all))?;
        }
    }
    Ok(())
}
