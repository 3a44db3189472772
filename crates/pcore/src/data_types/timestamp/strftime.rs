//! Ruby's `strftime`: all directives, with flags for padding and case, and widths.

use bunraku_syntax::Issue;

use super::calendar::{Fields, SECOND};
use crate::issues;

/// The widest field that is printed; no text of a catalog comes near it.
const MAXIMUM_WIDTH: usize = 1 << 20;

pub(super) const MONTHS: [&str; 12] = [
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
pub(super) const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The text of a moment; `offset` is that of the clock in seconds, `None` for UTC.
pub(super) fn strftime(nanoseconds: i128, offset: Option<i32>, format: &str) -> Result<String, Issue> {
    let local = nanoseconds + i128::from(offset.unwrap_or(0)) * SECOND;
    let clock = Clock { fields: Fields::of(local), seconds: nanoseconds.div_euclid(SECOND), offset };
    let mut text = String::with_capacity(format.len() * 2);
    clock.write(&mut text, format)?;
    Ok(text)
}

struct Clock {
    fields: Fields,
    seconds: i128,
    offset: Option<i32>,
}

/// What stands between `%` and the letter.
#[derive(Clone, Copy, Default)]
struct Style {
    padding: Option<char>,
    /// `-`: no padding.
    unpadded: bool,
    upper: bool,
    change_case: bool,
    width: usize,
    colons: usize,
}

impl Clock {
    fn write(&self, text: &mut String, format: &str) -> Result<(), Issue> {
        let mut rest = format;
        while let Some((literal, tail)) = rest.split_once('%') {
            text.push_str(literal);
            let Some((length, letter, style)) = read_directive(tail)? else {
                return Err(issues::runtime_error(format!("invalid format: {format}")));
            };
            let (directive, after) = tail.split_at_checked(length).unwrap_or((tail, ""));
            match letter {
                Some(letter) => self.write_directive(text, letter, style)?,
                // Ruby shows what it does not know as it is.
                None => {
                    text.push('%');
                    text.push_str(directive);
                }
            }
            rest = after;
        }
        text.push_str(rest);
        Ok(())
    }

    fn write_directive(&self, text: &mut String, letter: char, style: Style) -> Result<(), Issue> {
        let fields = &self.fields;
        let name = |names: &[&'static str], index: u32| names.get(index as usize).copied().unwrap_or_default();
        let short = |name: &'static str| name.get(..3).unwrap_or(name);
        let hour_of_twelve = if fields.hour.is_multiple_of(12) { 12 } else { fields.hour % 12 };
        let mut number = |pad: char, width: usize, value: i128| write_number(text, value, pad, width, style);
        match letter {
            'C' => number('0', 2, fields.year.div_euclid(100)),
            'd' => number('0', 2, fields.day.into()),
            'e' => number(' ', 2, fields.day.into()),
            'G' => {
                let (year, _) = fields.iso_week;
                number('0', if year < 0 { 5 } else { 4 }, year);
            }
            'Y' => number('0', if fields.year < 0 { 5 } else { 4 }, fields.year),
            'g' => number('0', 2, fields.iso_week.0.rem_euclid(100)),
            'y' => number('0', 2, fields.year.rem_euclid(100)),
            'H' => number('0', 2, fields.hour.into()),
            'k' => number(' ', 2, fields.hour.into()),
            'I' => number('0', 2, hour_of_twelve.into()),
            'l' => number(' ', 2, hour_of_twelve.into()),
            'j' => number('0', 3, fields.day_of_year.into()),
            'M' => number('0', 2, fields.minute.into()),
            'm' => number('0', 2, fields.month.into()),
            'S' => number('0', 2, fields.second.into()),
            's' => number('0', 1, self.seconds),
            'U' => number('0', 2, fields.week(0).into()),
            'W' => number('0', 2, fields.week(1).into()),
            'V' => number('0', 2, fields.iso_week.1.into()),
            'u' => number('0', 1, if fields.weekday == 0 { 7 } else { fields.weekday }.into()),
            'w' => number('0', 1, fields.weekday.into()),
            'L' => write_fraction(text, fields.nanosecond, 3, style),
            'N' => write_fraction(text, fields.nanosecond, 9, style),
            'A' => write_word(text, name(&WEEKDAYS, fields.weekday), style.louder()),
            'a' => write_word(text, short(name(&WEEKDAYS, fields.weekday)), style.louder()),
            'B' => write_word(text, name(&MONTHS, fields.month - 1), style.louder()),
            'b' | 'h' => write_word(text, short(name(&MONTHS, fields.month - 1)), style.louder()),
            'p' => {
                let word = if fields.hour < 12 { "AM" } else { "PM" };
                if style.change_case {
                    write_word(text, &word.to_lowercase(), Style { upper: false, ..style });
                } else {
                    write_word(text, word, style);
                }
            }
            'P' => {
                let word = if fields.hour < 12 { "am" } else { "pm" };
                write_word(text, word, style.louder());
            }
            'Z' => {
                let zone = if self.offset.is_none() { "UTC" } else { "" };
                if style.change_case {
                    write_word(text, &zone.to_lowercase(), Style { upper: false, ..style });
                } else {
                    write_word(text, zone, style);
                }
            }
            'z' => self.write_offset(text, style),
            'n' => write_word(text, "\n", style),
            't' => write_word(text, "\t", style),
            '%' => write_word(text, "%", style),
            _ => self.write_combination(text, letter, style)?,
        }
        Ok(())
    }

    /// A directive that stands for several others; flags and width apply to the whole.
    fn write_combination(&self, text: &mut String, letter: char, style: Style) -> Result<(), Issue> {
        let format = match letter {
            'c' => "%a %b %e %H:%M:%S %Y",
            'D' | 'x' => "%m/%d/%y",
            'F' => "%Y-%m-%d",
            'r' => "%I:%M:%S %p",
            'R' => "%H:%M",
            'T' | 'X' => "%H:%M:%S",
            'v' => "%e-%^b-%4Y",
            _ => "",
        };
        let mut whole = String::new();
        self.write(&mut whole, format)?;
        if style.upper {
            whole = whole.to_uppercase();
        }
        let pad = if style.padding == Some('0') { '0' } else { ' ' };
        text.extend(std::iter::repeat_n(pad, style.width.saturating_sub(whole.len())));
        text.push_str(&whole);
        Ok(())
    }

    /// `%z` and its variants with colons; the width fills the hours.
    fn write_offset(&self, text: &mut String, style: Style) {
        let offset = self.offset.unwrap_or(0);
        // Without padding, UTC is written as an offset that is not known.
        let sign = if offset < 0 || (style.unpadded && self.offset.is_none()) { '-' } else { '+' };
        let seconds = offset.unsigned_abs();
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let tail = match style.colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            2 => format!(":{minutes:02}:{rest:02}"),
            _ if seconds.is_multiple_of(3600) => String::new(),
            _ if rest == 0 => format!(":{minutes:02}"),
            _ => format!(":{minutes:02}:{rest:02}"),
        };
        let width = style.width.saturating_sub(tail.len() + 1).max(2);
        let hours = hours.to_string();
        let missing = width.saturating_sub(hours.len());
        if style.padding == Some(' ') {
            text.extend(std::iter::repeat_n(' ', missing));
            text.push(sign);
        } else {
            text.push(sign);
            text.extend(std::iter::repeat_n('0', missing));
        }
        text.push_str(&hours);
        text.push_str(&tail);
    }
}

impl Style {
    /// `#` on a word in mixed or lower case makes it upper case.
    fn louder(self) -> Style {
        Style { upper: self.upper || self.change_case, ..self }
    }
}

/// Reads flags, width and letter; the letter is `None` for what is no directive. The length counts bytes behind `%`.
/// Gives nothing if the text ends before there is a letter.
fn read_directive(text: &str) -> Result<Option<(usize, Option<char>, Style)>, Issue> {
    let mut style = Style::default();
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let end = at + character.len_utf8();
        let next = characters.peek().map(|(_, next)| *next);
        match character {
            '-' | '^' | '#' | '_' if style.width > 0 => return Ok(Some((end, None, style))),
            '-' => {
                style.unpadded = true;
                style.padding = None;
            }
            '^' => style.upper = true,
            '#' => style.change_case = true,
            '_' => style.padding = Some(' '),
            ':' => {
                style.colons += 1;
                if style.colons > 3 || !matches!(next, Some('z' | ':')) {
                    return Ok(Some((end, None, style)));
                }
            }
            '0'..='9' => {
                if character == '0' && style.width == 0 {
                    style.padding = Some('0');
                }
                let digit = character.to_digit(10).map_or(0, |digit| digit as usize);
                style.width = style.width.saturating_mul(10).saturating_add(digit);
                if style.width > MAXIMUM_WIDTH {
                    return Err(issues::runtime_error(format!("Numerical result out of range - %{text}")));
                }
            }
            'E' if !next.is_some_and(|next| "cCxXyY".contains(next)) => return Ok(Some((end, None, style))),
            'O' if !next.is_some_and(|next| "deHkIlmMSuUVwWy".contains(next)) => return Ok(Some((end, None, style))),
            'E' | 'O' => {}
            letter if "CdeGYgyHkIljMmSsUWVuwLNAaBbhpPZznt%cDxFrRTXv".contains(letter) => {
                return Ok(Some((end, Some(letter), style)));
            }
            _ => return Ok(Some((end, None, style))),
        }
    }
    Ok(None)
}

fn write_number(text: &mut String, value: i128, pad: char, default_width: usize, style: Style) {
    let width = match style {
        Style { unpadded: true, .. } => 1,
        Style { width: 0, .. } => default_width,
        Style { width, .. } => width,
    };
    let digits = value.unsigned_abs().to_string();
    let sign = if value < 0 { "-" } else { "" };
    let missing = width.saturating_sub(digits.len() + sign.len());
    if style.padding.unwrap_or(pad) == '0' {
        text.push_str(sign);
        text.extend(std::iter::repeat_n('0', missing));
    } else {
        text.extend(std::iter::repeat_n(' ', missing));
        text.push_str(sign);
    }
    text.push_str(&digits);
}

/// The digits of a fraction: cut off or filled with zeros on the right.
fn write_fraction(text: &mut String, nanosecond: u32, default_width: usize, style: Style) {
    let width = if style.width == 0 { default_width } else { style.width };
    let digits = format!("{nanosecond:09}");
    text.extend(digits.chars().chain(std::iter::repeat('0')).take(width));
}

fn write_word(text: &mut String, word: &str, style: Style) {
    if !style.unpadded && !word.is_empty() {
        let pad = style.padding.unwrap_or(' ');
        text.extend(std::iter::repeat_n(pad, style.width.saturating_sub(word.chars().count())));
    }
    if style.upper {
        text.push_str(&word.to_uppercase());
    } else {
        text.push_str(word);
    }
}
