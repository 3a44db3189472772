//! Floats in `sprintf`: `%f`, `%e`, `%g` and `%a`.

use super::Flags;

/// No float has more digits behind the point than this; zeros follow.
const MAXIMUM_DIGITS: usize = 1_100;

pub(super) fn write(out: &mut String, number: f64, letter: char, flags: Flags) {
    let sign = sign(number.is_sign_negative() && !number.is_nan(), flags);
    let absolute = number.abs();
    let (prefix, digits) = if number.is_nan() {
        ("", "NaN".to_owned())
    } else if number.is_infinite() {
        ("", "Inf".to_owned())
    } else {
        match letter {
            'f' => ("", fixed(absolute, flags.precision.unwrap_or(6), flags.alternate)),
            'e' | 'E' => ("", exponential(absolute, flags.precision.unwrap_or(6), flags.alternate)),
            'g' | 'G' => ("", general(absolute, flags.precision.unwrap_or(6), flags.alternate)),
            _ => ("0x", hexadecimal(absolute, flags.precision, flags.alternate)),
        }
    };
    let is_upper = letter.is_ascii_uppercase() && number.is_finite();
    let (prefix, digits) =
        if is_upper { (prefix.to_uppercase(), digits.to_uppercase()) } else { (prefix.to_owned(), digits) };
    pad(out, sign, &prefix, &digits, flags.zero && number.is_finite(), flags);
}

fn sign(negative: bool, flags: Flags) -> &'static str {
    match () {
        () if negative => "-",
        () if flags.plus => "+",
        () if flags.space => " ",
        () => "",
    }
}

fn pad(out: &mut String, sign: &str, prefix: &str, digits: &str, zeros: bool, flags: Flags) {
    let missing = flags.width.unwrap_or(0).saturating_sub(sign.len() + prefix.len() + digits.len());
    let zeros = zeros && !flags.left;
    if !flags.left && !zeros {
        out.extend(std::iter::repeat_n(' ', missing));
    }
    out.push_str(sign);
    out.push_str(prefix);
    if zeros {
        out.extend(std::iter::repeat_n('0', missing));
    }
    out.push_str(digits);
    if flags.left {
        out.extend(std::iter::repeat_n(' ', missing));
    }
}

/// `%f` of an integer.
pub(super) fn write_integer(out: &mut String, number: i64, flags: Flags) {
    let precision = flags.precision.unwrap_or(6);
    let point = if precision > 0 { "." } else { "" };
    let digits = format!("{}{point}{}", number.unsigned_abs(), "0".repeat(precision));
    pad(out, sign(number < 0, flags), "", &digits, flags.zero, flags);
}

fn fixed(number: f64, precision: usize, keep_point: bool) -> String {
    let mut digits = format!("{number:.*}", precision.min(MAXIMUM_DIGITS));
    digits.extend(zeros(precision));
    if precision == 0 && keep_point {
        digits.push('.');
    }
    digits
}

fn exponential(number: f64, precision: usize, keep_point: bool) -> String {
    let (mantissa, exponent) = parts(number, precision);
    let point = if precision == 0 && keep_point { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

/// The mantissa with so many digits behind its point, and the exponent.
fn parts(number: f64, precision: usize) -> (String, i32) {
    let text = format!("{number:.*e}", precision.min(MAXIMUM_DIGITS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.chars().chain(zeros(precision)).collect(), exponent.parse().unwrap_or(0))
}

/// The zeros behind the last digit there can be.
fn zeros(precision: usize) -> impl Iterator<Item = char> {
    std::iter::repeat_n('0', precision.saturating_sub(MAXIMUM_DIGITS))
}

/// Fixed or exponential, whichever is shorter; zeros at the end are dropped unless they are asked for.
fn general(number: f64, precision: usize, keep_zeros: bool) -> String {
    let precision = precision.max(1);
    let (_, exponent) = parts(number, precision - 1);
    let limit = i32::try_from(precision).unwrap_or(i32::MAX);
    let text = if -4 <= exponent && exponent < limit {
        fixed(number, usize::try_from(limit - 1 - exponent).unwrap_or(0), keep_zeros)
    } else {
        exponential(number, precision - 1, keep_zeros)
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, format!("e{exponent}")),
        None => (text.as_str(), String::new()),
    };
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{mantissa}{exponent}")
}

/// The bits of the mantissa in hexadecimal, with a power of two; the leading digit is 1.
fn hexadecimal(number: f64, precision: Option<usize>, keep_point: bool) -> String {
    if number == 0.0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        let point = if zeros.is_empty() && !keep_point { "" } else { "." };
        return format!("0{point}{zeros}p+0");
    }
    let bits = number.to_bits();
    let raw_exponent = i32::try_from(bits >> 52).unwrap_or(0);
    let (mut mantissa, mut exponent) = (bits & ((1 << 52) - 1), raw_exponent - 1023);
    if raw_exponent == 0 {
        // A subnormal number is shifted until it has a leading one.
        let shift = mantissa.leading_zeros().saturating_sub(11);
        mantissa <<= shift;
        exponent = -1022 - i32::try_from(shift).unwrap_or(0);
    } else {
        mantissa |= 1 << 52;
    }
    let digits = match precision {
        Some(precision) if precision < 13 => {
            let shift = 52 - 4 * u32::try_from(precision).unwrap_or(0);
            let half = 1u64 << (shift - 1);
            let rest = mantissa & ((1 << shift) - 1);
            let mut kept = mantissa >> shift;
            if rest > half || (rest == half && kept & 1 == 1) {
                kept += 1;
            }
            // Rounding may carry into the leading digit, which stays 1.
            if kept >> (52 - shift) > 1 {
                kept >>= 1;
                exponent += 1;
            }
            format!("{kept:0width$x}", width = precision + 1)
        }
        Some(precision) => format!("{mantissa:x}{}", "0".repeat(precision - 13)),
        None => {
            let digits = format!("{mantissa:x}");
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            format!("{first}{}", rest.trim_end_matches('0'))
        }
    };
    let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
    let point = if rest.is_empty() && !keep_point { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{rest}p{sign}{}", exponent.unsigned_abs())
}
