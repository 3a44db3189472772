//! The calendar: days since 1970, and the fields of a time.

/// The parts of a time in its zone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    pub(crate) nanosecond: i64,
    /// From Sunday, which is 0.
    pub(crate) week_day: i64,
    /// From 1.
    pub(crate) year_day: i64,
    /// Seconds ahead of UTC.
    pub(crate) offset: i64,
    pub(crate) zone: String,
    /// Seconds since 1970.
    pub(crate) epoch: i64,
}

/// Days from 1970-01-01 to a day of the Gregorian calendar; the month may be any number.
pub(crate) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The day of the Gregorian calendar.
pub(crate) fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// The parts of a time, given in seconds and nanoseconds since 1970.
pub(crate) fn fields_of(epoch: i64, nanosecond: i64, offset: i64, zone: &str) -> Fields {
    let local = epoch + offset;
    let (days, of_day) = (local.div_euclid(86_400), local.rem_euclid(86_400));
    let (year, month, day) = date_of(days);
    Fields {
        year,
        month,
        day,
        hour: of_day / 3600,
        minute: of_day / 60 % 60,
        second: of_day % 60,
        nanosecond,
        week_day: (days + 4).rem_euclid(7),
        year_day: days - days_of(year, 1, 1) + 1,
        offset,
        zone: zone.to_owned(),
        epoch,
    }
}

/// The year and the week of ISO 8601.
pub(crate) fn iso_week(time: &Fields) -> (i64, i64) {
    let week_day = (time.week_day + 6).rem_euclid(7);
    let days = days_of(time.year, time.month, time.day);
    // The week belongs to the year that has its Thursday.
    let (year, ..) = date_of(days - week_day + 3);
    let first = days_of(year, 1, 4);
    let first_monday = first - (first + 3).rem_euclid(7);
    (year, (days - first_monday).div_euclid(7) + 1)
}

/// The week of the year, counted from the first day of a week.
pub(crate) fn week_of_year(time: &Fields, first_day: i64) -> i64 {
    (time.year_day - 1 + 7 - (time.week_day - first_day).rem_euclid(7)) / 7
}
