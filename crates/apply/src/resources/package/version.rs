//! How the versions of packages compare: those of gems, of Python and of RPM, each in its own way; and ranges of them.

use std::cmp::Ordering;
use std::sync::LazyLock;

use fancy_regex::Regex;

/// One way of writing versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    is_version: fn(&str) -> bool,
    compare: fn(&str, &str) -> Ordering,
}

/// Versions of gems.
pub(super) const GEM: Scheme = Scheme { is_version: is_gem, compare: compare_gems };

/// Versions of Python's packages.
pub(super) const PYTHON: Scheme = Scheme { is_version: |text| python(text).is_some(), compare: compare_python };

/// Versions of RPM.
pub(super) const RPM: Scheme = Scheme { is_version: |_| true, compare: compare_rpm };

impl Scheme {
    /// How one version stands to another.
    pub(super) fn compare(&self, first: &str, second: &str) -> Ordering {
        (self.compare)(first, second)
    }

    /// The newest of some versions.
    pub(super) fn newest<'v>(&self, versions: impl IntoIterator<Item = &'v str>) -> Option<&'v str> {
        versions.into_iter().max_by(|first, second| self.compare(first, second))
    }

    /// A range of versions, or a single one; nothing if it is neither.
    pub(super) fn range(self, text: &str) -> Option<Range> {
        let mut bounds = Vec::new();
        // Compatibility: what follows the second bound is of no account.
        for word in text.split_whitespace().take(2) {
            let version = word.trim_start_matches(['<', '>', '=']);
            let operator = word.strip_suffix(version)?;
            let operator = match operator {
                "<" => Operator::Below,
                "<=" => Operator::AtMost,
                ">" => Operator::Above,
                ">=" => Operator::AtLeast,
                "" => Operator::Exactly,
                _ => return None,
            };
            if version.is_empty() || !(self.is_version)(version) {
                return None;
            }
            bounds.push((operator, version.to_owned()));
        }
        (!bounds.is_empty()).then_some(Range { scheme: self, bounds })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Below,
    AtMost,
    Above,
    AtLeast,
    Exactly,
}

/// Bounds that all have to hold.
#[derive(Debug, Clone)]
pub(super) struct Range {
    scheme: Scheme,
    bounds: Vec<(Operator, String)>,
}

impl Range {
    /// Whether it is a single version.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.bounds.as_slice(), [(Operator::Exactly, _)])
    }

    /// Whether a version is in it.
    pub(super) fn includes(&self, version: &str) -> bool {
        let holds = |(operator, bound): &(Operator, String)| {
            let order = self.scheme.compare(version, bound);
            match operator {
                Operator::Below => order.is_lt(),
                Operator::AtMost => order.is_le(),
                Operator::Above => order.is_gt(),
                Operator::AtLeast => order.is_ge(),
                Operator::Exactly => order.is_eq(),
            }
        };
        (self.scheme.is_version)(version) && self.bounds.iter().all(holds)
    }

    /// The bounds with something between them.
    pub(super) fn joined(&self, separator: &str) -> String {
        let bound = |(operator, version): &(Operator, String)| {
            let operator = match operator {
                Operator::Below => "<",
                Operator::AtMost => "<=",
                Operator::Above => ">",
                Operator::AtLeast => ">=",
                Operator::Exactly => "",
            };
            format!("{operator}{version}")
        };
        self.bounds.iter().map(bound).collect::<Vec<_>>().join(separator)
    }
}

/// Whether a text is a version of a gem.
pub(super) fn is_gem(text: &str) -> bool {
    static VERSION: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\A\s*([0-9]+(\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z").ok());
    VERSION.as_ref().is_some_and(|version| version.is_match(text).unwrap_or(false))
}

/// A piece of the version of a gem.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Word(String),
    /// A number, without zeros in front.
    Number(String),
}

impl Piece {
    fn is_zero(&self) -> bool {
        matches!(self, Piece::Number(digits) if digits.is_empty())
    }
}

fn compare_numbers(first: &str, second: &str) -> Ordering {
    first.len().cmp(&second.len()).then_with(|| first.cmp(second))
}

fn pieces(version: &str) -> Vec<Piece> {
    let version = version.trim().replace('-', ".pre.");
    let mut pieces = Vec::new();
    let mut rest = version.as_str();
    while let Some(first) = rest.chars().next() {
        let is_same = |it: char| match first.is_ascii_digit() {
            true => it.is_ascii_digit(),
            false => it.is_ascii_alphabetic(),
        };
        let end = rest.find(|it| !is_same(it)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if first.is_ascii_digit() {
            pieces.push(Piece::Number(piece.trim_start_matches('0').to_owned()));
        } else if first.is_ascii_alphabetic() {
            pieces.push(Piece::Word(piece.to_owned()));
        }
        rest = if end == 0 { rest.get(first.len_utf8()..).unwrap_or_default() } else { after };
    }
    // Zeros at the end of the numbers, and at the end of all, make no difference.
    let numbers = pieces.iter().position(|it| matches!(it, Piece::Word(_))).unwrap_or(pieces.len());
    let words = pieces.split_off(numbers);
    let trimmed = |mut pieces: Vec<Piece>| {
        while pieces.last().is_some_and(Piece::is_zero) {
            pieces.pop();
        }
        pieces
    };
    trimmed(pieces).into_iter().chain(trimmed(words)).collect()
}

fn compare_gems(first: &str, second: &str) -> Ordering {
    let (first, second) = (pieces(first), pieces(second));
    let zero = Piece::Number(String::new());
    for place in 0..first.len().max(second.len()) {
        let order = match (first.get(place).unwrap_or(&zero), second.get(place).unwrap_or(&zero)) {
            (Piece::Number(first), Piece::Number(second)) => compare_numbers(first, second),
            (Piece::Word(first), Piece::Word(second)) => first.cmp(second),
            (Piece::Word(_), Piece::Number(_)) => Ordering::Less,
            (Piece::Number(_), Piece::Word(_)) => Ordering::Greater,
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

/// Whether a gem of a version meets a requirement such as `~> 1.2, != 1.2.5`; nothing if that is none.
pub(super) fn meets(version: &str, requirement: &str) -> Option<bool> {
    let is_preliminary = |version: &str| version.chars().any(|it| it.is_ascii_alphabetic());
    let mut meets_all = true;
    let mut may_be_preliminary = false;
    for part in requirement.split(',') {
        let part = part.trim();
        let wanted = part.trim_start_matches(['=', '!', '<', '>', '~']);
        let operator = part.strip_suffix(wanted)?;
        let wanted = wanted.trim();
        if !is_gem(wanted) || wanted.is_empty() {
            return None;
        }
        may_be_preliminary |= is_preliminary(wanted);
        let order = compare_gems(version, wanted);
        meets_all &= match operator {
            "" | "=" => order.is_eq(),
            "!=" => order.is_ne(),
            ">" => order.is_gt(),
            "<" => order.is_lt(),
            ">=" => order.is_ge(),
            "<=" => order.is_le(),
            "~>" => order.is_ge() && is_below_next(version, wanted),
            _ => return None,
        };
    }
    Some(meets_all && (may_be_preliminary || !is_preliminary(version)))
}

/// Whether a version is below the next one of those that a version begins.
fn is_below_next(version: &str, wanted: &str) -> bool {
    let numbers = |version: &str| -> Vec<String> {
        let is_number = |it: &&str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
        version.split('.').take_while(is_number).map(str::to_owned).collect()
    };
    let mut bound = numbers(wanted);
    if bound.len() > 1 {
        bound.pop();
    }
    if let Some(last) = bound.last_mut() {
        *last = last.parse::<u64>().map(|it| it.saturating_add(1)).unwrap_or(u64::MAX).to_string();
    }
    compare_gems(&numbers(version).join("."), &bound.join(".")).is_lt()
}

/// What may be missing counts as the least or the most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Bound<T> {
    Least,
    Is(T),
    Most,
}

type Letter = Bound<(String, u64)>;

/// What versions of Python are ordered by.
type Python = (u64, Vec<u64>, Letter, Letter, Letter, Vec<(Bound<u64>, String)>);

/// The version of a package of Python (PEP 440).
fn python(text: &str) -> Option<Python> {
    static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^\s* v? (?:(?<epoch>[0-9]+)!)? (?<release>[0-9]+(?:\.[0-9]+)*)
            (?<pre> [-_.]? (?<pre_l>alpha|beta|preview|pre|rc|a|b|c) [-_.]? (?<pre_n>[0-9]+)? )?
            (?<post> (?:-(?<post_n1>[0-9]+)) | (?: [-_.]? (?<post_l>post|rev|r) [-_.]? (?<post_n2>[0-9]+)? ) )?
            (?<dev> [-_.]? (?<dev_l>dev) [-_.]? (?<dev_n>[0-9]+)? )?
            (?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))? \s*$",
        )
        .ok()
    });
    let found = VERSION.as_ref()?.captures(text).ok().flatten()?;
    let part = |name: &str| found.name(name).map(|it| it.as_str().to_lowercase());
    let number = |name: &str| part(name).and_then(|it| it.parse().ok()).unwrap_or(0_u64);
    let mut release: Vec<u64> = part("release")?.split('.').map(|it| it.parse().unwrap_or(u64::MAX)).collect();
    while release.last() == Some(&0) {
        release.pop();
    }
    let letter = |word: &str| {
        match word {
            "alpha" => "a",
            "beta" => "b",
            "c" | "pre" | "preview" => "rc",
            word => word,
        }
        .to_owned()
    };
    let (has_post, has_dev) = (part("post").is_some(), part("dev").is_some());
    let preliminary = match part("pre_l") {
        Some(word) => Bound::Is((letter(&word), number("pre_n"))),
        None if has_dev && !has_post => Bound::Least,
        None => Bound::Most,
    };
    let later = match has_post {
        true => Bound::Is(("post".to_owned(), number("post_n1").max(number("post_n2")))),
        false => Bound::Least,
    };
    let dev = if has_dev { Bound::Is(("dev".to_owned(), number("dev_n"))) } else { Bound::Most };
    let local = match part("local") {
        None => vec![(Bound::Least, String::new())],
        Some(local) => local
            .split(['.', '_', '-'])
            .map(|part| match part.parse() {
                Ok(number) => (Bound::Is(number), String::new()),
                Err(_) => (Bound::Least, part.to_owned()),
            })
            .collect(),
    };
    Some((number("epoch"), release, preliminary, later, dev, local))
}

fn compare_python(first: &str, second: &str) -> Ordering {
    match (python(first), python(second)) {
        (Some(first), Some(second)) => first.cmp(&second),
        _ => first.cmp(second),
    }
}

/// Kinds of machines whose names may stand behind a version of RPM.
const MACHINES: [&str; 21] = [
    "noarch",
    "i386",
    "i686",
    "ppc",
    "ppc64",
    "armv3l",
    "armv4b",
    "armv4l",
    "armv4tl",
    "armv5tel",
    "armv5tejl",
    "armv6l",
    "armv7l",
    "m68kmint",
    "s390",
    "s390x",
    "ia64",
    "x86_64",
    "sh3",
    "sh4",
    "aarch64",
];

/// The machine that a name or version names, with the dot in front.
pub(super) fn machine(text: &str) -> Option<&'static str> {
    // Compatibility: the reference does not know the last one.
    let known = MACHINES.iter().take(MACHINES.len() - 1);
    known.copied().find(|machine| text.split('.').skip(1).any(|part| part == *machine || part.starts_with(machine)))
}

/// The epoch, the version and the release of a version of RPM.
fn parts_of_rpm(text: &str) -> (Option<&str>, &str, Option<String>) {
    let (epoch, rest) = match text.split_once(':') {
        Some((epoch, rest)) => (Some(epoch).filter(|it| it.parse::<i64>().is_ok()), rest),
        None => (None, text),
    };
    match rest.split_once('-') {
        Some((version, release)) => {
            let release = match machine(release) {
                Some(machine) => release.replace(&format!(".{machine}"), ""),
                None => release.to_owned(),
            };
            (epoch, version, Some(release))
        }
        None => (epoch, rest, None),
    }
}

/// Compares versions of RPM to the detail that the first has.
pub(super) fn compare_wanted(wanted: &str, found: &str) -> Ordering {
    let (wanted, found) = (parts_of_rpm(wanted), parts_of_rpm(found));
    let epochs = match (wanted.0, found.0) {
        (None, _) => Ordering::Equal,
        (Some(_), None) => Ordering::Greater,
        (Some(wanted), Some(found)) => compare_segments(wanted, found),
    };
    let versions = epochs.then_with(|| compare_segments(wanted.1, found.1));
    versions.then_with(|| match (&wanted.2, &found.2) {
        (None, _) => Ordering::Equal,
        (Some(_), None) => Ordering::Greater,
        (Some(wanted), Some(found)) => compare_segments(wanted, found),
    })
}

fn compare_rpm(first: &str, second: &str) -> Ordering {
    let epoch = |text| parts_of_rpm(text).0.unwrap_or("0").to_owned();
    compare_segments(&epoch(first), &epoch(second)).then_with(|| compare_wanted(first, second))
}

/// Compares as RPM does: numbers and words by turns, and a tilde before everything.
fn compare_segments(first: &str, second: &str) -> Ordering {
    let (mut first, mut second) = (first, second);
    loop {
        let is_other = |it: char| !it.is_ascii_alphanumeric() && it != '~';
        first = first.trim_start_matches(is_other);
        second = second.trim_start_matches(is_other);
        match (first.strip_prefix('~'), second.strip_prefix('~')) {
            (Some(after), Some(other)) => {
                (first, second) = (after, other);
                continue;
            }
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            (None, None) => {}
        }
        if first.is_empty() || second.is_empty() {
            return first.len().cmp(&second.len());
        }
        let is_number = first.starts_with(|it: char| it.is_ascii_digit());
        let split = |text: &'_ str| {
            let is_in = |it: char| if is_number { it.is_ascii_digit() } else { it.is_ascii_alphabetic() };
            text.find(|it| !is_in(it)).unwrap_or(text.len())
        };
        let (ours, theirs) = (split(first), split(second));
        let (one, rest) = first.split_at_checked(ours).unwrap_or((first, ""));
        let (other, rest_of_other) = second.split_at_checked(theirs).unwrap_or((second, ""));
        if other.is_empty() {
            return if is_number { Ordering::Greater } else { Ordering::Less };
        }
        let order = match is_number {
            true => compare_numbers(one.trim_start_matches('0'), other.trim_start_matches('0')),
            false => one.cmp(other),
        };
        if order.is_ne() {
            return order;
        }
        (first, second) = (rest, rest_of_other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scheme: Scheme, ordered: &[&str]) {
        for pair in ordered.windows(2) {
            let [first, second] = pair else { continue };
            assert!(scheme.compare(first, second).is_lt(), "{first} < {second}");
        }
    }

    #[test]
    fn versions_compare_by_their_own_rules() {
        check(GEM, &["1.0.a", "1.0.pre1", "1.0", "1.0.1", "1.9", "1.10", "2"]);
        check(PYTHON, &["1.0.dev1", "1.0a1", "1.0b2", "1.0rc1", "1.0", "1.0+local", "1.0.post1", "1.1", "1!0.1"]);
        check(RPM, &["1.0~rc1-1", "1.0-1", "1.0-2", "1.0a-1", "1.1-1", "1.10-1", "1:0.1-1"]);
        assert!(GEM.compare("1.0.0", "1").is_eq());
        assert!(PYTHON.compare("v1.0.0", "1").is_eq());
        assert!(compare_wanted("1.0", "1.0-3.el9").is_eq());
    }

    #[test]
    fn ranges_have_bounds() {
        let includes = |scheme: Scheme, range: &str, version| scheme.range(range).map(|it| it.includes(version));
        assert_eq!(includes(GEM, ">=1.0 <2.0", "1.5"), Some(true));
        assert_eq!(includes(PYTHON, ">=1.0 <2.0", "2.0"), Some(false));
        assert_eq!(includes(RPM, "<=1.2", "1.2-3"), Some(false));
        assert_eq!(includes(PYTHON, "nonsense", "2.0"), None);
    }

    #[test]
    fn requirements_of_gems_have_operators() {
        assert_eq!(meets("1.2.9", "~> 1.2.3"), Some(true));
        assert_eq!(meets("1.3.0", "~> 1.2.3"), Some(false));
        assert_eq!(meets("1.3.0", "~> 1.2, != 1.3.0"), Some(false));
        assert_eq!(meets("2.0.pre", "> 1"), Some(false));
        assert_eq!(meets("1", "oops"), None);
    }
}
