//! Numbers as Ruby's `Float()` and `Integer()` see them.

use bunraku_pcore::Value;
use bunraku_syntax::Issue;

/// A failure without a code of its own.
pub(crate) fn fail<T>(message: impl Into<ecow::EcoString>) -> Result<T, Issue> {
    Err(bunraku_pcore::issues::runtime_error(message))
}

/// A whole float as an integer.
pub(crate) fn to_integer(number: f64) -> Result<Value, Issue> {
    if number.is_nan() || number.is_infinite() {
        return fail(if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        });
    }
    // The bounds are powers of two, which a float has exactly.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        return Ok(Value::Integer(number as i64));
    }
    Err(out_of_range("round"))
}

/// A result that does not fit 64 bits.
pub(crate) fn out_of_range(function: &str) -> Issue {
    bunraku_pcore::issues::runtime_error(format!("the result of {function}() does not fit a 64 bit integer"))
}

/// Ruby's `Float(string)`: the whole string is a number, with blanks around it and `_` between digits.
pub(crate) fn float_from_text(text: &str) -> Option<f64> {
    let text = text.trim_matches(|character: char| character.is_ascii_whitespace() || character == '\u{b}');
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hexadecimal, 16).ok().map(|number| sign * number as f64);
    }
    let plausible = digits.starts_with(|digit: char| digit.is_ascii_digit())
        && digits.ends_with(|digit: char| digit.is_ascii_digit())
        && !digits.contains("__")
        && !digits.contains("_.")
        && !digits.contains("._")
        && !digits.contains(".e")
        && !digits.contains(".E")
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'e' | b'E' | b'+' | b'-'));
    plausible.then(|| digits.replace('_', "").parse().ok().map(|number: f64| sign * number))?
}

/// Ruby's `string.to_f`: as much of the beginning as is a number, `0.0` if nothing is.
pub(crate) fn leading_float(text: &str) -> f64 {
    let text = text.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\u{b}');
    let end = text.char_indices().map(|(at, character)| at + character.len_utf8());
    let mut ends: Vec<usize> = end.take(64).collect();
    ends.reverse();
    ends.into_iter().filter_map(|end| text.get(..end)).find_map(float_from_text).unwrap_or(0.0)
}

/// Ruby's `string.to_i`: as many digits as stand at the beginning, `0` if there are none.
pub(crate) fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\u{b}');
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number = 0_i64;
    for digit in digits.chars().map_while(|digit| digit.to_digit(10)) {
        number = number.saturating_mul(10).saturating_add(i64::from(digit));
    }
    if negative { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_ruby_reads_it() {
        let check = |text: &str, whole: Option<f64>, leading: f64| {
            assert_eq!(float_from_text(text), whole, "{text}");
            assert_eq!(leading_float(text), leading, "{text}");
        };
        check("1.5", Some(1.5), 1.5);
        check(" -1_000 ", Some(-1000.0), -1000.0);
        check("1e3", Some(1000.0), 1000.0);
        check("0x1f", Some(31.0), 31.0);
        check("1.", None, 1.0);
        check("1.5abc", None, 1.5);
        check("abc", None, 0.0);
        check("", None, 0.0);
        assert_eq!(leading_integer(" -12x"), -12);
        assert_eq!(leading_integer("x"), 0);
    }
}
