//! The value `Timespan`: a length of time in nanoseconds, and its arithmetic, where plain numbers are seconds.

mod format;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use bunraku_syntax::Issue;

use crate::hash::Hash as ValueHash;
use crate::issues;
use crate::number::Number;
use crate::value::Value;

pub use format::Format;

const NANOSECONDS_PER_SECOND: i128 = 1_000_000_000;

/// A length of time. Ordered and equal by its nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Timespan {
    nanoseconds: i128,
    /// Compatibility: a limit of a type that is given as a `Float` stays one, which shows in its text.
    is_float: bool,
}

impl Timespan {
    /// A time span of so many nanoseconds.
    pub const fn from_nanoseconds(nanoseconds: i128) -> Timespan {
        Timespan { nanoseconds, is_float: false }
    }

    /// A time span of so many seconds.
    pub fn from_seconds(seconds: Number) -> Result<Timespan, Issue> {
        nanoseconds_of(seconds).map(Timespan::from_nanoseconds)
    }

    /// The limit of a type that is so many seconds.
    pub(crate) fn limit(seconds: f64) -> Result<Timespan, Issue> {
        Ok(Timespan { is_float: true, ..Timespan::from_seconds(Number::Float(seconds))? })
    }

    /// The sum of days, hours, minutes, seconds, milliseconds, microseconds and nanoseconds, each of which may be negative.
    pub fn from_fields(negative: bool, fields: [i64; 7]) -> Timespan {
        const UNITS: [i128; 7] = [24, 60, 60, 1000, 1000, 1000, 1];
        // Seven 64-bit numbers of days or less stay far below the range of 128 bits.
        let total = fields.iter().zip(UNITS).scan(0i128, |larger, (field, unit)| {
            let here = *larger + i128::from(*field);
            *larger = here * unit;
            Some(here)
        });
        let nanoseconds = total.last().unwrap_or(0);
        Timespan::from_nanoseconds(if negative { -nanoseconds } else { nanoseconds })
    }

    /// Reads text in one of the forms that the language knows.
    pub fn parse(text: &str) -> Result<Timespan, Issue> {
        let formats = format::defaults();
        match formats.iter().find_map(|format| format.parse(text).ok()) {
            Some(timespan) => Ok(timespan),
            None => Err(no_format_fits(text, formats.iter().map(Format::text))),
        }
    }

    /// Reads text with the first of the formats that fits. Those after it need not be any.
    pub fn parse_any<'f>(text: &str, formats: impl Iterator<Item = &'f str> + Clone) -> Result<Timespan, Issue> {
        for format in formats.clone() {
            if let Ok(timespan) = Format::new(format)?.parse(text) {
                return Ok(timespan);
            }
        }
        Err(no_format_fits(text, formats))
    }

    /// The text of the time span in a format such as `%H:%M:%S`.
    pub fn format(self, format: &Format) -> Result<String, Issue> {
        format.format(self)
    }

    /// All of it in nanoseconds.
    pub const fn nanoseconds(self) -> i128 {
        self.nanoseconds
    }

    /// All of it in seconds, with the fraction.
    pub fn to_f64(self) -> f64 {
        divide_as_floats(self.nanoseconds, NANOSECONDS_PER_SECOND)
    }

    /// All of it in seconds, without the fraction.
    pub fn to_integer(self) -> i128 {
        self.nanoseconds.div_euclid(NANOSECONDS_PER_SECOND)
    }

    /// How it compares with a number of seconds; an integer is compared without the fraction.
    pub fn compare_seconds(self, seconds: Number) -> Option<Ordering> {
        match seconds {
            Number::Integer(seconds) => Some(self.to_integer().cmp(&i128::from(seconds))),
            Number::Float(seconds) => self.to_f64().partial_cmp(&seconds),
        }
    }

    /// The sum of two time spans.
    pub fn plus(self, other: Timespan) -> Result<Timespan, Issue> {
        within_range(self.nanoseconds.checked_add(other.nanoseconds))
    }

    /// The difference of two time spans.
    pub fn minus(self, other: Timespan) -> Result<Timespan, Issue> {
        within_range(self.nanoseconds.checked_sub(other.nanoseconds))
    }

    /// The same length in the other direction.
    pub fn negate(self) -> Result<Timespan, Issue> {
        within_range(self.nanoseconds.checked_neg())
    }

    /// The time span that is `factor` times as long.
    pub fn multiply(self, factor: Number) -> Result<Timespan, Issue> {
        match factor {
            Number::Integer(factor) => within_range(self.nanoseconds.checked_mul(i128::from(factor))),
            Number::Float(factor) => truncate(self.nanoseconds as f64 * factor).map(Timespan::from_nanoseconds),
        }
    }

    /// The time span divided by a number.
    pub fn divide(self, divisor: Number) -> Result<Timespan, Issue> {
        match divisor {
            Number::Integer(0) => Err(issues::division_by_zero()),
            Number::Integer(divisor) => within_range(floor_division(self.nanoseconds, i128::from(divisor))),
            Number::Float(0.0) => Err(issues::division_by_zero()),
            Number::Float(divisor) => {
                truncate((self.nanoseconds as f64 / divisor).floor()).map(Timespan::from_nanoseconds)
            }
        }
    }

    /// How many times the other time span fits in this one.
    pub fn ratio(self, other: Timespan) -> f64 {
        divide_as_floats(self.nanoseconds, other.nanoseconds)
    }

    /// The rest in seconds when the seconds are divided by a number.
    pub fn modulo(self, divisor: Number) -> Result<Number, Issue> {
        match divisor {
            Number::Integer(0) => Err(issues::division_by_zero()),
            Number::Integer(divisor) => {
                let divisor = i128::from(divisor);
                let rest = ((self.to_integer() % divisor) + divisor) % divisor;
                Ok(Number::Integer(i64::try_from(rest).unwrap_or(0)))
            }
            Number::Float(0.0) => Err(issues::division_by_zero()),
            Number::Float(divisor) => {
                let rest = self.to_f64() % divisor;
                Ok(Number::Float(if rest != 0.0 && (rest < 0.0) != (divisor < 0.0) { rest + divisor } else { rest }))
            }
        }
    }

    /// The fields as a hash of names to numbers that are not zero, with `negative` where it applies.
    pub fn to_hash(self) -> ValueHash {
        let total = self.nanoseconds.unsigned_abs();
        let field = |divisor: u128, modulus: u128| (total / divisor) % modulus;
        let fields = [
            ("days", total / 86_400_000_000_000),
            ("hours", field(3_600_000_000_000, 24)),
            ("minutes", field(60_000_000_000, 60)),
            ("seconds", field(1_000_000_000, 60)),
            ("nanoseconds", field(1, 1000)),
            ("microseconds", field(1000, 1000)),
            ("milliseconds", field(1_000_000, 1000)),
        ];
        let value = |number: u128| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let present = fields.into_iter().filter(|(_, number)| *number != 0);
        let mut hash: ValueHash = present.map(|(name, number)| (Value::from(name), value(number))).collect();
        if self.nanoseconds < 0 {
            hash.insert("negative".into(), true.into());
        }
        hash
    }

    /// The whole seconds and the nanoseconds of the last one, both with the sign of the time span.
    pub fn to_seconds_and_nanoseconds(self) -> (i128, i128) {
        (self.nanoseconds / NANOSECONDS_PER_SECOND, self.nanoseconds % NANOSECONDS_PER_SECOND)
    }
}

impl PartialEq for Timespan {
    fn eq(&self, other: &Timespan) -> bool {
        self.nanoseconds == other.nanoseconds
    }
}

impl Eq for Timespan {}

impl PartialOrd for Timespan {
    fn partial_cmp(&self, other: &Timespan) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timespan {
    fn cmp(&self, other: &Timespan) -> Ordering {
        self.nanoseconds.cmp(&other.nanoseconds)
    }
}

impl Hash for Timespan {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nanoseconds.hash(state);
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_float {
            return write_float(self.nanoseconds as f64, f);
        }
        let text = format::defaults().first().and_then(|format| format.format(*self).ok());
        f.write_str(&text.unwrap_or_default())
    }
}

fn no_format_fits<'f>(text: &str, formats: impl Iterator<Item = &'f str>) -> Issue {
    let formats: Vec<&str> = formats.collect();
    let formats = formats.join(", ");
    issues::runtime_error(format!("Unable to parse '{text}' using any of the formats {formats}"))
}

/// The text of nanoseconds that are a float: all fields are divided as such, and the fraction keeps its zeros.
fn write_float(nanoseconds: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let total = nanoseconds.abs();
    let seconds = NANOSECONDS_PER_SECOND as f64;
    let sign = if nanoseconds < 0.0 { "-" } else { "" };
    let days = total / (seconds * 86_400.0);
    let [hours, minutes] = [(3_600.0, 24.0), (60.0, 60.0)].map(|(unit, limit)| total / (seconds * unit) % limit);
    let rest = total % seconds;
    let seconds = total / seconds % 60.0;
    // A float is shown by its whole part, which `as` gives.
    let [days, hours, minutes, seconds, rest] = [days, hours, minutes, seconds, rest].map(|number| number as u128);
    write!(f, "{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{rest}")
}

/// The nanoseconds of a number of seconds.
pub(crate) fn nanoseconds_of(seconds: Number) -> Result<i128, Issue> {
    match seconds {
        Number::Integer(seconds) => Ok(i128::from(seconds) * NANOSECONDS_PER_SECOND),
        Number::Float(seconds) => truncate(seconds * NANOSECONDS_PER_SECOND as f64),
    }
}

/// The quotient as Ruby has it for integers: reduced first, so that fewer digits are lost.
pub(crate) fn divide_as_floats(dividend: i128, divisor: i128) -> f64 {
    let (mut a, mut b) = (dividend.unsigned_abs(), divisor.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let common = i128::try_from(a.max(1)).unwrap_or(1);
    (dividend / common) as f64 / (divisor / common) as f64
}

fn floor_division(dividend: i128, divisor: i128) -> Option<i128> {
    let quotient = dividend.checked_div(divisor)?;
    let exact = dividend % divisor == 0;
    if !exact && (dividend < 0) != (divisor < 0) { quotient.checked_sub(1) } else { Some(quotient) }
}

/// The float without its fraction; the error is Ruby's for what no integer can hold.
fn truncate(value: f64) -> Result<i128, Issue> {
    if !value.is_finite() {
        return Err(issues::runtime_error(crate::float_text::float_text(value)));
    }
    if value.abs() >= i128::MAX as f64 {
        return Err(out_of_range());
    }
    Ok(value as i128)
}

fn within_range(nanoseconds: Option<i128>) -> Result<Timespan, Issue> {
    nanoseconds.map(Timespan::from_nanoseconds).ok_or_else(out_of_range)
}

/// The reference has no limit here; ours is some thousand times the age of the universe.
pub(crate) fn out_of_range() -> Issue {
    issues::runtime_error("time is out of range")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn fields_are_added_up() {
        let check = |fields: [i64; 7], expected: &str| {
            assert_eq!(Timespan::from_fields(false, fields).to_string(), expected);
        };
        check([1, 2, 3, 4, 5, 6, 7], "1-02:03:04.005006007".replace("005006007", "5006007").as_str());
        check([0, 0, 0, 90, 0, 0, 0], "0-00:01:30.0");
        check([0, -25, 0, 0, 0, 0, 0], "-1-01:00:00.0");
        check([i64::MAX; 7], &Timespan::from_fields(false, [i64::MAX; 7]).to_string());
    }

    #[test]
    fn arithmetic() {
        let seconds = |number: f64| Timespan::from_seconds(Number::Float(number)).unwrap();
        assert_eq!(seconds(1.5).plus(seconds(0.25)).unwrap(), seconds(1.75));
        assert_eq!(seconds(90.0).divide(Number::Integer(-4)).unwrap(), seconds(-22.5));
        assert_eq!(seconds(1.5).multiply(Number::Float(1.5)).unwrap(), seconds(2.25));
        assert_eq!(seconds(7.0).ratio(seconds(2.0)), 3.5);
        assert_eq!(seconds(-7.0).modulo(Number::Integer(3)).unwrap(), Number::Integer(2));
        assert!(seconds(1.0).divide(Number::Integer(0)).is_err());
        assert!(Timespan::from_seconds(Number::Float(f64::NAN)).is_err());
        assert_eq!(seconds(1.9).compare_seconds(Number::Integer(1)), Some(Ordering::Equal));
    }
}
