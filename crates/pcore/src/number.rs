//! A number: what integers and floats have in common in arithmetic, and how text is read as one.

use bunraku_syntax::is_raised_zero;

use crate::value::Value;

/// An integer or a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A signed 64-bit integer.
    Integer(i64),
    /// A double precision float.
    Float(f64),
}

impl Number {
    /// The number as a float.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// The number of a value that is one.
    pub fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Integer(value) => Some(Number::Integer(*value)),
            Value::Float(value) => Some(Number::Float(*value)),
            _ => None,
        }
    }

    /// Reads text the way a numeric context does: decimal, octal (`0..`), hexadecimal (`0x..`) or floating point, with
    /// an optional sign and blanks around. `None` when it is anything else, or an integer that is out of range.
    pub fn parse(text: &str) -> Option<Number> {
        let text = text.strip_prefix("::").unwrap_or(text).trim_matches(is_blank);
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = digits.trim_start_matches(is_blank);
        if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            return integer(negative, hexadecimal, 16);
        }
        let whole_length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, rest) = digits.split_at_checked(whole_length)?;
        if whole.is_empty() {
            None
        } else if !rest.is_empty() {
            float(negative, digits, rest).filter(|_| !is_raised_zero(digits))
        } else if whole.len() > 1 && whole.starts_with('0') {
            integer(negative, whole, 8)
        } else {
            integer(negative, whole, 10)
        }
    }
}

/// Ruby's own conversions, which accept more than the language does.
impl Number {
    /// Reads text as Ruby's `Integer()`: space around, a sign, a prefix for the base, and single underscores between
    /// digits. Without a radix the prefix decides; with one, only its own prefix is allowed.
    pub fn parse_ruby_integer(text: &str, radix: Option<u32>) -> Option<i128> {
        let text = text.trim_matches(|character| matches!(character, ' ' | '\t'..='\r'));
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let lower = digits.to_ascii_lowercase();
        let prefixed = |prefix: &str, base: u32| {
            lower.strip_prefix(prefix).filter(|_| radix.is_none_or(|radix| radix == base)).map(|rest| (rest, base))
        };
        let octal = || prefixed("0", 8).filter(|(rest, _)| !rest.is_empty());
        let (digits, base) = prefixed("0x", 16)
            .or_else(|| prefixed("0b", 2))
            .or_else(|| prefixed("0o", 8))
            .or_else(|| prefixed("0d", 10))
            .or_else(octal)
            .unwrap_or((&lower, radix.unwrap_or(10)));
        let digits = digits.strip_prefix('_').filter(|_| base == 8 && digits.len() < lower.len()).unwrap_or(digits);
        let digits = without_underscores(digits)?;
        if digits.starts_with(['+', '-']) {
            return None;
        }
        let value = i128::from_str_radix(&digits, base).ok()?;
        Some(if negative { -value } else { value })
    }

    /// Reads text as Ruby's `Float()`: space around, a sign, underscores, an exponent, or hexadecimal notation.
    pub fn parse_ruby_float(text: &str) -> Option<f64> {
        let text = text.trim_matches(|character| matches!(character, ' ' | '\t'..='\r'));
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        if let Some(digits) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
            let value = hexadecimal_float(digits)?;
            return Some(if text.starts_with('-') { -value } else { value });
        }
        let digits = without_underscores(unsigned)?;
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (digits.as_str(), None),
        };
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_valid = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole.is_empty() || all_digits(whole)) && all_digits(fraction),
            None => all_digits(mantissa),
        };
        let exponent_is_valid =
            exponent.is_none_or(|exponent| all_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
        if !is_valid || !exponent_is_valid {
            return None;
        }
        let value: f64 = digits.parse().ok()?;
        Some(if text.starts_with('-') { -value } else { value })
    }
}

/// Removes underscores that stand between two digits; `None` if one stands elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let is_digit = |part: Option<u8>| part.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let mut parts = text.split('_').peekable();
    while let Some(part) = parts.next() {
        let Some(next) = parts.peek() else { break };
        if !is_digit(part.bytes().last()) || !is_digit(next.bytes().next()) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

fn hexadecimal_float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits.split_once(['p', 'P']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() || mantissa.ends_with('.') {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    let shift = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(value * 2f64.powi(exponent.checked_sub(shift)?))
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        match number {
            Number::Integer(value) => Value::Integer(value),
            Number::Float(value) => Value::Float(value),
        }
    }
}

/// Horizontal space as the POSIX class `blank` has it in Unicode.
fn is_blank(character: char) -> bool {
    let is_wide = matches!(character, '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}');
    is_wide || matches!(character, '\t' | ' ' | '\u{a0}' | '\u{1680}')
}

fn integer(negative: bool, digits: &str, radix: u32) -> Option<Number> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    i64::try_from(if negative { -value } else { value }).ok().map(Number::Integer)
}

/// Reads `digits` as a float, of which `rest` is all behind the whole part: `.5`, `e-3` or both.
fn float(negative: bool, digits: &str, rest: &str) -> Option<Number> {
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (fraction, exponent) = match rest.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent)),
        None => (rest, None),
    };
    let fraction_is_valid = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(all_digits);
    let exponent_is_valid = exponent.is_none_or(|exponent| all_digits(exponent.strip_prefix('-').unwrap_or(exponent)));
    if !fraction_is_valid || !exponent_is_valid {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    Some(Number::Float(if negative { -value } else { value }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_as_number() {
        let check = |text: &str, expected: Option<Number>| assert_eq!(Number::parse(text), expected, "{text:?}");
        check("10", Some(Number::Integer(10)));
        check(" - 10 ", Some(Number::Integer(-10)));
        check("010", Some(Number::Integer(8)));
        check("08", None);
        check("0xfF", Some(Number::Integer(255)));
        check("0x", None);
        check("1.5", Some(Number::Float(1.5)));
        check("-1e3", Some(Number::Float(-1000.0)));
        check("1e-3", Some(Number::Float(0.001)));
        check("1e+3", None);
        check("1.", None);
        check("", None);
        check("a", None);
        check("9223372036854775807", Some(Number::Integer(i64::MAX)));
        check("9223372036854775808", None);
        check("1_000", None);
    }
}
