//! How npm writes a range: comparators, `~`, `^`, wildcards, `a - b` and `||`.

use bunraku_syntax::Issue;

use super::simple::{Bound, NOTHING, Simple, half_open};
use crate::data_types::semver::{self, SemVer};
use crate::issues;

const OPERATORS: [char; 5] = ['>', '<', '=', '~', '^'];

/// Whitespace as Ruby's `\s` has it.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// Removes the space, or a `v`, that follows an operator.
pub(super) fn join_operators(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPERATORS) {
        let (head, tail) = rest.split_at(at);
        joined.push_str(head);
        let mut tail_characters = tail.chars();
        joined.extend(tail_characters.next());
        let tail = tail_characters.as_str();
        let trimmed = tail.trim_start_matches(is_space);
        rest = if trimmed.len() < tail.len() { trimmed } else { tail.strip_prefix('v').unwrap_or(tail) };
    }
    joined.push_str(rest);
    joined
}

/// The parts between `||`; as in Ruby, empty parts at the end do not count.
pub(super) fn split_alternatives(text: &str) -> Vec<&str> {
    let count = text.split("||").count();
    let mut parts: Vec<&str> = text
        .split("||")
        .enumerate()
        .map(|(index, part)| {
            let part = if index > 0 { part.trim_start_matches(is_space) } else { part };
            if index + 1 < count { part.trim_end_matches(is_space) } else { part }
        })
        .collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}

/// Reads `a - b` or a list of comparators, all of which must hold; `None` when nothing can fulfil them.
pub(super) fn parse_alternative(text: &str, whole: &str) -> Result<Option<Simple>, Issue> {
    let words: Vec<&str> = split_words(text);
    if let [low, "-", high] = words.as_slice()
        && let (Some(low), Some(high)) = (Partial::parse(low), Partial::parse(high))
        && !text.ends_with(is_space)
    {
        let low = Simple::One(Bound::GreaterOrEqual(low.lowest()?));
        return Ok(low.intersection(&Simple::One(Bound::LessOrEqual(high.lowest()?))));
    }
    let mut combined: Option<Simple> = None;
    for (index, word) in words.into_iter().enumerate() {
        let range = parse_comparator(word, whole)?;
        combined = match combined {
            None if index == 0 => Some(range),
            None => return Ok(None),
            Some(combined) => combined.intersection(&range),
        };
    }
    Ok(combined)
}

/// Ruby's `split(/\s+/)`: a leading space gives an empty first word.
fn split_words(text: &str) -> Vec<&str> {
    let body = text.trim_start_matches(is_space);
    let mut words: Vec<&str> = body.split(is_space).filter(|word| !word.is_empty()).collect();
    if body.len() < text.len() && !words.is_empty() {
        words.insert(0, "");
    }
    words
}

fn parse_comparator(word: &str, whole: &str) -> Result<Simple, Issue> {
    let unparsable = || issues::runtime_error(format!("Unparsable version range: \"{whole}\""));
    let operand = word.trim_start_matches(OPERATORS);
    let operator = word.strip_suffix(operand).unwrap_or_default();
    let partial = Partial::parse(operand).ok_or_else(unparsable)?;
    match operator {
        "~" | "~>" | "~=" => partial.tilde(),
        "^" => partial.caret(),
        ">" => partial.greater(),
        ">=" => Ok(Simple::One(Bound::GreaterOrEqual(partial.lowest()?))),
        "<" => Ok(Simple::One(Bound::Less(partial.lowest()?))),
        "<=" => partial.less_or_equal(),
        "=" | "" => partial.wildcard(),
        _ => Err(unparsable()),
    }
}

/// A version of which numbers may be missing or `x`.
struct Partial<'t> {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<&'t str>,
    build: Option<&'t str>,
}

impl<'t> Partial<'t> {
    fn parse(text: &'t str) -> Option<Partial<'t>> {
        let (numbers, prerelease, build) = semver::split_qualifiers(text)?;
        let part = |part: &str| match part {
            "x" | "X" | "*" => Some(None),
            digits => semver::number(digits).map(Some),
        };
        let parts: Vec<Option<u64>> = numbers.split('.').map(part).collect::<Option<_>>()?;
        let (major, minor, patch) = match *parts.as_slice() {
            [major] => (major, None, None),
            [major, minor] => (major, minor, None),
            [major, minor, patch] => (major, minor, patch),
            _ => return None,
        };
        let complete = parts.len() == 3 || (prerelease.is_none() && build.is_none());
        complete.then_some(Partial { major, minor, patch, prerelease, build })
    }

    fn version(&self, major: u64, minor: u64, patch: u64) -> Result<SemVer, Issue> {
        let prerelease = self.prerelease.map(semver::parse_prerelease).transpose()?;
        Ok(SemVer { major, minor, patch, prerelease, build: self.build.map(semver::parse_build) })
    }

    fn lowest(&self) -> Result<SemVer, Issue> {
        self.version(self.major.unwrap_or(0), self.minor.unwrap_or(0), self.patch.unwrap_or(0))
    }

    fn tilde(&self) -> Result<Simple, Issue> {
        let (Some(major), Some(minor), Some(patch)) = (self.major, self.minor, self.patch) else {
            return self.wildcard();
        };
        Ok(half_open(self.version(major, minor, patch)?, SemVer::stable(major, minor.saturating_add(1), 0)))
    }

    fn caret(&self) -> Result<Simple, Issue> {
        match (self.major, self.minor, self.patch) {
            (None, ..) => Err(no_major()),
            (Some(0), ..) => self.tilde(),
            (Some(major), minor, patch) => {
                let next = SemVer::stable(major.saturating_add(1), 0, 0);
                let low = match (minor, patch) {
                    (Some(minor), Some(patch)) if self.prerelease.is_some() => self.version(major, minor, patch)?,
                    (Some(minor), patch) => SemVer::stable(major, minor, patch.unwrap_or(0)),
                    (None, _) => SemVer::stable(major, 0, 0),
                };
                Ok(half_open(low, next))
            }
        }
    }

    fn wildcard(&self) -> Result<Simple, Issue> {
        Ok(match (self.major, self.minor, self.patch) {
            (None, ..) => Simple::One(Bound::All),
            (Some(major), None, _) => {
                half_open(SemVer::stable(major, 0, 0), SemVer::stable(major.saturating_add(1), 0, 0))
            }
            (Some(major), Some(minor), None) => {
                half_open(SemVer::stable(major, minor, 0), SemVer::stable(major, minor.saturating_add(1), 0))
            }
            (Some(major), Some(minor), Some(patch)) => Simple::One(Bound::Exact(self.version(major, minor, patch)?)),
        })
    }

    fn greater(&self) -> Result<Simple, Issue> {
        Ok(Simple::One(match (self.major, self.minor, self.patch) {
            (None, ..) => NOTHING,
            (Some(major), None, _) => Bound::GreaterOrEqual(SemVer::stable(major.saturating_add(1), 0, 0)),
            (Some(major), Some(minor), None) => {
                Bound::GreaterOrEqual(SemVer::stable(major, minor.saturating_add(1), 0))
            }
            (Some(major), Some(minor), Some(patch)) => Bound::Greater(self.version(major, minor, patch)?),
        }))
    }

    fn less_or_equal(&self) -> Result<Simple, Issue> {
        Ok(Simple::One(match (self.major, self.minor, self.patch) {
            (None, ..) => return Err(no_major()),
            (Some(major), None, _) => Bound::Less(SemVer::stable(major.saturating_add(1), 0, 0)),
            (Some(major), Some(minor), None) => Bound::Less(SemVer::stable(major, minor.saturating_add(1), 0)),
            (Some(major), Some(minor), Some(patch)) => Bound::LessOrEqual(self.version(major, minor, patch)?),
        }))
    }
}

/// Compatibility: the reference fails where `^x` and `<=x` mean every version.
fn no_major() -> Issue {
    issues::runtime_error("undefined method `SINGLETON' for SemanticPuppet::VersionRange::AllRange:Class")
}
