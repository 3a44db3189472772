//! The value `Timestamp`: a moment in nanoseconds since 1970, in UTC, and its arithmetic, where plain numbers are seconds.

mod calendar;
mod strftime;
mod strptime;
mod zone;

use std::cmp::Ordering;
use std::fmt;

use bunraku_syntax::Issue;

use crate::data_types::timespan::{Timespan, divide_as_floats, nanoseconds_of, out_of_range};
use crate::issues;
use crate::number::Number;
use calendar::SECOND;

/// The formats that are tried in turn when none is given; the first is how a timestamp is printed.
const DEFAULT_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];
/// How many of the default formats end with a time zone.
const WITH_ZONE: usize = 5;

/// A moment. Ordered and equal by its nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    nanoseconds: i128,
}

/// How text is read as a timestamp.
#[derive(Clone, Copy, Debug)]
pub enum Formats<'f> {
    /// The formats of the language, tried in turn.
    Default,
    /// One format, which the message about a mismatch names.
    One(&'f str),
    /// Several formats, tried in turn.
    Any(&'f [&'f str]),
}

impl Timestamp {
    /// The moment so many nanoseconds after the start of 1970.
    pub const fn from_nanoseconds(nanoseconds: i128) -> Timestamp {
        Timestamp { nanoseconds }
    }

    /// The moment so many seconds after the start of 1970.
    pub fn from_seconds(seconds: Number) -> Result<Timestamp, Issue> {
        nanoseconds_of(seconds).map(Timestamp::from_nanoseconds)
    }

    /// Reads text. A time zone may be given, or be part of the text, but not both.
    pub fn parse(text: &str, formats: Formats<'_>, timezone: Option<&str>) -> Result<Timestamp, Issue> {
        let timezone = timezone.filter(|timezone| !timezone.is_empty());
        let parsed = match formats {
            Formats::One(format) => strptime::parse_one(text, format, timezone.is_some())?,
            Formats::Any(formats) => strptime::parse_any(text, formats, timezone.is_some())?,
            Formats::Default => {
                let skipped = if timezone.is_some() { WITH_ZONE } else { 0 };
                let formats = DEFAULT_FORMATS.get(skipped..).unwrap_or_default();
                strptime::parse_any(text, formats, timezone.is_some())?
            }
        };
        let offset = match timezone.or(parsed.zone) {
            Some(zone) => zone::utc_offset(zone)?,
            None => 0,
        };
        let nanoseconds = parsed.nanoseconds()? - i128::from(offset) * SECOND;
        Ok(Timestamp { nanoseconds })
    }

    /// The text of the moment in a format of Ruby's `strftime`, in UTC or in the given time zone.
    pub fn format(self, format: &str, timezone: Option<&str>) -> Result<String, Issue> {
        let offset = match timezone.filter(|timezone| !timezone.is_empty()) {
            Some(timezone) => Some(zone::clock_offset(timezone)?),
            None => None,
        };
        strftime::strftime(self.nanoseconds, offset, format)
    }

    /// All of it in nanoseconds.
    pub const fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// All of it in seconds, with the fraction.
    pub fn to_f64(self) -> f64 {
        divide_as_floats(self.nanoseconds, SECOND)
    }

    /// All of it in seconds, without the fraction.
    pub fn to_integer(self) -> i128 {
        self.nanoseconds.div_euclid(SECOND)
    }

    /// How it compares with a number of seconds; an integer is compared without the fraction.
    pub fn compare_seconds(self, seconds: Number) -> Option<Ordering> {
        Timespan::from_nanoseconds(self.nanoseconds).compare_seconds(seconds)
    }

    /// The moment a time span later.
    pub fn add(self, timespan: Timespan) -> Result<Timestamp, Issue> {
        within_range(self.nanoseconds.checked_add(timespan.nanoseconds()))
    }

    /// The moment a time span earlier.
    pub fn subtract(self, timespan: Timespan) -> Result<Timestamp, Issue> {
        within_range(self.nanoseconds.checked_sub(timespan.nanoseconds()))
    }

    /// The time from another moment to this one.
    pub fn since(self, other: Timestamp) -> Result<Timespan, Issue> {
        let nanoseconds = self.nanoseconds.checked_sub(other.nanoseconds).ok_or_else(out_of_range)?;
        Ok(Timespan::from_nanoseconds(nanoseconds))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = DEFAULT_FORMATS.first().copied().unwrap_or_default();
        f.write_str(&strftime::strftime(self.nanoseconds, None, format).unwrap_or_default())
    }
}

fn within_range(nanoseconds: Option<i128>) -> Result<Timestamp, Issue> {
    nanoseconds.map(Timestamp::from_nanoseconds).ok_or_else(out_of_range)
}

/// Text that no format fits.
fn unparsable(text: &str, formats: &[&str]) -> Issue {
    let formats = formats.join(", ");
    issues::runtime_error(format!("Unable to parse '{text}' using any of the formats {formats}"))
}
