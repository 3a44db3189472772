//! The value `SemVerRange`: a set of versions written as npm writes it, with the reference's rules for simplifying.

mod parse;
mod simple;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

use crate::data_types::semver::SemVer;
use simple::{Bound, Simple, merge_all};

/// A set of versions: any of several simple ranges.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    ranges: Vec<Simple>,
    text: EcoString,
}

impl SemVerRange {
    /// Reads a range expression.
    pub fn parse(text: &str) -> Result<SemVerRange, Issue> {
        let joined = parse::join_operators(text);
        let alternatives = parse::split_alternatives(&joined);
        if alternatives.is_empty() {
            return Ok(SemVerRange { ranges: vec![Simple::One(Bound::All)], text: "*".into() });
        }
        let mut ranges = Vec::new();
        for alternative in alternatives {
            if let Some(range) = parse::parse_alternative(alternative, text)?
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

    /// Whether no version is in the range.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
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
