//! The format language of `Timespan`: literal text and `%D %H %M %S %L %N` with padding and width.
//!
//! The largest unit of a format takes everything that is larger; `%L` and `%N` are fractions unless they are that unit.

use std::sync::{LazyLock, OnceLock};

use bunraku_syntax::Issue;

use super::Timespan;
use crate::issues;
use crate::regexp::{self, Regexp};

/// The widest field that is printed; no text of a catalog comes near it.
const MAXIMUM_WIDTH: usize = 1 << 20;

const DEFAULTS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

/// The formats that are tried in turn when none is given; the first is how a time span is printed.
pub(super) fn defaults() -> &'static [Format] {
    static PARSED: LazyLock<Vec<Format>> =
        LazyLock::new(|| DEFAULTS.iter().filter_map(|text| Format::new(text).ok()).collect());
    &PARSED
}

/// A format that has been read, for printing and parsing.
#[derive(Clone, Debug)]
pub struct Format {
    text: String,
    segments: Vec<Segment>,
    pattern: OnceLock<Result<Regexp, Issue>>,
}

#[derive(Clone, Debug)]
enum Segment {
    Literal(String),
    Field { unit: Unit, padding: Padding, width: Option<usize>, is_total: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Padding {
    None,
    Zero,
    Space,
}

impl Unit {
    fn of(directive: char) -> Option<Unit> {
        Some(match directive {
            'D' => Unit::Day,
            'H' => Unit::Hour,
            'M' => Unit::Minute,
            'S' => Unit::Second,
            'L' => Unit::Millisecond,
            'N' => Unit::Nanosecond,
            _ => return None,
        })
    }

    fn nanoseconds(self) -> u128 {
        match self {
            Unit::Day => 86_400_000_000_000,
            Unit::Hour => 3_600_000_000_000,
            Unit::Minute => 60_000_000_000,
            Unit::Second => 1_000_000_000,
            Unit::Millisecond => 1_000_000,
            Unit::Nanosecond => 1,
        }
    }

    /// How many of the unit make up the next larger one.
    fn modulus(self) -> Option<u128> {
        match self {
            Unit::Day => None,
            Unit::Hour => Some(24),
            Unit::Minute | Unit::Second => Some(60),
            Unit::Millisecond => Some(1000),
            Unit::Nanosecond => Some(1_000_000_000),
        }
    }

    fn default_width(self) -> usize {
        match self {
            Unit::Day => 1,
            Unit::Hour | Unit::Minute | Unit::Second => 2,
            Unit::Millisecond => 3,
            Unit::Nanosecond => 9,
        }
    }

    fn is_fraction(self) -> bool {
        matches!(self, Unit::Millisecond | Unit::Nanosecond)
    }
}

impl Format {
    /// Reads a format.
    pub fn new(text: &str) -> Result<Format, Issue> {
        let mut segments = read_segments(text)?;
        let largest = segments.iter().filter_map(Segment::unit).max();
        let total = segments.iter_mut().find(|segment| segment.unit().is_some() && segment.unit() == largest);
        if let Some(Segment::Field { is_total, .. }) = total {
            *is_total = true;
        }
        Ok(Format { text: text.to_owned(), segments, pattern: OnceLock::new() })
    }

    /// The format as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn format(&self, timespan: Timespan) -> Result<String, Issue> {
        let total = timespan.nanoseconds().unsigned_abs();
        let mut text = String::from(if timespan.nanoseconds() < 0 { "-" } else { "" });
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => text.push_str(literal),
                Segment::Field { unit, padding, width, is_total } => {
                    let width = width.unwrap_or(unit.default_width());
                    if width > MAXIMUM_WIDTH {
                        return Err(issues::runtime_error("width too big"));
                    }
                    let number = field(total, *unit, width, *is_total);
                    write_field(&mut text, number, *unit, *padding, width, *is_total);
                }
            }
        }
        Ok(text)
    }

    /// Reads text by this format.
    pub fn parse(&self, text: &str) -> Result<Timespan, Issue> {
        let unable = || issues::runtime_error(format!("Unable to parse '{text}' using format '{}'", self.text));
        let pattern = self.pattern.get_or_init(|| self.build_pattern()).as_ref().map_err(Clone::clone)?;
        let captures = pattern.captures(text)?.ok_or_else(unable)?;
        let mut nanoseconds = 0i128;
        for (index, segment) in self.segments.iter().enumerate() {
            let Segment::Field { unit, is_total, .. } = segment else { continue };
            let digits = captures.get(index + 1).unwrap_or_default().trim_start();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(unable());
            }
            let number: i128 = digits.parse().map_err(|_| unable())?;
            let part = segment_nanoseconds(number, digits.len(), *unit, *is_total)?;
            nanoseconds = part.and_then(|part| nanoseconds.checked_add(part)).ok_or_else(super::out_of_range)?;
        }
        Ok(Timespan::from_nanoseconds(if text.starts_with('-') { -nanoseconds } else { nanoseconds }))
    }

    fn build_pattern(&self) -> Result<Regexp, Issue> {
        let mut source = String::from("\\A-?");
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => {
                    source.push('(');
                    source.push_str(&regexp::escape(literal));
                    source.push(')');
                }
                Segment::Field { unit, padding, width, is_total } => {
                    source.push_str(&field_pattern(*unit, *padding, *width, *is_total));
                }
            }
        }
        source.push_str("\\z");
        Regexp::new(&source)
    }
}

impl Segment {
    fn unit(&self) -> Option<Unit> {
        match self {
            Segment::Literal(_) => None,
            Segment::Field { unit, .. } => Some(*unit),
        }
    }
}

fn read_segments(text: &str) -> Result<Vec<Segment>, Issue> {
    let mut segments = Vec::new();
    let mut characters = text.chars().enumerate();
    let bad = |start: usize, position: usize| {
        let expression: String = text.chars().skip(start).take(position - start).collect();
        issues::runtime_error(format!("Bad format specifier '{expression}' in '{text}', at position {position}"))
    };
    while let Some((start, character)) = characters.next() {
        if character != '%' {
            push_literal(&mut segments, character);
            continue;
        }
        let mut padding = Padding::Zero;
        let mut width: Option<usize> = None;
        let mut is_first = true;
        loop {
            // A format that ends here is blamed on its last character.
            let Some((position, character)) = characters.next() else {
                return Err(bad(start, text.chars().count().saturating_sub(1)));
            };
            match character {
                '%' => {
                    push_literal(&mut segments, '%');
                    break;
                }
                '-' if is_first => padding = Padding::None,
                '_' if is_first => padding = Padding::Space,
                '0' if is_first => padding = Padding::Zero,
                '0'..='9' => {
                    let digit = character.to_digit(10).map_or(0, |digit| digit as usize);
                    width = Some(width.unwrap_or(0).saturating_mul(10).saturating_add(digit));
                }
                _ => {
                    let unit = Unit::of(character).ok_or_else(|| bad(start, position))?;
                    segments.push(Segment::Field { unit, padding, width, is_total: false });
                    break;
                }
            }
            is_first = false;
        }
    }
    Ok(segments)
}

fn push_literal(segments: &mut Vec<Segment>, character: char) {
    if let Some(Segment::Literal(literal)) = segments.last_mut() {
        literal.push(character);
    } else {
        segments.push(Segment::Literal(character.into()));
    }
}

/// The number a field shows of so many nanoseconds.
fn field(nanoseconds: u128, unit: Unit, width: usize, is_total: bool) -> u128 {
    if unit == Unit::Nanosecond && width < 9 {
        // `%6N` shows microseconds: digits on the right are cut off.
        let digits = u32::try_from(width).unwrap_or(9);
        let cut = nanoseconds / 10u128.pow(9 - digits);
        return if is_total { cut } else { cut % 10u128.pow(digits) };
    }
    let number = nanoseconds / unit.nanoseconds();
    match unit.modulus() {
        Some(modulus) if !is_total => number % modulus,
        _ => number,
    }
}

fn write_field(text: &mut String, number: u128, unit: Unit, padding: Padding, width: usize, is_total: bool) {
    let mut digits = number.to_string();
    if unit.is_fraction() {
        // Compatibility: zeros at the end of a fraction are cut off, those at its start are lost.
        if !is_total && padding != Padding::Zero && number != 0 {
            digits.truncate(digits.trim_end_matches('0').len());
        }
        text.push_str(&digits);
        if padding != Padding::None {
            text.extend(std::iter::repeat_n(' ', width.saturating_sub(digits.len())));
        }
        return;
    }
    let missing = width.saturating_sub(digits.len());
    match padding {
        Padding::None => {}
        Padding::Zero => text.extend(std::iter::repeat_n('0', missing)),
        Padding::Space => text.extend(std::iter::repeat_n(' ', missing)),
    }
    text.push_str(&digits);
}

fn field_pattern(unit: Unit, padding: Padding, width: Option<usize>, is_total: bool) -> String {
    let default_width = unit.default_width();
    match (width, padding) {
        (None, Padding::None | Padding::Zero) if is_total => "([0-9]+)".to_owned(),
        (None, Padding::None | Padding::Zero) => format!("([0-9]{{1,{default_width}}})"),
        (None, Padding::Space) if is_total => "\\s*([0-9]+)".to_owned(),
        (None, Padding::Space) => format!("([0-9\\s]{{1,{default_width}}})"),
        (Some(width), Padding::None) => format!("([0-9]{{1,{width}}})"),
        (Some(width), Padding::Zero) => format!("([0-9]{{{width}}})"),
        (Some(width), Padding::Space) => format!("([0-9\\s]{{{width}}})"),
    }
}

/// What a field that was read stands for; `None` when it is out of range.
fn segment_nanoseconds(number: i128, digits: usize, unit: Unit, is_total: bool) -> Result<Option<i128>, Issue> {
    if !unit.is_fraction() {
        return Ok(i128::try_from(unit.nanoseconds()).ok().and_then(|unit| number.checked_mul(unit)));
    }
    if is_total {
        return Err(issues::runtime_error(
            "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
        ));
    }
    let missing = u32::try_from(9usize.saturating_sub(digits)).unwrap_or(0);
    Ok(number.checked_mul(10i128.pow(missing)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn printing() {
        let check = |nanoseconds: i128, format: &str, expected: &str| {
            let text = Format::new(format).unwrap().format(Timespan::from_nanoseconds(nanoseconds)).unwrap();
            assert_eq!(text, expected, "{format}");
        };
        let day_and_more = 86_400_000_000_000 + 7_384_005_006_007;
        check(day_and_more, "%D-%H:%M:%S.%N", "1-02:03:04.5006007  ");
        check(day_and_more, "%H:%M", "26:03");
        check(day_and_more, "%_5H|%-M|%3S|%L|%3N", "   26|3|004|5  |5  ");
        check(-1_500_000_000, "%S.%-N %%", "-01.5 %");
        check(0, "%S.%-N", "00.0");
        check(1_000_000, "%N", "1000000  ");
    }

    #[test]
    fn parsing() {
        let check = |text: &str, format: &str, expected: Result<i128, &str>| {
            let parsed = Format::new(format).and_then(|format| format.parse(text));
            let parsed = parsed.map(Timespan::nanoseconds).map_err(|issue| issue.message().to_owned());
            assert_eq!(parsed, expected.map_err(str::to_owned), "{text} {format}");
        };
        check("10:03.5", "%M:%S.%L", Ok(603_500_000_000));
        check("-1-02:03:04", "%D-%H:%M:%S", Ok(-93_784_000_000_000));
        check(
            "5",
            "%L",
            Err(
                "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
            ),
        );
        check("x", "%S", Err("Unable to parse 'x' using format '%S'"));
        check("1", "%q", Err("Bad format specifier '%' in '%q', at position 1"));
        check("1", "%S%", Err("Bad format specifier '' in '%S%', at position 2"));
        check("1", "%--S", Err("Bad format specifier '%-' in '%--S', at position 2"));
    }
}
