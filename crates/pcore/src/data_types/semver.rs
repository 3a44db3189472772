//! The value `SemVer`: a semantic version with the reference's rules for reading, printing and ordering.

use std::cmp::Ordering;
use std::fmt;

use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::issues;

/// A semantic version.
///
/// `==` sees the build identifiers, precedence does not; so there is [`SemVer::compare`] and no `Ord`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer {
    /// The first number; [`SemVer::MAX`] has infinity here.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// What follows `-`. A version made of separate arguments has one identifier, even with dots in it.
    pub prerelease: Option<Vec<Identifier>>,
    /// What follows `+`.
    pub build: Option<Vec<EcoString>>,
}

/// One part of a prerelease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// Digits only: compared as a number, and lower than any text.
    Number(u64),
    /// Anything else.
    Text(EcoString),
}

/// The major number of [`SemVer::MAX`]; no text is read as this number.
const INFINITY: u64 = u64::MAX;

impl SemVer {
    /// The lowest version possible: an empty prerelease comes before `0.0.0`.
    pub const MIN: SemVer = SemVer { major: 0, minor: 0, patch: 0, prerelease: Some(Vec::new()), build: None };
    /// The highest version possible.
    pub const MAX: SemVer = SemVer::stable(INFINITY, 0, 0);

    /// A version of three numbers.
    pub const fn stable(major: u64, minor: u64, patch: u64) -> SemVer {
        SemVer { major, minor, patch, prerelease: None, build: None }
    }

    /// Reads a complete version.
    pub fn parse(text: &str) -> Result<SemVer, Issue> {
        // The reference's pattern ends with `\Z`, which allows one line break.
        let line = text.strip_suffix('\n').unwrap_or(text);
        let unparsable = || issues::runtime_error(format!("Unable to parse '{text}' as a semantic version identifier"));
        let (numbers, prerelease, build) = split_qualifiers(line).ok_or_else(unparsable)?;
        let mut numbers = numbers.split('.').map(number);
        let mut next = || numbers.next().flatten().ok_or_else(unparsable);
        let (major, minor, patch) = (next()?, next()?, next()?);
        if numbers.next().is_some() {
            return Err(unparsable());
        }
        let prerelease = prerelease.map(parse_prerelease).transpose()?;
        Ok(SemVer { major, minor, patch, prerelease, build: build.map(parse_build) })
    }

    /// Whether there is no prerelease.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(Vec::is_empty)
    }

    /// The version with the next patch number.
    pub fn next_patch(&self) -> SemVer {
        SemVer::stable(self.major, self.minor, self.patch.saturating_add(1))
    }

    /// Precedence as the specification has it: build identifiers do not count.
    pub fn compare(&self, other: &SemVer) -> Ordering {
        let numbers = |version: &SemVer| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (&self.prerelease, &other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(mine), Some(yours)) => mine.cmp(yours),
        })
    }
}

impl PartialOrd for Identifier {
    fn partial_cmp(&self, other: &Identifier) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Identifier {
    fn cmp(&self, other: &Identifier) -> Ordering {
        match (self, other) {
            (Identifier::Number(a), Identifier::Number(b)) => a.cmp(b),
            (Identifier::Number(_), Identifier::Text(_)) => Ordering::Less,
            (Identifier::Text(_), Identifier::Number(_)) => Ordering::Greater,
            (Identifier::Text(a), Identifier::Text(b)) => a.cmp(b),
        }
    }
}

/// Splits `numbers-prerelease+build`; `None` when a qualifier is not made of identifiers.
pub(crate) fn split_qualifiers(text: &str) -> Option<(&str, Option<&str>, Option<&str>)> {
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (numbers, prerelease) = match rest.split_once('-') {
        Some((numbers, prerelease)) => (numbers, Some(prerelease)),
        None => (rest, None),
    };
    let identifiers = |qualifier: Option<&str>| qualifier.is_none_or(is_qualifier);
    (identifiers(prerelease) && identifiers(build)).then_some((numbers, prerelease, build))
}

/// Whether the text is identifiers separated by dots.
pub(crate) fn is_qualifier(text: &str) -> bool {
    let is_identifier =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    text.split('.').all(is_identifier)
}

/// A number without leading zeros.
pub(crate) fn number(text: &str) -> Option<u64> {
    let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    if canonical { text.parse().ok().filter(|number| *number < INFINITY) } else { None }
}

/// Reads the identifiers of a prerelease.
pub(crate) fn parse_prerelease(text: &str) -> Result<Vec<Identifier>, Issue> {
    let identifier = |part: &str| {
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Identifier::Text(part.into()));
        }
        if part.len() > 1 && part.starts_with('0') {
            return Err(issues::runtime_error("Numeric pre-release identifiers MUST NOT contain leading zeroes"));
        }
        Ok(part.parse().map_or_else(|_| Identifier::Text(part.into()), Identifier::Number))
    };
    text.split('.').map(identifier).collect()
}

/// Reads the identifiers of a build.
pub(crate) fn parse_build(text: &str) -> Vec<EcoString> {
    text.split('.').map(EcoString::from).collect()
}

impl fmt::Display for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.major == INFINITY {
            f.write_str("Infinity")?;
        } else {
            write!(f, "{}", self.major)?;
        }
        write!(f, ".{}.{}", self.minor, self.patch)?;
        if let Some(prerelease) = &self.prerelease {
            write_identifiers(f, '-', prerelease)?;
        }
        if let Some(build) = &self.build {
            write_identifiers(f, '+', build)?;
        }
        Ok(())
    }
}

fn write_identifiers(f: &mut fmt::Formatter<'_>, lead: char, identifiers: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "{lead}")?;
    for (index, identifier) in identifiers.iter().enumerate() {
        if index > 0 {
            f.write_str(".")?;
        }
        write!(f, "{identifier}")?;
    }
    Ok(())
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identifier::Number(number) => write!(f, "{number}"),
            Identifier::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept() {
        for text in ["1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3+build", "1.2.3-rc1+build.5", "1.2.3--.-", "1.0.0-0a"] {
            assert_eq!(SemVer::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn bad_text_is_refused() {
        for text in
            ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3+", "1.2.3-a..b", "v1.2.3", "1.2.3-ä", " 1.2.3"]
        {
            let message = SemVer::parse(text).unwrap_err().message().to_owned();
            assert_eq!(message, format!("Unable to parse '{text}' as a semantic version identifier"));
        }
        let message = SemVer::parse("1.2.3-a.01").unwrap_err().message().to_owned();
        assert_eq!(message, "Numeric pre-release identifiers MUST NOT contain leading zeroes");
    }

    #[test]
    fn precedence() {
        let ascending = [
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-a",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.1.0",
            "9.0.0",
            "10.0.0",
        ];
        let versions: Vec<SemVer> = ascending.iter().map(|text| SemVer::parse(text).unwrap()).collect();
        for (i, a) in versions.iter().enumerate() {
            for (j, b) in versions.iter().enumerate() {
                assert_eq!(a.compare(b), i.cmp(&j), "{a} {b}");
            }
        }
        let builds = [SemVer::parse("1.0.0+a").unwrap(), SemVer::parse("1.0.0+b").unwrap()];
        assert_eq!(builds[0].compare(&builds[1]), Ordering::Equal);
        assert_ne!(builds[0], builds[1]);
    }
}
