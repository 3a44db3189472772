//! The value `SemVerRange`: a set of versions written as npm writes it, with the reference's rules for simplifying.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

use crate::data_types::semver::{self, SemVer};
use crate::issues;

/// A set of versions: any of several simple ranges.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    ranges: Vec<Simple>,
    text: EcoString,
}

/// One side of a simple range, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Bound {
    All,
    Greater(SemVer),
    GreaterOrEqual(SemVer),
    Less(SemVer),
    LessOrEqual(SemVer),
    Exact(SemVer),
}

/// A range without `||`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Simple {
    One(Bound),
    Between(Bound, Bound),
}

impl SemVerRange {
    /// Reads a range expression.
    pub fn parse(text: &str) -> Result<SemVerRange, Issue> {
        let joined = join_operators(text);
        let alternatives = split_alternatives(&joined);
        if alternatives.is_empty() {
            return Ok(SemVerRange { ranges: vec![Simple::One(Bound::All)], text: "*".into() });
        }
        let mut ranges = Vec::new();
        for alternative in alternatives {
            if let Some(range) = parse_alternative(alternative, text)?
                && !ranges.contains(&range)
            {
                ranges.push(range);
            }
        }
        Ok(SemVerRange { ranges: merge_all(ranges), text: text.into() })
    }

    /// The range from `min` to `max`, which is left out if `exclude_max`.
    pub fn between(min: &SemVer, max: &SemVer, exclude_max: bool) -> SemVerRange {
        let upper = if exclude_max { Bound::Less(max.clone()) } else { Bound::LessOrEqual(max.clone()) };
        let range = Simple::One(Bound::GreaterOrEqual(min.clone())).intersection(&Simple::One(upper));
        // Compatibility: the reference writes the two versions in the wrong order.
        let text = if exclude_max { eco_format!(">={max} <{min}") } else { eco_format!("{max} - {min}") };
        SemVerRange { ranges: merge_all(range.into_iter().collect()), text }
    }

    /// Whether the version is in the range. A prerelease must be named by a bound with the same three numbers.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.ranges.iter().any(|range| range.includes(version) && (version.is_stable() || range.names(version)))
    }

    /// The set of versions that are in both ranges.
    pub fn intersection(&self, other: &SemVerRange) -> SemVerRange {
        let mut ranges = Vec::new();
        for range in self.ranges.iter().flat_map(|mine| other.ranges.iter().map(|theirs| mine.intersection(theirs))) {
            if let Some(range) = range
                && !ranges.contains(&range)
            {
                ranges.push(range);
            }
        }
        SemVerRange::canonical_of(merge_all(ranges))
    }

    /// Whether every version of `other` lies between the ends of this range; unknown, so `false`, for ranges with `||`.
    pub fn covers(&self, other: &SemVerRange) -> bool {
        let (Some(mine), Some(theirs)) = (self.single(), other.single()) else { return false };
        mine.begin().compare(&theirs.begin()).is_le()
            && match mine.end().compare(&theirs.end()) {
                Ordering::Greater => true,
                Ordering::Equal => mine.end() == theirs.end() && (!mine.excludes_end() || theirs.excludes_end()),
                Ordering::Less => false,
            }
    }

    /// The one range from the lower begin to the higher end, if the two overlap or are adjacent.
    pub fn merge(&self, other: &SemVerRange) -> Option<SemVerRange> {
        let (mine, theirs) = (self.single()?, other.single()?);
        if self.includes(&theirs.begin()) || other.includes(&mine.begin()) {
            let order = mine.end().compare(&theirs.end());
            let max = if order.is_lt() { theirs.end() } else { mine.end() };
            let min = if mine.begin().compare(&theirs.begin()).is_gt() { theirs.begin() } else { mine.begin() };
            let exclude = match order {
                Ordering::Greater => mine.excludes_end(),
                Ordering::Less => theirs.excludes_end(),
                Ordering::Equal => mine.excludes_end() && theirs.excludes_end(),
            };
            Some(SemVerRange::between(&min, &max, exclude))
        } else if mine.excludes_end() && mine.end() == theirs.begin() {
            Some(SemVerRange::between(&mine.begin(), &theirs.end(), theirs.excludes_end()))
        } else if theirs.excludes_end() && theirs.end() == mine.begin() {
            Some(SemVerRange::between(&theirs.begin(), &mine.end(), mine.excludes_end()))
        } else {
            None
        }
    }

    /// The range written from what it means, not as it was given.
    pub fn canonical(&self) -> String {
        let parts: Vec<String> = self.ranges.iter().map(ToString::to_string).collect();
        parts.join(" || ")
    }

    fn canonical_of(ranges: Vec<Simple>) -> SemVerRange {
        let mut range = SemVerRange { ranges, text: EcoString::new() };
        range.text = range.canonical().into();
        range
    }

    fn single(&self) -> Option<&Simple> {
        match self.ranges.as_slice() {
            [range] => Some(range),
            _ => None,
        }
    }
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &SemVerRange) -> bool {
        self.ranges == other.ranges
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ranges.hash(state);
    }
}

impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

// Reading.

const OPERATORS: [char; 5] = ['>', '<', '=', '~', '^'];

/// Whitespace as Ruby's `\s` has it.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// Removes the space, or a `v`, that follows an operator.
fn join_operators(text: &str) -> String {
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
fn split_alternatives(text: &str) -> Vec<&str> {
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
fn parse_alternative(text: &str, whole: &str) -> Result<Option<Simple>, Issue> {
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
            (None, ..) => Ok(Simple::One(Bound::All)),
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
            (None, ..) => Bound::All,
            (Some(major), None, _) => Bound::Less(SemVer::stable(major.saturating_add(1), 0, 0)),
            (Some(major), Some(minor), None) => Bound::Less(SemVer::stable(major, minor.saturating_add(1), 0)),
            (Some(major), Some(minor), Some(patch)) => Bound::LessOrEqual(self.version(major, minor, patch)?),
        }))
    }
}

// Algebra.

/// No version is lower than the lowest.
const NOTHING: Bound = Bound::Less(SemVer::MIN);

fn half_open(low: SemVer, high: SemVer) -> Simple {
    Simple::Between(Bound::GreaterOrEqual(low), Bound::Less(high))
}

impl Bound {
    fn includes(&self, version: &SemVer) -> bool {
        match self {
            Bound::All => true,
            Bound::Greater(bound) => version.compare(bound).is_gt(),
            Bound::GreaterOrEqual(bound) => version.compare(bound).is_ge(),
            Bound::Less(bound) => version.compare(bound).is_lt(),
            Bound::LessOrEqual(bound) => version.compare(bound).is_le(),
            Bound::Exact(bound) => version == bound,
        }
    }

    fn names(&self, version: &SemVer) -> bool {
        match self {
            Bound::All => true,
            Bound::Greater(bound)
            | Bound::GreaterOrEqual(bound)
            | Bound::Less(bound)
            | Bound::LessOrEqual(bound)
            | Bound::Exact(bound) => {
                !bound.is_stable()
                    && (bound.major, bound.minor, bound.patch) == (version.major, version.minor, version.patch)
            }
        }
    }

    fn begin(&self) -> SemVer {
        match self {
            Bound::Greater(version) | Bound::GreaterOrEqual(version) | Bound::Exact(version) => version.clone(),
            Bound::All | Bound::Less(_) | Bound::LessOrEqual(_) => SemVer::MIN,
        }
    }

    fn end(&self) -> SemVer {
        match self {
            Bound::Less(version) | Bound::LessOrEqual(version) | Bound::Exact(version) => version.clone(),
            Bound::All | Bound::Greater(_) | Bound::GreaterOrEqual(_) => SemVer::MAX,
        }
    }
}

impl Simple {
    fn lower(&self) -> &Bound {
        match self {
            Simple::One(bound) | Simple::Between(bound, _) => bound,
        }
    }

    fn upper(&self) -> &Bound {
        match self {
            Simple::One(bound) | Simple::Between(_, bound) => bound,
        }
    }

    fn includes(&self, version: &SemVer) -> bool {
        self.lower().includes(version) && self.upper().includes(version)
    }

    fn names(&self, version: &SemVer) -> bool {
        self.lower().names(version) || self.upper().names(version)
    }

    fn begin(&self) -> SemVer {
        self.lower().begin()
    }

    fn end(&self) -> SemVer {
        self.upper().end()
    }

    fn excludes_begin(&self) -> bool {
        matches!(self.lower(), Bound::Greater(_))
    }

    fn excludes_end(&self) -> bool {
        matches!(self.upper(), Bound::Less(_))
    }

    fn has_lower_bound(&self) -> bool {
        match self.lower() {
            Bound::Greater(_) => true,
            Bound::GreaterOrEqual(version) | Bound::Exact(version) => *version != SemVer::MIN,
            Bound::All | Bound::Less(_) | Bound::LessOrEqual(_) => false,
        }
    }

    fn has_upper_bound(&self) -> bool {
        match self.upper() {
            Bound::Less(_) => true,
            Bound::LessOrEqual(version) | Bound::Exact(version) => *version != SemVer::MAX,
            Bound::All | Bound::Greater(_) | Bound::GreaterOrEqual(_) => false,
        }
    }

    fn intersection(&self, other: &Simple) -> Option<Simple> {
        if matches!(self, Simple::One(Bound::All)) {
            return Some(other.clone());
        }
        let exact = |version: SemVer| Some(Simple::One(Bound::Exact(version)));
        match self.begin().compare(&other.end()) {
            Ordering::Greater => return None,
            Ordering::Equal if self.excludes_begin() || other.excludes_end() => return None,
            Ordering::Equal => return exact(self.begin()),
            Ordering::Less => {}
        }
        match other.begin().compare(&self.end()) {
            Ordering::Greater => return None,
            Ordering::Equal if other.excludes_begin() || self.excludes_end() => return None,
            Ordering::Equal => return exact(other.begin()),
            Ordering::Less => {}
        }
        let low = match self.begin().compare(&other.begin()) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal if self.excludes_begin() => self,
            Ordering::Equal => other,
        };
        let high = match self.end().compare(&other.end()) {
            Ordering::Greater => other,
            Ordering::Less => self,
            Ordering::Equal if self.excludes_end() => self,
            Ordering::Equal => other,
        };
        Some(if !high.has_upper_bound() {
            low.clone()
        } else if !low.has_lower_bound() {
            high.clone()
        } else {
            Simple::Between(low.lower().clone(), high.upper().clone())
        })
    }

    /// The union, if it is one range.
    fn merge(&self, other: &Simple) -> Option<Simple> {
        if matches!(self, Simple::One(Bound::All)) {
            return Some(Simple::One(Bound::All));
        }
        if self.includes(&other.begin()) || other.includes(&self.begin()) {
            let low = match self.begin().compare(&other.begin()) {
                Ordering::Less => self,
                Ordering::Greater => other,
                Ordering::Equal if self.excludes_begin() => other,
                Ordering::Equal => self,
            };
            let high = match self.end().compare(&other.end()) {
                Ordering::Greater => self,
                Ordering::Less => other,
                Ordering::Equal if self.excludes_end() => other,
                Ordering::Equal => self,
            };
            low.up_to(high)
        } else if self.touches(other) {
            self.up_to(other)
        } else if other.touches(self) {
            other.up_to(self)
        } else {
            None
        }
    }

    /// Whether `next` begins where this range ends.
    fn touches(&self, next: &Simple) -> bool {
        !next.excludes_begin()
            && if self.excludes_end() { self.end() == next.begin() } else { self.end().next_patch() == next.begin() }
    }

    fn up_to(&self, other: &Simple) -> Option<Simple> {
        let low = self.begin();
        let low = if self.excludes_begin() { Bound::Greater(low) } else { Bound::GreaterOrEqual(low) };
        let high = other.end();
        let high = if other.excludes_end() { Bound::Less(high) } else { Bound::LessOrEqual(high) };
        Simple::One(low).intersection(&Simple::One(high))
    }
}

/// Merges ranges until no two of them touch; no range at all means that nothing matches.
fn merge_all(mut ranges: Vec<Simple>) -> Vec<Simple> {
    let mut merged = true;
    while ranges.len() > 1 && merged {
        merged = false;
        let mut result = Vec::new();
        while let Some(mut last) = ranges.pop() {
            let mut apart = Vec::new();
            for range in ranges {
                match last.merge(&range) {
                    Some(union) => {
                        merged = true;
                        last = union;
                    }
                    None => apart.push(range),
                }
            }
            result.push(last);
            ranges = apart;
        }
        result.reverse();
        ranges = result;
    }
    if ranges.is_empty() { vec![Simple::One(NOTHING)] } else { ranges }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::All => f.write_str("*"),
            Bound::Greater(version) => write!(f, ">{version}"),
            Bound::GreaterOrEqual(version) => write!(f, ">={version}"),
            Bound::Less(_) if *self == NOTHING => f.write_str("<0.0.0"),
            Bound::Less(version) => write!(f, "<{version}"),
            Bound::LessOrEqual(version) => write!(f, "<={version}"),
            Bound::Exact(version) => write!(f, "{version}"),
        }
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Simple::One(bound) => write!(f, "{bound}"),
            Simple::Between(low, high) => write!(f, "{low} {high}"),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn canonical_text() {
        for (text, expected) in [
            ("", "*"),
            (" ", "<0.0.0"),
            ("*", "*"),
            ("1.x", ">=1.0.0 <2.0.0"),
            ("~1.2.3", ">=1.2.3 <1.3.0"),
            ("^1.2.3", ">=1.2.3 <2.0.0"),
            ("^0.2.3", ">=0.2.3 <0.3.0"),
            ("~1", ">=1.0.0 <2.0.0"),
            ("^1.2", ">=1.2.0 <2.0.0"),
            (">1.2 <3", ">=1.3.0 <3.0.0"),
            (">=1.0.0 <2.0.0 || >=1.5.0 <3.0.0", ">=1.0.0 <3.0.0"),
            ("1.0.0 - 2.0.0", ">=1.0.0 <=2.0.0"),
            ("1.x || 2.x", ">=1.0.0 <3.0.0"),
            ("1.x || 3.x", ">=1.0.0 <2.0.0 || >=3.0.0 <4.0.0"),
            ("<1.0.0 || >=1.0.0", "<=Infinity.0.0"),
            ("1.0.0 || 1.0.1", ">=1.0.0 <=1.0.1"),
            ("1.2.3-a - 1.2.4", ">=1.2.3-a <=1.2.4"),
            (">1.0.0 <1.0.0", "<0.0.0"),
            (">v1.0", ">=1.1.0"),
            ("~ > 1.0", ">=1.0.0 <1.1.0"),
            ("1.0.0 ", "1.0.0"),
            ("1.0.0 || ", "1.0.0"),
            ("|| 1.0.0", "1.0.0"),
            (">x", "<0.0.0"),
            ("<=1", "<2.0.0"),
            ("<=1.2", "<1.3.0"),
            ("<1", "<1.0.0"),
            ("=1.0.0", "1.0.0"),
            ("1 2", "<0.0.0"),
            ("1.0.0 1.0.0", "1.0.0"),
            (">=1.0.0 >=2.0.0", ">=2.0.0"),
            ("<=2.0.0 <=1.0.0", "<=1.0.0"),
            ("~1.2.3-b", ">=1.2.3-b <1.3.0"),
            ("^1.2.3-b", ">=1.2.3-b <2.0.0"),
            ("^1.2.3+b", ">=1.2.3 <2.0.0"),
        ] {
            assert_eq!(SemVerRange::parse(text).unwrap().canonical(), expected, "{text:?}");
        }
    }

    #[test]
    fn bad_text_is_refused() {
        for text in ["> v1.0", " 1.0.0", "== 1", "1-2", "1.2.3 -1", "1.2.3- 1", "a", "1.2.3.4", ">=", "1.0.0 - 2.0.0 "]
        {
            let message = SemVerRange::parse(text).unwrap_err().message().to_owned();
            assert_eq!(message, format!("Unparsable version range: \"{text}\""));
        }
    }

    #[test]
    fn prereleases_are_included_when_named() {
        let check = |range: &str, version: &str, expected: bool| {
            let included = SemVerRange::parse(range).unwrap().includes(&SemVer::parse(version).unwrap());
            assert_eq!(included, expected, "{range} {version}");
        };
        check(">=1.0.0", "1.5.0", true);
        check(">=1.0.0", "1.5.0-rc", false);
        check(">=1.5.0-a", "1.5.0-rc", true);
        check(">=1.5.0-a", "1.6.0-rc", false);
        check("*", "1.6.0-rc", true);
    }

    #[test]
    fn between_two_versions() {
        let (one, two) = (SemVer::stable(1, 0, 0), SemVer::stable(2, 0, 0));
        assert_eq!(SemVerRange::between(&one, &two, false).to_string(), "2.0.0 - 1.0.0");
        assert_eq!(SemVerRange::between(&one, &two, true).to_string(), ">=2.0.0 <1.0.0");
        assert_eq!(SemVerRange::between(&SemVer::MIN, &SemVer::MAX, false).canonical(), "<=Infinity.0.0");
    }
}
