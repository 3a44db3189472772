//! Ruby's `strptime`: reads the fields of a date and a time from text by a format.

use bunraku_syntax::Issue;

use super::calendar::{self, SECOND};
use super::strftime::{MONTHS, WEEKDAYS};
use super::{unparsable, zone};
use crate::issues;

/// What the reference's Ruby says when a format has no year.
const NO_YEAR: &str = "no implicit conversion of nil into Integer";
/// Directives that start with a digit, so that the number before them has a fixed width.
const NUMERIC: &str = "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy";

/// Fields that were found. Those that only check the text, such as the day of the week, are not kept.
#[derive(Debug, Default)]
pub(super) struct Parsed<'t> {
    year: Option<i64>,
    century: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    hour: Option<u32>,
    minute: Option<u32>,
    second: Option<u32>,
    nanosecond: u32,
    /// Hours to add for the afternoon.
    afternoon: Option<u32>,
    /// The time zone as it was written.
    pub(super) zone: Option<&'t str>,
}

/// Reads text by one format, which must fit completely.
pub(super) fn parse_one<'t>(text: &'t str, format: &str, has_timezone: bool) -> Result<Parsed<'t>, Issue> {
    match parse(text, format) {
        None => Err(issues::runtime_error(format!("Unable to parse '{text}' using format '{format}'"))),
        Some(parsed) if has_timezone && parsed.zone.is_some() => Err(issues::runtime_error(
            "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
        )),
        Some(parsed) => Ok(parsed),
    }
}

/// Reads text by the first format that fits.
pub(super) fn parse_any<'t>(text: &'t str, formats: &[&str], has_timezone: bool) -> Result<Parsed<'t>, Issue> {
    let mut parsed = formats.iter().filter_map(|format| parse(text, format));
    parsed.find(|parsed| !has_timezone || parsed.zone.is_none()).ok_or_else(|| unparsable(text, formats))
}

impl Parsed<'_> {
    /// The moment in UTC, as if the time zone were that.
    pub(super) fn nanoseconds(&self) -> Result<i128, Issue> {
        let year = self.year.ok_or_else(|| issues::runtime_error(NO_YEAR))?;
        let year = year + self.century.unwrap_or(0).saturating_mul(100);
        let hour = self.hour.unwrap_or(0);
        let hour = self.afternoon.map_or(hour, |afternoon| hour % 12 + afternoon);
        let (minute, second) = (self.minute.unwrap_or(0), self.second.unwrap_or(0));
        if hour == 24 && (minute, second) != (0, 0) {
            let field = if minute > 0 { "min" } else { "sec" };
            return Err(issues::runtime_error(format!("{field} out of range")));
        }
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let seconds = calendar::seconds_since_epoch(year, month, day, [hour, minute, second])?;
        Ok(seconds * SECOND + i128::from(self.nanosecond))
    }
}

fn parse<'t>(text: &'t str, format: &str) -> Option<Parsed<'t>> {
    let mut reader = Reader { rest: text, parsed: Parsed::default() };
    reader.read(format)?;
    reader.rest.is_empty().then_some(reader.parsed)
}

struct Reader<'t> {
    rest: &'t str,
    parsed: Parsed<'t>,
}

impl<'t> Reader<'t> {
    fn read(&mut self, format: &str) -> Option<()> {
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            if is_space(character) {
                self.rest = self.rest.trim_start_matches(is_space);
                continue;
            }
            if character != '%' {
                self.literal(character)?;
                continue;
            }
            // `E` and `O` ask for another notation, which Ruby does not have.
            let mut directive = characters.as_str();
            if let Some(rest) =
                directive.strip_prefix('E').filter(|rest| rest.starts_with(['c', 'C', 'x', 'X', 'y', 'Y']))
            {
                directive = rest;
            } else if let Some(rest) = directive.strip_prefix('O')
                && rest.starts_with(|letter| "deHImMSuUVwWy".contains(letter))
            {
                directive = rest;
            } else if directive.trim_start_matches(':').starts_with('z') {
                directive = directive.trim_start_matches(':');
            }
            let mut letters = directive.chars();
            let letter = letters.next();
            characters = letters;
            match letter {
                Some(letter) => self.directive(letter, is_numeric(characters.as_str()))?,
                None => self.literal('%')?,
            }
        }
        Some(())
    }

    /// Reads what a directive stands for; `fixed` tells that a number follows, so this one must not run into it.
    fn directive(&mut self, letter: char, fixed: bool) -> Option<()> {
        match letter {
            'A' | 'a' => self.name(&WEEKDAYS).map(drop)?,
            'B' | 'b' | 'h' => self.parsed.month = Some(self.name(&MONTHS)? + 1),
            'C' => self.parsed.century = Some(self.signed(if fixed { 2 } else { usize::MAX })?),
            'd' | 'e' => self.parsed.day = Some(self.spaced(1, 31)?),
            'H' | 'k' => self.parsed.hour = Some(self.spaced(0, 24)?),
            'I' | 'l' => self.parsed.hour = Some(self.spaced(1, 12)?),
            'j' => self.number(3, 1, 366).map(drop)?,
            'L' => self.fraction(if fixed { 3 } else { usize::MAX })?,
            'N' => self.fraction(if fixed { 9 } else { usize::MAX })?,
            'M' => self.parsed.minute = Some(self.number(2, 0, 59)?),
            'm' => self.parsed.month = Some(self.number(2, 1, 12)?),
            'S' => self.parsed.second = Some(self.number(2, 0, 60)?),
            'U' | 'W' => self.number(2, 0, 53).map(drop)?,
            'V' => self.number(2, 1, 53).map(drop)?,
            'u' => self.number(1, 1, 7).map(drop)?,
            'w' => self.number(1, 0, 6).map(drop)?,
            'g' => self.number(2, 0, 99).map(drop)?,
            'G' => self.signed(if fixed { 4 } else { usize::MAX }).map(drop)?,
            'Q' | 's' => self.signed(usize::MAX).map(drop)?,
            'Y' => self.parsed.year = Some(self.signed(if fixed { 4 } else { usize::MAX })?),
            'y' => {
                let year = self.number(2, 0, 99)?;
                self.parsed.year = Some(year.into());
                self.parsed.century.get_or_insert(if year >= 69 { 19 } else { 20 });
            }
            'P' | 'p' => self.half_of_day()?,
            'Z' | 'z' => {
                let (zone, rest) = zone::split_zone(self.rest)?;
                (self.parsed.zone, self.rest) = (Some(zone), rest);
            }
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'D' | 'x' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            'n' | 't' => self.read(" ")?,
            'R' => self.read("%H:%M")?,
            'r' => self.read("%I:%M:%S %p")?,
            'T' | 'X' => self.read("%H:%M:%S")?,
            'v' => self.read("%e-%b-%Y")?,
            '+' => self.read("%a %b %e %H:%M:%S %Z %Y")?,
            '%' => self.literal('%')?,
            other => {
                self.literal('%')?;
                self.literal(other)?;
            }
        }
        Some(())
    }

    fn literal(&mut self, character: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(character)?;
        Some(())
    }

    /// The position of a name, which may be cut to three letters.
    fn name(&mut self, names: &[&str]) -> Option<u32> {
        let starts_with =
            |rest: &str, name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        for (index, name) in names.iter().enumerate() {
            let short = name.get(..3).unwrap_or(name);
            let found = [*name, short].into_iter().find(|name| starts_with(self.rest, name));
            if let Some(found) = found {
                self.rest = self.rest.get(found.len()..)?;
                return u32::try_from(index).ok();
            }
        }
        None
    }

    fn digits(&mut self, width: usize) -> Option<&'t str> {
        let length = self.rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        (!digits.is_empty()).then_some(digits)
    }

    fn number(&mut self, width: usize, low: u32, high: u32) -> Option<u32> {
        let number = self.digits(width)?.parse().ok()?;
        (low..=high).contains(&number).then_some(number)
    }

    /// A number of two digits, or of one behind a space.
    fn spaced(&mut self, low: u32, high: u32) -> Option<u32> {
        if let Some(rest) = self.rest.strip_prefix(' ') {
            self.rest = rest;
            return self.number(1, low, high);
        }
        self.number(2, low, high)
    }

    fn signed(&mut self, width: usize) -> Option<i64> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let number: i64 = self.digits(width)?.parse().ok()?;
        Some(if negative { -number } else { number })
    }

    /// Digits of a fraction; what is finer than a nanosecond is dropped.
    fn fraction(&mut self, width: usize) -> Option<()> {
        self.rest = self.rest.strip_prefix('+').unwrap_or(self.rest);
        let digits = self.digits(width)?;
        let nine: String = digits.chars().chain(std::iter::repeat('0')).take(9).collect();
        self.parsed.nanosecond = nine.parse().ok()?;
        Some(())
    }

    /// `AM`, `p.m.` and the like.
    fn half_of_day(&mut self) -> Option<()> {
        let lower = self.rest.get(..4).or(self.rest.get(..2))?.to_ascii_lowercase();
        let length = if lower.ends_with(".m.") {
            4
        } else {
            let ends_here =
                self.rest.get(2..)?.chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_');
            lower.get(1..2).filter(|letter| *letter == "m" && ends_here).map(|_| 2)?
        };
        let afternoon = match lower.get(..1)? {
            "a" => 0,
            "p" => 12,
            _ => return None,
        };
        self.parsed.afternoon = Some(afternoon);
        self.rest = self.rest.get(length..)?;
        Some(())
    }
}

/// Whether what follows in the format starts with a digit.
fn is_numeric(format: &str) -> bool {
    let Some(directive) = format.strip_prefix('%') else {
        return format.starts_with(|first: char| first.is_ascii_digit());
    };
    let letter = directive.strip_prefix(['E', 'O']).unwrap_or(directive).chars().next();
    letter.is_some_and(|letter| NUMERIC.contains(letter) || letter.is_ascii_digit())
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}
