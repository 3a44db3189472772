//! `range_to_mask`: processors as a mask of bits.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use num_bigint::BigUint;

use crate::number::{fail, leading_integer};

function! {
    /// Returns the mask, in hexadecimal, whose bits are set at the numbers and ranges of a list.
    ///
    /// ```puppet
    /// range_to_mask('0-3,8') # '10f'
    /// ```
    "range_to_mask" of "vswitch" {
        "(Pattern[/^$/] $range)" as ">> Optional[String]" => nothing(range),
        "(Pattern[/^[0-9\\-\\,]/] $range)" as ">> Optional[String]" => range_to_mask(range),
        "(Undef $range)" as ">> Optional[String]" => nothing(range),
    }
}

/// The highest bit that a mask may have: more than any machine has processors.
const HIGHEST_BIT: i64 = 1 << 20;

fn nothing(_range: &Value) -> Value {
    Value::Undef
}

fn range_to_mask(list: &str) -> Result<String, Issue> {
    let mut ranges = list.split(',').map(range).collect::<Result<Vec<_>, Issue>>()?;
    // Compatibility: nothing between two commas is a zero, nothing at the end is nothing.
    while ranges.last().is_some_and(|(first, last)| first > last) {
        ranges.pop();
    }
    let mut mask = BigUint::ZERO;
    for (first, last) in ranges {
        let bits = if first > last { 0..=0 } else { first..=last };
        bits.for_each(|bit| mask.set_bit(bit, true));
    }
    Ok(format!("{mask:x}"))
}

/// The bits that a number or a range tells; the first is above the last if there are none.
fn range(part: &str) -> Result<(u64, u64), Issue> {
    if part.is_empty() {
        return Ok((1, 0));
    }
    let mut numbers = part.trim_end_matches('-').split('-').map(leading_integer);
    let first = numbers.next().unwrap_or_default();
    let last = match numbers.next() {
        Some(last) => last,
        None if part.contains('-') => return fail("cannot convert endless range to an array"),
        None => first,
    };
    if last > HIGHEST_BIT {
        return fail(format!("range_to_mask(): {last} is too high"));
    }
    Ok((u64::try_from(first).unwrap_or_default(), u64::try_from(last).unwrap_or_default()))
}
