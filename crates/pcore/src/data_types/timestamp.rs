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
pub use zone::Timezone;

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
    pub fn parse(text: &str, formats: Formats<'_>, timezone: Option<Timezone<'_>>) -> Result<Timestamp, Issue> {
        let parsed = match formats {
            Formats::One(format) => strptime::parse_one(text, format, timezone.is_some())?,
            Formats::Any(formats) => strptime::parse_any(text, formats, timezone.is_some())?,
            Formats::Default => {
                let skipped = if timezone.is_some() { WITH_ZONE } else { 0 };
                let formats = DEFAULT_FORMATS.get(skipped..).unwrap_or_default();
                strptime::parse_any(text, formats, timezone.is_some())?
            }
        };
        let offset = match timezone.or(parsed.zone.map(Timezone::Named)) {
            Some(zone) => zone.utc_offset()?,
            None => 0,
        };
        let nanoseconds = parsed.nanoseconds()? - i128::from(offset) * SECOND;
        Ok(Timestamp { nanoseconds })
    }

    /// The text of the moment in a format of Ruby's `strftime`, in UTC or in the given time zone.
    pub fn format(self, format: &str, timezone: Option<Timezone<'_>>) -> Result<String, Issue> {
        let offset = timezone.map(Timezone::clock_offset).transpose()?;
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
    pub fn plus(self, timespan: Timespan) -> Result<Timestamp, Issue> {
        within_range(self.nanoseconds.checked_add(timespan.nanoseconds()))
    }

    /// The moment a time span earlier.
    pub fn minus(self, timespan: Timespan) -> Result<Timestamp, Issue> {
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn text_is_rubys() {
        for (nanoseconds, timezone, format, expected) in [
            (-62135596800000000000, None, "%R", "00:00"),
            (1470287167089012345, None, "%k", " 5"),
            (951782400000000000, Some("-05:30"), "%N", "000000000"),
            (-62135596800000000000, None, "%I", "12"),
            (951782400000000000, None, "%J", "%J"),
            (1000000000000000000000, Some("-05:30"), "%n", "\n"),
            (951782400000000000, Some("+12:45"), "%w", "2"),
            (1230508800123456789, Some("+00:30"), "%x", "12/29/08"),
            (1230508800123456789, Some("-00:30"), "%U", "52"),
            (-62135596800000000000, Some("-00:30"), "%z", "-0030"),
            (253402300799999999999, Some("+12:45"), "%C", "100"),
            (253402300799999999999, Some("+12:45"), "%d", "01"),
            (-62135596800000000000, Some("+00:30"), "%e", " 1"),
            (1230508800123456789, None, "%G", "2009"),
            (253402300799999999999, Some("+02:00"), "%Y", "10000"),
            (951782400000000000, Some("+00:30"), "%g", "00"),
            (1230508800123456789, Some("-05:30"), "%y", "08"),
            (1470287167089012345, Some("+00:30"), "%H", "05"),
            (-1, None, "%k", "23"),
            (951782400000000000, Some("+00:30"), "%I", "12"),
            (-1, Some("+12:45"), "%l", "12"),
            (-62135596800000000000, Some("-00:30"), "%j", "366"),
            (-1, Some("+00:30"), "%M", "29"),
            (-62135596800000000000, Some("+02:00"), "%m", "01"),
            (0, Some("-00:30"), "%S", "00"),
            (0, Some("+00:30"), "%s", "0"),
            (1230508800123456789, Some("+12:45"), "%U", "52"),
            (951782400000000000, Some("-00:30"), "%W", "09"),
            (1470287167089012345, Some("+02:00"), "%V", "31"),
            (-62135596800000000000, Some("+02:00"), "%u", "1"),
            (1470287167089012345, Some("+02:00"), "%w", "4"),
            (0, Some("+12:45"), "%L", "000"),
            (-1, Some("+02:00"), "%N", "999999999"),
            (1230508800123456789, None, "%A", "Monday"),
            (1000000000000000000000, Some("+02:00"), "%a", "Fri"),
            (951782400000000000, Some("-05:30"), "%B", "February"),
            (-1, Some("+12:45"), "%b", "Jan"),
            (-1, None, "%h", "Dec"),
            (1470287167089012345, Some("-00:30"), "%p", "AM"),
            (253402300799999999999, None, "%P", "pm"),
            (1470287167089012345, None, "%Z", "UTC"),
            (951782400000000000, Some("+00:30"), "%z", "+0030"),
            (1470287167089012345, Some("-05:30"), "%n", "\n"),
            (-62135596800000000000, Some("-00:30"), "%t", "\t"),
            (253402300799999999999, None, "%%", "%"),
            (951782400000000000, None, "%c", "Tue Feb 29 00:00:00 2000"),
            (-1, None, "%D", "12/31/69"),
            (253402300799999999999, Some("-00:30"), "%x", "12/31/99"),
            (253402300799999999999, Some("+00:30"), "%F", "10000-01-01"),
            (951782400000000000, Some("+12:45"), "%r", "12:45:00 PM"),
            (-99999999999000000001, Some("+00:30"), "%R", "14:43"),
            (0, Some("+00:30"), "%T", "00:30:00"),
            (-1, Some("-05:30"), "%X", "18:29:59"),
            (-99999999999000000001, Some("+12:45"), "%v", "16-FEB--1199"),
            (253402300799999999999, None, "%+", "%+"),
            (951782400000000000, Some("+02:00"), "%E", "%E"),
            (951782400000000000, None, "%O", "%O"),
            (951782400000000000, Some("-00:30"), "%Q", "%Q"),
            (1000000000000000000000, Some("+02:00"), "%i", "%i"),
            (-99999999999000000001, None, "%q", "%q"),
            (253402300799999999999, Some("+12:45"), "%J", "%J"),
            (951782400000000000, Some("+00:30"), "%:", "%:"),
            (951782400000000000, Some("+12:45"), "a%", "invalid format: a%"),
            (253402300799999999999, Some("-05:30"), "%5", "invalid format: %5"),
            (-99999999999000000001, None, "%-", "invalid format: %-"),
            (951782400000000000, Some("+12:45"), "%é", "%é"),
            (-62135596800000000000, Some("-00:30"), "%#^01W", "52"),
            (1000000000000000000000, Some("+02:00"), "%:2H", "%:2H"),
            (951782400000000000, Some("-00:30"), "%::12p", "%::12p"),
            (-99999999999000000001, None, "%^_10w", "         4"),
            (-1, Some("-05:30"), "%-^12X", "    18:29:59"),
            (-1, None, "%_03j", "365"),
            (1000000000000000000000, Some("+02:00"), "%0-0S", "40"),
            (1000000000000000000000, None, "%O5l", "%O5l"),
            (-62135596800000000000, Some("+00:30"), "%_05r", "12:30:00 AM"),
            (1230508800123456789, None, "%-_0Z", "UTC"),
            (-62135596800000000000, Some("+12:45"), "%::10D", "%::10D"),
            (1230508800123456789, None, "%^2n", " \n"),
            (-62135596800000000000, Some("+02:00"), "%_010j", "0000000001"),
            (0, None, "%:::3d", "%:::3d"),
            (-99999999999000000001, None, "%^A", "THURSDAY"),
            (-1, None, "%-^5u", "3"),
            (1000000000000000000000, Some("-00:30"), "%#2H", "01"),
            (1000000000000000000000, Some("-00:30"), "%^10Z", ""),
            (1470287167089012345, Some("+00:30"), "%E5t", "%E5t"),
            (951782400000000000, Some("-05:30"), "%001n", "\n"),
            (1000000000000000000000, Some("+02:00"), "%-_2V", "39"),
            (253402300799999999999, Some("+00:30"), "%-3g", "99"),
            (951782400000000000, None, "%E1x", "%E1x"),
            (0, Some("+12:45"), "%0_1a", "Thu"),
            (253402300799999999999, Some("-00:30"), "%^_0v", "31-DEC-9999"),
            (951782400000000000, Some("+12:45"), "%0-01k", "12"),
            (253402300799999999999, Some("+12:45"), "%:::5y", "%:::5y"),
            (-99999999999000000001, Some("+02:00"), "%:10P", "%:10P"),
            (-62135596800000000000, None, "%:::1N", "%:::1N"),
            (1000000000000000000000, Some("+02:00"), "%03i", "%03i"),
            (253402300799999999999, Some("+02:00"), "%10S", "0000000059"),
            (-1, Some("+12:45"), "%_010Z", ""),
            (951782400000000000, Some("+12:45"), "%-03l", "12"),
            (253402300799999999999, Some("+12:45"), "%E0Q", "%E0Q"),
            (-99999999999000000001, Some("+00:30"), "%3q", "%3q"),
            (1000000000000000000000, Some("+00:30"), "%^#1Z", ""),
            (0, Some("-00:30"), "%-0x", "12/31/69"),
            (1230508800123456789, Some("-05:30"), "%0_010k", "0000000018"),
            (951782400000000000, None, "%::12r", "%::12r"),
            (1230508800123456789, Some("+02:00"), "%_001h", "Dec"),
            (-1, Some("-05:30"), "%-01B", "December"),
            (0, None, "%E5R", "%E5R"),
            (951782400000000000, Some("+02:00"), "%O10j", "%O10j"),
            (253402300799999999999, None, "%02+", "%02+"),
            (1000000000000000000000, None, "%_5s", "1000000000000"),
        ] {
            let text = Timestamp::from_nanoseconds(nanoseconds).format(format, timezone.map(Timezone::Named));
            let text = text.unwrap_or_else(|issue| issue.message().to_owned());
            assert_eq!(text, expected, "{nanoseconds} {timezone:?} {format}");
        }
    }

    #[test]
    fn text_is_read_as_ruby_reads_it() {
        for (text, format, expected) in [
            ("2016-08-24", "%F", "1471996800000000000"),
            ("2016-08-24T12:13:14.5", "%FT%T.%N", "1472040794500000000"),
            ("24-Jul-2016", "%v", "1469318400000000000"),
            ("24 July 2016", "%d %B %Y", "1469318400000000000"),
            ("12:30 PM 2020", "%I:%M %p %Y", "1577881800000000000"),
            ("12:30 a.m. 2020", "%I:%M %p %Y", "1577838600000000000"),
            ("12:30 amx 2020", "%I:%M %p %Y", "Unable to parse '12:30 amx 2020' using format '%I:%M %p %Y'"),
            ("20160824", "%Y%m%d", "1471996800000000000"),
            ("20160824 1", "%Y%m%d %k", "1472000400000000000"),
            ("16", "%y", "1451606400000000000"),
            ("69", "%y", "-31536000000000000"),
            ("68", "%y", "3092601600000000000"),
            ("1916", "%C%y", "-1704153600000000000"),
            ("2016 34", "%Y %U", "1451606400000000000"),
            ("Mon 2016", "%a %Y", "1451606400000000000"),
            ("monday 2016", "%A %Y", "1451606400000000000"),
            ("2016-01-01 EST", "%F %Z", "1451624400000000000"),
            ("2016-01-01 +02:00", "%F %z", "1451599200000000000"),
            ("2016-01-01+0200", "%F%z", "1451599200000000000"),
            ("2016-01-01 GMT+2", "%F %z", "1451599200000000000"),
            ("2016-01-01 utc+05:30", "%F %z", "1451586600000000000"),
            ("2016-01-01 Eastern Standard Time", "%F %z", "1451624400000000000"),
            ("2016-01-01 Eastern Daylight Time", "%F %z", "1451620800000000000"),
            ("2016-01-01 CET DST", "%F %z", "1451599200000000000"),
            ("2016-01-01 foo", "%F %z", "Illegal timezone 'foo'"),
            ("2016-01-01 +5.5", "%F %z", "1451586600000000000"),
            ("2016-01-01 +5", "%F %z", "1451588400000000000"),
            ("2016-01-01 -053015", "%F %z", "1451626215000000000"),
            ("2016-01-01 -530", "%F %z", "1451626200000000000"),
            ("2016-01-01 24:00:00", "%F %T", "1451692800000000000"),
            ("2016-01-01 24:00:01", "%F %T", "sec out of range"),
            ("2016-01-01 23:59:60", "%F %T", "1451692800000000000"),
            ("2016-02-31", "%F", "1456876800000000000"),
            ("2016-04-31", "%F", "1462060800000000000"),
            ("2016-13-01", "%F", "Unable to parse '2016-13-01' using format '%F'"),
            ("0001-01-01", "%F", "-62135596800000000000"),
            ("-0001-01-01", "%F", "-62198755200000000000"),
            ("99999-01-01", "%F", "3093496444800000000000"),
            (" 2016", "%Y", "Unable to parse ' 2016' using format '%Y'"),
            ("2016 ", "%Y ", "1451606400000000000"),
            ("2016", "%Y ", "1451606400000000000"),
            ("2016   1", "%Y%m", "Unable to parse '2016   1' using format '%Y%m'"),
            ("08/24/16", "%D", "1471996800000000000"),
            ("08/24/16", "%x", "1471996800000000000"),
            ("Wed Aug 24 12:13:14 2016", "%c", "1472040794000000000"),
            ("Wed Aug 24 12:13:14 UTC 2016", "%+", "1472040794000000000"),
            ("12:13 2016", "%R %Y", "1451650380000000000"),
            ("12:13:14 AM 2016", "%r %Y", "1451607194000000000"),
            ("2016%", "%Y%%", "1451606400000000000"),
            ("2016%q", "%Y%q", "1451606400000000000"),
            ("2016-08-24 12:13:14.123456789123", "%F %T.%N", "1472040794123456789"),
            ("2016-08-24 12:13:14.1", "%F %T.%L", "1472040794100000000"),
            ("20161231235959123", "%Y%m%d%H%M%S%L", "1483228799123000000"),
            ("2016 366", "%Y %j", "1451606400000000000"),
            ("2016 367", "%Y %j", "Unable to parse '2016 367' using format '%Y %j'"),
            ("2016 5", "%Y %u", "1451606400000000000"),
            ("2016 8", "%Y %u", "Unable to parse '2016 8' using format '%Y %u'"),
            ("2016 W53", "%Y W%V", "1451606400000000000"),
            ("5 2016", "%d %Y", "1451952000000000000"),
            (" 5 2016", "%e %Y", "1451952000000000000"),
            ("2016 1470287167", "%Y %s", "1451606400000000000"),
            ("2016 5", "%EY %Od", "1451952000000000000"),
            ("2016\t\n5", "%Y%n%m", "1462060800000000000"),
            ("2016-1-2", "%Y-%m-%d", "1451692800000000000"),
            ("2016-1-2", "%F", "1451692800000000000"),
            ("+2016", "%Y", "1451606400000000000"),
            ("2016x", "%Y", "Unable to parse '2016x' using format '%Y'"),
            ("2016 Sept", "%Y %b", "Unable to parse '2016 Sept' using format '%Y %b'"),
            ("2016 sep", "%Y %b", "1472688000000000000"),
            ("2016 1 PM", "%Y %I %P", "1451653200000000000"),
            ("2016 13 PM", "%Y %H %p", "1451653200000000000"),
            ("2016é", "%Yé", "1451606400000000000"),
            ("2016-08-24 12:13:14 America", "%F %T %Z", "Illegal timezone 'America'"),
            ("2016-08-24 12:13:14 z", "%F %T %Z", "1472040794000000000"),
            ("2016-08-24 12:13:14 A", "%F %T %Z", "1472037194000000000"),
            ("2016-08-24 12:13:14 J", "%F %T %Z", "Illegal timezone 'J'"),
            ("12:00", "%H:%M", "no implicit conversion of nil into Integer"),
        ] {
            let parsed = Timestamp::parse(text, Formats::One(format), None);
            let parsed = parsed.map_or_else(|issue| issue.message().to_owned(), |time| time.nanoseconds().to_string());
            assert_eq!(parsed, expected, "{text} {format}");
        }
    }

    #[test]
    fn time_zones() {
        let noon = |timezone| {
            Timestamp::parse("2016-08-24 12:00", Formats::One("%F %H:%M"), Timezone::new(Some(timezone), || Some(7200)))
        };
        assert_eq!(noon("+02:00").unwrap().to_string(), "2016-08-24T10:00:00.000000000 UTC");
        assert_eq!(noon("Europe/Stockholm").unwrap_err().message(), "Illegal timezone 'Europe/Stockholm'");
        let both = Timestamp::parse("2016-08-24 Z", Formats::One("%F %Z"), Some(Timezone::Named("UTC")));
        assert!(both.unwrap_err().message().starts_with("Using a Timezone designator"));
        assert_eq!(noon("Current").unwrap().to_string(), "2016-08-24T10:00:00.000000000 UTC");
        assert_eq!(noon("").unwrap().to_string(), "2016-08-24T12:00:00.000000000 UTC");
        // The zone of the machine is known only to who can ask the machine.
        let unknown = Timestamp::parse("2016-08-24", Formats::Default, Timezone::new(Some("current"), || None));
        assert_eq!(unknown.unwrap_err().message(), "Illegal timezone 'current'");
        let shown = noon("").unwrap().format("%T %z", Some(Timezone::Offset(-3601)));
        assert_eq!(shown.unwrap(), "10:59:00 -0101");
    }
}
