//! Times as text, in the way of `strftime`.

use super::calendar::{Fields, iso_week, week_of_year};

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(crate) const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// How wide a field may be made.
const WIDEST: usize = 1 << 16;

/// Flags of a field.
#[derive(Default, Clone, Copy)]
struct Flags {
    /// `-`: nothing is filled up.
    bare: bool,
    /// What it is filled up with: `0` or `_`.
    fill: Option<char>,
    upper: bool,
    /// `#`: the other case.
    swap: bool,
    colons: usize,
    width: Option<usize>,
}

/// A time in the form that the pattern says; nothing if the pattern ends within a field.
pub(crate) fn strftime(pattern: &str, time: &Fields) -> Option<String> {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        let (before, field) = rest.split_at(at);
        text.push_str(before);
        let length = one_field(field, time, &mut text)?;
        rest = field.get(length..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// Writes one field and says how long it is in the pattern.
fn one_field(field: &str, time: &Fields, text: &mut String) -> Option<usize> {
    let mut flags = Flags::default();
    let mut letters = field.char_indices().skip(1);
    let (end, letter) = loop {
        let (at, letter) = letters.next()?;
        match letter {
            '-' => flags.bare = true,
            '0' if flags.width.is_none() => flags.fill = Some('0'),
            '_' => flags.fill = Some(' '),
            '^' => flags.upper = true,
            '#' => flags.swap = true,
            ':' => flags.colons += 1,
            '0'..='9' => {
                let digit = letter.to_digit(10)? as usize;
                flags.width = Some(flags.width.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(WIDEST));
            }
            'E' | 'O' => {}
            '+' if field.get(at + 1..at + 2).is_some_and(|next| next.starts_with(|it: char| it.is_ascii_digit())) => {
                break (at + 1, '\0');
            }
            letter => break (at + letter.len_utf8(), letter),
        }
    };
    match value(letter, flags, time) {
        Some(value) => text.push_str(&value),
        None => text.push_str(field.get(..end)?),
    }
    Some(end)
}

fn value(letter: char, flags: Flags, time: &Fields) -> Option<String> {
    let number = |number: i64, width: usize, fill: char| Some(padded_number(number, width, fill, flags));
    let name = |name: &str| Some(padded_text(name, flags, false));
    let hour12 = match time.hour % 12 {
        0 => 12,
        hour => hour,
    };
    let (iso_year, week) = iso_week(time);
    match letter {
        'Y' => {
            let width = if time.year < 0 { 5 } else { 4 };
            number(time.year, width, '0')
        }
        'C' => number(time.year.div_euclid(100), 2, '0'),
        'y' => number(time.year.rem_euclid(100), 2, '0'),
        'm' => number(time.month, 2, '0'),
        'B' => name(MONTHS.get(usize::try_from(time.month - 1).ok()?)?),
        'b' | 'h' => name(MONTHS.get(usize::try_from(time.month - 1).ok()?)?.get(..3)?),
        'd' => number(time.day, 2, '0'),
        'e' => number(time.day, 2, ' '),
        'j' => number(time.year_day, 3, '0'),
        'H' => number(time.hour, 2, '0'),
        'k' => number(time.hour, 2, ' '),
        'I' => number(hour12, 2, '0'),
        'l' => number(hour12, 2, ' '),
        'M' => number(time.minute, 2, '0'),
        'S' => number(time.second, 2, '0'),
        'L' | 'N' => {
            let digits = flags.width.filter(|width| *width > 0).unwrap_or(if letter == 'L' { 3 } else { 9 });
            let mut shown = format!("{:09}", time.nanosecond);
            shown.extend(std::iter::repeat_n('0', digits.saturating_sub(9)));
            shown.truncate(digits);
            Some(shown)
        }
        'z' => Some(offset(time.offset, flags)),
        'Z' => Some(padded_text(&time.zone, flags, true)),
        'A' => name(DAYS.get(usize::try_from(time.week_day).ok()?)?),
        'a' => name(DAYS.get(usize::try_from(time.week_day).ok()?)?.get(..3)?),
        'u' => number(if time.week_day == 0 { 7 } else { time.week_day }, 1, '0'),
        'w' => number(time.week_day, 1, '0'),
        'G' => number(iso_year, 4, '0'),
        'g' => number(iso_year.rem_euclid(100), 2, '0'),
        'V' => number(week, 2, '0'),
        'U' => number(week_of_year(time, 0), 2, '0'),
        'W' => number(week_of_year(time, 1), 2, '0'),
        's' => number(time.epoch, 1, '0'),
        'p' => Some(padded_text(if time.hour < 12 { "AM" } else { "PM" }, flags, true)),
        'P' => name(if time.hour < 12 { "am" } else { "pm" }),
        'n' => name("\n"),
        't' => name("\t"),
        '%' => name("%"),
        'c' => name(&strftime("%a %b %e %H:%M:%S %Y", time)?),
        'D' | 'x' => name(&strftime("%m/%d/%y", time)?),
        'F' => name(&strftime("%Y-%m-%d", time)?),
        'T' | 'X' => name(&strftime("%H:%M:%S", time)?),
        'R' => name(&strftime("%H:%M", time)?),
        'r' => name(&strftime("%I:%M:%S %p", time)?),
        'v' => name(&strftime("%e-%^b-%Y", time)?),
        '+' => (flags.width.is_none()).then(|| strftime("%a %b %e %H:%M:%S %Z %Y", time))?,
        _ => None,
    }
}

fn padded_number(number: i64, width: usize, fill: char, flags: Flags) -> String {
    if flags.bare {
        return number.to_string();
    }
    let fill = flags.fill.unwrap_or(fill);
    let width = flags.width.unwrap_or(width);
    match (fill, number < 0) {
        ('0', true) => format!("-{:0>1$}", number.unsigned_abs(), width.saturating_sub(1)),
        ('0', false) => format!("{number:0>width$}"),
        _ => format!("{number:>width$}"),
    }
}

fn padded_text(text: &str, flags: Flags, swaps_down: bool) -> String {
    let text = match flags {
        _ if flags.swap && swaps_down => text.to_lowercase(),
        _ if flags.upper || flags.swap => text.to_uppercase(),
        _ => text.to_owned(),
    };
    let missing = flags.width.unwrap_or(0).saturating_sub(text.chars().count());
    let fill = if flags.fill == Some('0') { "0" } else { " " };
    if flags.bare { text } else { fill.repeat(missing) + &text }
}

fn offset(seconds: i64, flags: Flags) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let all = seconds.abs();
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
    let body = match flags.colons {
        0 => format!("{hours:02}{minutes:02}"),
        1 => format!("{hours:02}:{minutes:02}"),
        _ => format!("{hours:02}:{minutes:02}:{seconds:02}"),
    };
    let missing = flags.width.unwrap_or(0).saturating_sub(body.len() + 1);
    match flags.fill {
        Some(' ') => format!("{}{sign}{body}", " ".repeat(missing)),
        _ => format!("{sign}{}{body}", "0".repeat(missing)),
    }
}
