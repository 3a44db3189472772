//! Ranges without `||`, and how two of them become one.

use std::cmp::Ordering;
use std::fmt;

use crate::data_types::semver::SemVer;

/// One side of a simple range, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    All,
    Greater(SemVer),
    GreaterOrEqual(SemVer),
    Less(SemVer),
    LessOrEqual(SemVer),
    Exact(SemVer),
}

/// A range without `||`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Simple {
    One(Bound),
    Between(Bound, Bound),
}

/// No version is lower than the lowest.
pub(super) const NOTHING: Bound = Bound::Less(SemVer::MIN);

pub(super) fn half_open(low: SemVer, high: SemVer) -> Simple {
    Simple::Between(Bound::GreaterOrEqual(low), Bound::Less(high))
}

impl Bound {
    pub(super) fn includes(&self, version: &SemVer) -> bool {
        match self {
            Bound::All => true,
            Bound::Greater(bound) => version.compare(bound).is_gt(),
            Bound::GreaterOrEqual(bound) => version.compare(bound).is_ge(),
            Bound::Less(bound) => version.compare(bound).is_lt(),
            Bound::LessOrEqual(bound) => version.compare(bound).is_le(),
            Bound::Exact(bound) => version == bound,
        }
    }

    pub(super) fn names(&self, version: &SemVer) -> bool {
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

    pub(super) fn begin(&self) -> SemVer {
        match self {
            Bound::Greater(version) | Bound::GreaterOrEqual(version) | Bound::Exact(version) => version.clone(),
            Bound::All | Bound::Less(_) | Bound::LessOrEqual(_) => SemVer::MIN,
        }
    }

    pub(super) fn end(&self) -> SemVer {
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

    pub(super) fn includes(&self, version: &SemVer) -> bool {
        self.lower().includes(version) && self.upper().includes(version)
    }

    pub(super) fn names(&self, version: &SemVer) -> bool {
        self.lower().names(version) || self.upper().names(version)
    }

    pub(super) fn begin(&self) -> SemVer {
        self.lower().begin()
    }

    pub(super) fn end(&self) -> SemVer {
        self.upper().end()
    }

    fn excludes_begin(&self) -> bool {
        matches!(self.lower(), Bound::Greater(_))
    }

    pub(super) fn excludes_end(&self) -> bool {
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

    pub(super) fn intersection(&self, other: &Simple) -> Option<Simple> {
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
pub(super) fn merge_all(mut ranges: Vec<Simple>) -> Vec<Simple> {
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
