//! Integers in `sprintf`: `%d`, and `%o %x %b`, which show a negative number as an endless two's complement.

use super::{Flags, Whole};

pub(super) fn write(out: &mut String, whole: &Whole, letter: char, flags: Flags) {
    let base = match letter {
        'o' => 8,
        'x' | 'X' => 16,
        'b' | 'B' => 2,
        _ => 10,
    };
    let is_signed = base == 10 || flags.plus || flags.space;
    let (negative, mut digits) = match whole {
        Whole::Small(number) if *number < 0 && !is_signed => (true, complement(*number, base)),
        Whole::Small(number) => (*number < 0, in_base(number.unsigned_abs(), base)),
        Whole::Large(number) => (*number < 0.0, large_in_base(number.abs(), base)),
    };
    let dots = negative && !is_signed;
    if letter == 'X' {
        digits.make_ascii_uppercase();
    }
    let sign = match () {
        () if !is_signed => "",
        () if negative => "-",
        () if flags.plus => "+",
        () if flags.space => " ",
        () => "",
    };
    let is_zero = digits == "0";
    let mut prefix = match letter {
        _ if !flags.alternate => "",
        'o' => "0",
        'x' => "0x",
        'X' => "0X",
        'b' => "0b",
        'B' => "0B",
        _ => "",
    };
    let mut precision = flags.precision;
    if prefix == "0" {
        // The leading zero of an octal number is one of its digits.
        if dots || precision.is_some_and(|precision| precision > digits.len()) {
            prefix = "";
        } else if is_zero {
            digits.clear();
            precision = precision.map(|precision| precision.saturating_sub(1));
        }
    } else if is_zero {
        prefix = "";
    }
    let dots_length = if dots { 2 } else { 0 };
    let precision = precision.map(|precision| precision.saturating_sub(dots_length));
    let width = flags.width.unwrap_or(0).saturating_sub(sign.len() + prefix.len() + dots_length);
    let (fill, width) = match precision {
        None if flags.zero && !flags.left => (width.saturating_sub(digits.len()), 0),
        Some(0) if prefix.is_empty() && digits == "0" => {
            digits.clear();
            (0, width)
        }
        Some(precision) => {
            let fill = precision.saturating_sub(digits.len());
            (fill, width.saturating_sub(fill + digits.len()))
        }
        None => (0, width.saturating_sub(digits.len())),
    };
    let filler = match (dots, letter) {
        (true, 'o') => '7',
        (true, 'x') => 'f',
        (true, 'X') => 'F',
        (true, _) => '1',
        (false, _) => '0',
    };
    if !flags.left {
        out.extend(std::iter::repeat_n(' ', width));
    }
    out.push_str(sign);
    out.push_str(prefix);
    if dots {
        out.push_str("..");
    }
    out.extend(std::iter::repeat_n(filler, fill));
    out.push_str(&digits);
    if flags.left {
        out.extend(std::iter::repeat_n(' ', width));
    }
}

fn in_base(mut number: u128, base: u128) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % base).ok().and_then(|digit| char::from_digit(digit, 16));
        digits.extend(digit);
        number /= base;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The digits of a negative number, of whose endless leading ones one is kept.
fn complement(number: i128, base: u128) -> String {
    let sign = match base {
        8 => '7',
        16 => 'f',
        _ => '1',
    };
    // 126 bits are a whole number of octal digits and leave the sign where it is for all but the very lowest numbers.
    let bits = if base == 8 { 126 } else { 124 };
    let digits = in_base(number as u128 & ((1 << bits) - 1), base);
    format!("{sign}{}", digits.trim_start_matches(sign))
}

/// The digits of a float that is larger than all integers. Its bits end in zeros, so they are written and grouped.
/// Compatibility is not sought for the endless two's complement of such a number: it is shown without its sign.
fn large_in_base(number: f64, base: u128) -> String {
    let group = match base {
        2 => 1,
        8 => 3,
        16 => 4,
        _ => return format!("{number:.0}"),
    };
    let bits = number.to_bits();
    let shift = usize::try_from((bits >> 52) & 0x7ff).unwrap_or(0).saturating_sub(1075);
    let mantissa = (bits & ((1 << 52) - 1)) | 1 << 52;
    let binary = format!("{mantissa:b}{}", "0".repeat(shift));
    let missing = (group - binary.len() % group) % group;
    let binary: Vec<char> = std::iter::repeat_n('0', missing).chain(binary.chars()).collect();
    let digit = |bits: &[char]| bits.iter().fold(0, |digit, bit| digit * 2 + u32::from(*bit == '1'));
    binary.chunks(group).filter_map(|bits| char::from_digit(digit(bits), 16)).collect()
}
