//! The proleptic Gregorian calendar, without any limit on years.

use crate::data_types::timespan::out_of_range;
use bunraku_syntax::Issue;

/// Nanoseconds of a second.
pub(super) const SECOND: i128 = 1_000_000_000;
/// Seconds of a day.
pub(super) const DAY: i128 = 86_400;
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
}

impl Fields {
    /// The fields of so many nanoseconds since 1970.
    pub(super) fn of(nanoseconds: i128) -> Fields {
        let seconds = nanoseconds.div_euclid(SECOND);
        let days = seconds.div_euclid(DAY);
        let second_of_day = small(seconds.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        Fields {
            year,
            month,
            day,
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
            nanosecond: small(nanoseconds.rem_euclid(SECOND)),
            weekday: small((days + 4).rem_euclid(7)),
            day_of_year: small(days - days_from_civil(year, 1, 1) + 1),
        }
    }

    /// The week of the year, where weeks start on the given day of the week and the days before the first are week 0.
    pub(super) fn week(&self, first_weekday: u32) -> u32 {
        let weekday = (self.weekday + 7 - first_weekday) % 7;
        (self.day_of_year + 6 - weekday) / 7
    }

    /// The year and week of ISO 8601.
    pub(super) fn iso_week(&self) -> (i128, u32) {
        let monday_based = (self.weekday + 6) % 7;
        // The week belongs to the year that has its Thursday.
        let thursday = days_from_civil(self.year, self.month, self.day) - i128::from(monday_based) + 3;
        let (year, ..) = civil_from_days(thursday);
        let day_of_year = small(thursday - days_from_civil(year, 1, 1));
        (year, day_of_year / 7 + 1)
    }
}

/// The seconds since 1970 of a date and a time; a day beyond the end of its month runs into the next one.
pub(super) fn seconds_since_epoch(year: i64, month: u32, day: u32, time: [u32; 3]) -> Result<i128, Issue> {
    if year.abs() > YEAR_LIMIT {
        return Err(out_of_range());
    }
    let [hour, minute, second] = time.map(i128::from);
    let days = days_from_civil(i128::from(year), month, 1) + i128::from(day) - 1;
    Ok(days * DAY + hour * 3600 + minute * 60 + second)
}

/// Days since 1970 of a date. Counts in eras of 400 years that start in March, so that a leap day ends a year.
fn days_from_civil(year: i128, month: u32, day: u32) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = i128::from((month + 9) % 12);
    let day_of_year = (153 * month_from_march + 2) / 5 + i128::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i128) -> (i128, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    (year, small(month), small(day))
}

/// A number that is known to be small.
fn small(number: i128) -> u32 {
    u32::try_from(number).unwrap_or(0)
}
