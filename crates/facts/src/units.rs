//! Sizes, speeds and shares as the reference writes them.

use bunraku_pcore::Value;

const PREFIXES: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// A size for people: `15.55 GiB`.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    // Rounding may give 1024 of a unit, which is one of the next.
    let mut number = bytes as f64;
    let mut unit = 0;
    while number >= 1024.0 && unit < PREFIXES.len() {
        number /= 1024.0;
        unit += 1;
    }
    number = (number * 100.0).round() / 100.0;
    if number >= 1024.0 && unit < PREFIXES.len() {
        number = 1.0;
        unit += 1;
    }
    format!("{number:.2} {}", PREFIXES.get(unit.saturating_sub(1)).copied().unwrap_or_default())
}

/// A size in mebibytes.
pub(crate) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A speed for people: `2.40 GHz`.
pub(crate) fn speed(hertz: u64) -> Option<String> {
    let exponent = hertz.checked_ilog10()? / 3 * 3;
    let prefix = ["", "k", "M", "G", "T"].get(exponent as usize / 3)?;
    let number = hertz as f64 / 10_f64.powi(exponent.cast_signed());
    Some(format!("{number:.2} {prefix}Hz"))
}

/// The share that is used: `39.42%`.
pub(crate) fn share(used: u64, total: u64) -> String {
    format!("{:.2}%", used as f64 / total as f64 * 100.0)
}

/// A number of bytes as a value; what is beyond 63 bits no machine has.
pub(crate) fn bytes(number: u64) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_for_people() {
        let check = |bytes, expected: &str| assert_eq!(size(bytes), expected);
        check(0, "0 bytes");
        check(1023, "1023 bytes");
        check(1024, "1.00 KiB");
        check(99_479_552, "94.87 MiB");
        check(16_694_710_272, "15.55 GiB");
        check((1 << 20) - 1, "1.00 MiB");
        check(u64::MAX, "16.00 EiB");
    }

    #[test]
    fn speeds_are_for_people() {
        let check = |hertz, expected: Option<&str>| assert_eq!(speed(hertz).as_deref(), expected);
        check(0, None);
        check(7, Some("7.00 Hz"));
        check(2_400_000_000, Some("2.40 GHz"));
        check(999_000_000, Some("999.00 MHz"));
        check(10_u64.pow(15), None);
    }
}
