//! `schedule`: when resources may be applied.

use std::time::SystemTime;

use bunraku_catalog::Parameters;
use jiff::Zoned;
use jiff::civil::Time;

use crate::fault::Outcome;
use crate::property::text_of;
use crate::resource::Given;

/// Seconds in the periods.
const PERIODS: [(&str, i64); 4] = [("hourly", 3600), ("daily", 86400), ("weekly", 604_800), ("monthly", 2_592_000)];

/// Days as they may be written.
const DAY: &str = r"(?im)^(?:[0-6]|(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?)$";

/// Checks what was declared.
pub(super) fn validate(given: &Given<'_>) -> Outcome {
    for range in given.texts("range") {
        if !super::matches(r"\d+(:\d+){0,2}\s*-\s*\d+(:\d+){0,2}", &range) {
            return Err(given.refuse("range", &format!("Invalid range value '{range}'")));
        }
        let ends: Vec<&str> = range.split('-').collect();
        if ends.len() != 2 {
            return Err(given.munging("range", &format!("Invalid range {range}")));
        }
        for (place, what, most) in [(0, "hour", 23), (1, "minute", 59)] {
            let numbers = ends.iter().filter_map(|end| end.trim().split(':').nth(place)?.parse::<i64>().ok());
            if let Some(number) = numbers.into_iter().find(|number| *number > most) {
                return Err(given.munging("range", &format!("Invalid {what} '{number}'")));
            }
        }
    }
    if let Some(repeat) = given.text("repeat") {
        if repeat.is_empty() || !repeat.bytes().all(|it| it.is_ascii_digit()) {
            return Err(given.refuse("repeat", "Repeat must be a number"));
        }
        if let Some(way) = given.text("periodmatch").filter(|way| repeat != "1" && way != "distance") {
            let reason = format!("Repeat must be 1 unless periodmatch is 'distance', not '{way}'");
            return Err(given.refuse("repeat", &reason));
        }
    }
    match given.texts("weekday").into_iter().find(|day| !super::matches(DAY, day)) {
        Some(day) => Err(given.refuse("weekday", &format!("{day} is not a valid day of the week"))),
        None => Ok(()),
    }
}

/// Whether a resource that was last looked at then may be applied now.
pub(crate) fn matches(parameters: &Parameters, checked: Option<SystemTime>) -> bool {
    let text = |name: &str| parameters.get(name).map(text_of);
    let texts = |name: &str| match parameters.get(name) {
        Some(bunraku_pcore::Value::Array(elements)) => elements.iter().map(text_of).collect(),
        Some(value) => vec![text_of(value)],
        None => Vec::new(),
    };
    let now = Zoned::now();
    let ranges = texts("range");
    if !ranges.is_empty() && !ranges.iter().any(|range| is_within(range, now.time())) {
        return false;
    }
    let weekdays = texts("weekday");
    if !weekdays.is_empty() && !weekdays.iter().any(|day| is_weekday(day, &now)) {
        return false;
    }
    match text("period").as_deref() {
        Some("never") => false,
        None => true,
        Some(period) => {
            let Some((_, seconds)) = PERIODS.iter().find(|(name, _)| *name == period) else { return true };
            let Some(checked) = checked.and_then(|time| jiff::Timestamp::try_from(time).ok()) else { return true };
            let (then, now) = (checked.to_zoned(now.time_zone().clone()), now);
            match text("periodmatch").as_deref() {
                Some("number") => number(period, &then) != number(period, &now),
                _ => {
                    let repeat = text("repeat").and_then(|repeat| repeat.parse::<i64>().ok()).unwrap_or(1).max(1);
                    now.timestamp().as_second() - then.timestamp().as_second() >= seconds / repeat
                }
            }
        }
    }
}

/// The number of the period that a time is in.
fn number(period: &str, time: &Zoned) -> i32 {
    match period {
        "hourly" => i32::from(time.hour()),
        "daily" => i32::from(time.day_of_year()),
        "weekly" => i32::from(time.date().iso_week_date().week()),
        _ => i32::from(time.month()),
    }
}

fn is_weekday(day: &str, now: &Zoned) -> bool {
    let number = now.weekday().to_sunday_zero_offset();
    let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    let is_name = |(_, name): &(usize, &&str)| day.to_lowercase().starts_with(**name);
    let meant = day
        .parse::<i8>()
        .ok()
        .or_else(|| names.iter().enumerate().find(is_name).and_then(|(place, _)| i8::try_from(place).ok()));
    meant == Some(number)
}

/// Whether a time of day is in a range, which may reach over midnight.
fn is_within(range: &str, now: Time) -> bool {
    let Some((start, end)) = range.split_once('-') else { return false };
    let (Some(start), Some(end)) = (time_of(start), time_of(end)) else { return false };
    if start <= end { start <= now && now <= end } else { now >= start || now <= end }
}

fn time_of(text: &str) -> Option<Time> {
    let mut parts = text.trim().split(':').map(|part| part.parse::<i8>().ok());
    let hour = parts.next()??;
    let (minute, second) = (parts.next().flatten().unwrap_or(0), parts.next().flatten().unwrap_or(0));
    Time::new(hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_reach_over_midnight() {
        let check = |range, time, expected| assert_eq!(time_of(time).map(|now| is_within(range, now)), Some(expected));
        check("2:00-4:00", "3:00", true);
        check("2:00-4:00", "4:01", false);
        check("22:00-4:00", "23:59", true);
        check("22:00-4:00", "12:00", false);
    }
}
