//! `convert_base`: a number in another base.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Writes a number, or a string of decimal digits, in a base from 2 to 36.
    ///
    /// ```puppet
    /// convert_base(255, 16) # 'ff'
    /// ```
    "convert_base" of "stdlib" {
        "arity 2" as "(Variant[Integer, String] $number, Variant[Integer, String] $base) >> String" => convert_base(*args),
    }
}

fn convert_base(args: &[Value]) -> Result<String, Issue> {
    const NOT_A_NUMBER: &str =
        "convert_base(): First argument must be an integer or a string corresponding to an integer in base 10";
    for (value, position) in args.iter().zip(["First", "Second"]) {
        match value {
            Value::Integer(_) | Value::String(_) => {}
            _ => return fail(format!("convert_base(): {position} argument must be either a string or an integer")),
        }
    }
    if args.iter().any(|value| value.as_str().is_some_and(|text| !legacy_arguments::is_digits(text))) {
        return fail(NOT_A_NUMBER);
    }
    let (number, base) = (legacy_arguments::integer(args.first()), legacy_arguments::integer(args.get(1)));
    match u32::try_from(base) {
        Ok(base @ 2..=36) => Ok(in_base(number, base)),
        _ => fail("convert_base(): base must be at least 2 and must not be greater than 36"),
    }
}

fn in_base(number: i64, base: u32) -> String {
    let mut rest = number.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(rest % u64::from(base)).unwrap_or(0);
        digits.extend(char::from_digit(digit, base));
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    digits.extend((number < 0).then_some('-'));
    digits.iter().rev().collect()
}
