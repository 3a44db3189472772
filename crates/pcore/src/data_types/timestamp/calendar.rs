//! The proleptic Gregorian calendar, without any limit on years: jiff's, which ends with the year 9999, and whole eras of
//! 400 years, after which all days repeat.

use bunraku_syntax::Issue;
use jiff::ToSpan;
use jiff::civil::{Date, date};

use crate::data_types::timespan::out_of_range;

/// Nanoseconds of a second.
pub(super) const SECOND: i128 = 1_000_000_000;
/// Seconds of a day.
pub(super) const DAY: i128 = 86_400;
/// Days of an era.
const ERA: i128 = 146_097;
/// Years of an era.
const ERA_YEARS: i64 = 400;
/// The beginning of time, and of the era in which jiff is asked.
const EPOCH: Date = date(1970, 1, 1);
const EPOCH_YEAR: i64 = 1970;
/// Years beyond this are out of range; arithmetic on them must not overflow.
const YEAR_LIMIT: i64 = 1 << 40;

/// A moment as a calendar and a clock show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) year: i128,
    /// 1 to 12.
    pub(super) month: u32,
    /// 1 to 31.
    pub(super) day: u32,
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: u32,
    pub(super) nanosecond: u32,
    /// Days since Sunday.
    pub(super) weekday: u32,
    /// 1 to 366.
    pub(super) day_of_year: u32,
    /// The year and week of ISO 8601.
    pub(super) iso_week: (i128, u32),
}

impl Fields {
    /// The fields of so many nanoseconds since 1970.
    pub(super) fn of(nanoseconds: i128) -> Fields {
        let seconds = nanoseconds.div_euclid(SECOND);
        let days = seconds.div_euclid(DAY);
        let second_of_day = small(seconds.rem_euclid(DAY));
        let years_before = days.div_euclid(ERA) * i128::from(ERA_YEARS);
        let date = EPOCH.saturating_add(i64::from(small(days.rem_euclid(ERA))).days());
        let iso = date.iso_week_date();
        Fields {
            year: i128::from(date.year()) + years_before,
            month: small(date.month()),
            day: small(date.day()),
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
            nanosecond: small(nanoseconds.rem_euclid(SECOND)),
            weekday: small(date.weekday().to_sunday_zero_offset()),
            day_of_year: small(date.day_of_year()),
            iso_week: (i128::from(iso.year()) + years_before, small(iso.week())),
        }
    }

    /// The week of the year, where weeks start on the given day of the week and the days before the first are week 0.
    pub(super) fn week(&self, first_weekday: u32) -> u32 {
        let weekday = (self.weekday + 7 - first_weekday) % 7;
        (self.day_of_year + 6 - weekday) / 7
    }
}

/// The seconds since 1970 of a date and a time; a day beyond the end of its month runs into the next one.
pub(super) fn seconds_since_epoch(year: i64, month: u32, day: u32, time: [u32; 3]) -> Result<i128, Issue> {
    if year.abs() > YEAR_LIMIT {
        return Err(out_of_range());
    }
    let years = year - EPOCH_YEAR;
    let year_of_era = i16::try_from(EPOCH_YEAR + years.rem_euclid(ERA_YEARS)).map_err(|_| out_of_range())?;
    let month = i8::try_from(month).map_err(|_| out_of_range())?;
    let first = Date::new(year_of_era, month, 1).map_err(|_| out_of_range())?;
    let days = first.duration_since(EPOCH).as_hours() / 24 + i64::from(day) - 1;
    let days = i128::from(days) + i128::from(years.div_euclid(ERA_YEARS)) * ERA;
    let [hour, minute, second] = time.map(i128::from);
    Ok(days * DAY + hour * 3600 + minute * 60 + second)
}

/// A number that is known to be small.
fn small(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(0)
}
