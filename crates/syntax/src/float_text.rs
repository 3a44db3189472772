//! The text of a float as Ruby prints it: shortest digits that read back the same, with Ruby's choice of notation.

/// The text of a float, such as `1.5`, `100.0`, `1.0e+15` or `Infinity`.
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let (digits, point) = shortest_digits(value.abs());
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    if 0 < point && point < count {
        let (whole, fraction) = digits.split_at_checked(point.unsigned_abs() as usize).unwrap_or((&digits, "0"));
        format!("{sign}{whole}.{fraction}")
    } else if 0 < point && point <= 15 {
        let zeros = "0".repeat((point - count).unsigned_abs() as usize);
        format!("{sign}{digits}{zeros}.0")
    } else if -4 < point && point <= 0 {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        format!("{sign}0.{zeros}{digits}")
    } else {
        let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
        let rest = if rest.is_empty() { "0" } else { rest };
        let exponent = point - 1;
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{first}.{rest}e{exponent_sign}{:02}", exponent.unsigned_abs())
    }
}

/// The shortest digits of a finite float that is not negative, and where the decimal point stands before or after them.
fn shortest_digits(value: f64) -> (String, i32) {
    if value == 0.0 {
        return ("0".to_owned(), 1);
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let leading = all.len().saturating_sub(significant.len());
    let point = i32::try_from(whole.len()).unwrap_or(0) - i32::try_from(leading).unwrap_or(0) + exponent;
    (significant.trim_end_matches('0').to_owned(), point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_is_rubys() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.5, "1.5"),
            (100.0, "100.0"),
            (0.1, "0.1"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1_234_567_890_123_456.0, "1.234567890123456e+15"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (0.000_123_45, "0.00012345"),
            (1e100, "1.0e+100"),
            (1e-100, "1.0e-100"),
            (5e-324, "5.0e-324"),
            (1e23, "1.0e+23"),
            (9_007_199_254_740_993.0, "9.007199254740992e+15"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(float_text(value), expected);
        }
    }
}
