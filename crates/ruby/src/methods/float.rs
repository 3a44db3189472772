//! `Float`, rounding, and `Math`.

use num_bigint::BigInt;

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::iterate::to_big;
use crate::interpreter::order::float_of;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    core.add(&core.float, ROWS);
    core.add(&core.float, FRACTIONS);
    let constants = [
        ("INFINITY", f64::INFINITY),
        ("NAN", f64::NAN),
        ("EPSILON", f64::EPSILON),
        ("MAX", f64::MAX),
        ("MIN", f64::MIN_POSITIVE),
    ];
    for (name, value) in constants {
        core.float.constants.borrow_mut().insert(Sym::new(name), Value::Float(value));
    }
    let whole = [
        ("DIG", 15),
        ("MANT_DIG", 53),
        ("RADIX", 2),
        ("MAX_EXP", 1024),
        ("MIN_EXP", -1021),
        ("MAX_10_EXP", 308),
        ("MIN_10_EXP", -307),
    ];
    for (name, value) in whole {
        core.float.constants.borrow_mut().insert(Sym::new(name), Value::Int(value));
    }
    let math = core.class_named("Math", Kind::Module, None);
    core.add_own(&math, MATH);
    for (name, value) in [("PI", std::f64::consts::PI), ("E", std::f64::consts::E)] {
        math.constants.borrow_mut().insert(Sym::new(name), Value::Float(value));
    }
    if let Some(Value::Class(above)) = core.object.constant(Sym::new("ArgumentError")) {
        let error = Class::new(Some("Math::DomainError"), Kind::Class, Some(above));
        math.constants.borrow_mut().insert(Sym::new("DomainError"), Value::Class(error));
    }
}

const ROWS: &[Row] = &[
    Row("to_s", 0, 0, |_, this, _| Ok(Value::str(crate::interpreter::show::number(this)))),
    Row("to_i", 0, 0, |vm, this, _| whole(vm, float_of(this).trunc())),
    Row("to_int", 0, 0, |vm, this, _| whole(vm, float_of(this).trunc())),
    Row("nan?", 0, 0, |_, this, _| Ok(Value::Bool(float_of(this).is_nan()))),
    Row("floor", 0, 1, |vm, this, args| to_place(vm, this, args, Way::Floor)),
    Row("ceil", 0, 1, |vm, this, args| to_place(vm, this, args, Way::Ceil)),
    Row("round", 0, -1, |vm, this, args| to_place(vm, this, args, Way::Round)),
    Row("truncate", 0, 1, |vm, this, args| to_place(vm, this, args, Way::Truncate)),
    Row("next_float", 0, 0, |_, this, _| Ok(Value::Float(float_of(this).next_up()))),
    Row("prev_float", 0, 0, |_, this, _| Ok(Value::Float(float_of(this).next_down()))),
];

/// Floats as fractions.
const FRACTIONS: &[Row] = &[
    Row("to_r", 0, 0, super::integer::to_r),
    Row("rationalize", 0, 1, |vm, this, args| match args.values {
        [] => simplest(vm, this),
        [distance, ..] => {
            let exactly = super::integer::to_r(vm, this, Args::NONE)?;
            let class = Value::Class(vm.class_of(&exactly));
            let distance = vm.send(distance, Sym::new("abs"), &[])?;
            vm.send(&class, Sym::new("__between"), &[this.clone(), distance])
        }
    }),
    Row("numerator", 0, 0, |vm, this, args| part_of_fraction(vm, this, args, "numerator")),
    Row("denominator", 0, 0, |vm, this, args| part_of_fraction(vm, this, args, "denominator")),
];

fn part_of_fraction(vm: &mut Vm, this: &Value, args: Args<'_>, part: &str) -> Outcome {
    if !float_of(this).is_finite() {
        return Ok(if part == "numerator" { this.clone() } else { Value::Int(1) });
    }
    let fraction = super::integer::to_r(vm, this, args)?;
    vm.send(&fraction, Sym::new(part), &[])
}

/// The simplest fraction that is read as the float.
fn simplest(vm: &mut Vm, this: &Value) -> Outcome {
    let number = float_of(this);
    if !number.is_finite() || number == 0.0 {
        return super::integer::to_r(vm, this, Args::NONE);
    }
    let bits = number.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
    let fraction = bits & ((1 << 52) - 1);
    let mantissa = BigInt::from(if exponent == 0 { fraction << 1 } else { fraction | 1 << 52 });
    let power = exponent - 1075;
    if power >= 0 {
        return super::integer::to_r(vm, this, Args::NONE);
    }
    // Between half a step below and half a step above, by continued fractions.
    let bottom = BigInt::from(1) << (power.unsigned_abs() + 1);
    let (mut low, mut high) = ((&mantissa * 2 - 1, bottom.clone()), (&mantissa * 2 + 1, bottom));
    let (mut above, mut below): ([BigInt; 2], [BigInt; 2]) = ([0.into(), 1.into()], [1.into(), 0.into()]);
    loop {
        let least = (&low.0 + &low.1 - 1) / &low.1;
        let is_found = &least * &high.1 < high.0;
        let step = if is_found { least } else { least - 1 };
        let [a, b] = above;
        above = [b.clone(), &step * &b + a];
        let [a, b] = below;
        below = [b.clone(), &step * &b + a];
        if is_found {
            break;
        }
        let rests = (&low.0 - &step * &low.1, &high.0 - &step * &high.1);
        (low, high) = ((high.1, rests.1), (low.1, rests.0));
    }
    let [_, top] = above;
    let [_, bottom] = below;
    let top = if number < 0.0 { -top } else { top };
    vm.rational(&Value::big(top), &Value::big(bottom))
}

const MATH: &[Row] = &[
    Row("sqrt", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "sqrt", 0.0..=f64::INFINITY)?.sqrt()))),
    Row("cbrt", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.cbrt()))),
    Row("sin", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.sin()))),
    Row("cos", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.cos()))),
    Row("tan", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.tan()))),
    Row("atan", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.atan()))),
    Row("exp", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.exp()))),
    Row("hypot", 2, 2, |vm, _, args| {
        let (a, b) = (vm.float_argument(args.at(0))?, vm.float_argument(args.at(1))?);
        Ok(Value::Float(a.hypot(b)))
    }),
    Row("atan2", 2, 2, |vm, _, args| {
        let (a, b) = (vm.float_argument(args.at(0))?, vm.float_argument(args.at(1))?);
        Ok(Value::Float(a.atan2(b)))
    }),
    Row("asin", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "asin", -1.0..=1.0)?.asin()))),
    Row("acos", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "acos", -1.0..=1.0)?.acos()))),
    Row("sinh", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.sinh()))),
    Row("cosh", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.cosh()))),
    Row("tanh", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.tanh()))),
    Row("asinh", 1, 1, |vm, _, args| Ok(Value::Float(vm.float_argument(args.at(0))?.asinh()))),
    Row("acosh", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "acosh", 1.0..=f64::INFINITY)?.acosh()))),
    Row("atanh", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "atanh", -1.0..=1.0)?.atanh()))),
    Row("ldexp", 2, 2, |vm, _, args| {
        let (fraction, exponent) = (vm.float_argument(args.at(0))?, vm.to_c_int(args.at(1))?);
        Ok(Value::Float(fraction * 2f64.powi(exponent)))
    }),
    Row("log", 1, 2, |vm, _, args| {
        let number = within(vm, args.at(0), "log", 0.0..=f64::INFINITY)?;
        match args.get(1) {
            None => Ok(Value::Float(number.ln())),
            Some(base) => Ok(Value::Float(number.ln() / vm.float_argument(base)?.ln())),
        }
    }),
    Row("log2", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "log2", 0.0..=f64::INFINITY)?.log2()))),
    Row("log10", 1, 1, |vm, _, args| Ok(Value::Float(within(vm, args.at(0), "log10", 0.0..=f64::INFINITY)?.log10()))),
];

/// An argument for which a function is defined.
fn within(vm: &mut Vm, value: &Value, name: &str, domain: std::ops::RangeInclusive<f64>) -> Outcome<f64> {
    let number = vm.float_argument(value)?;
    if !domain.contains(&number) && !number.is_nan() {
        let message = format!("Numerical argument is out of domain - {name}");
        return Err(vm.scoped_error("Math", "DomainError", &message));
    }
    Ok(number)
}

/// A float without a fraction as an integer.
pub(super) fn whole(vm: &mut Vm, number: f64) -> Outcome {
    if !number.is_finite() {
        let shown = crate::interpreter::show::float(number);
        return Err(vm.error("FloatDomainError", &shown));
    }
    if number.abs() < 9.0e18 {
        return Ok(Value::Int(number as i64));
    }
    Ok(format!("{number:.0}").parse::<BigInt>().map_or(Value::Nil, Value::big))
}

/// How a number is made rounder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Floor,
    Ceil,
    Round,
    Truncate,
}

/// Rounds to a number of digits after the point, or before it if it is negative.
pub(super) fn to_place(vm: &mut Vm, this: &Value, args: Args<'_>, way: Way) -> Outcome {
    let (values, _) = args.split_keywords();
    let digits = match values.first() {
        None => 0,
        Some(digits) => i64::from(vm.to_c_int(digits)?),
    };
    let half = match if args.keywords { args.keyword("half") } else { None } {
        None | Some(Value::Nil) => "up".to_string(),
        Some(half) => {
            let half = vm.to_s(&half)?;
            let is_asked = digits < 0 || matches!(this, Value::Float(_));
            if is_asked && !matches!(half.as_str(), "up" | "down" | "even") {
                return Err(vm.argument_error(&format!("invalid rounding mode: {half}")));
            }
            half
        }
    };
    match this {
        Value::Float(number) if digits > 0 => Ok(Value::Float(rounded(*number, digits, way, &half))),
        Value::Float(number) => {
            let number = match way {
                Way::Floor => number.floor(),
                Way::Ceil => number.ceil(),
                Way::Truncate => number.trunc(),
                Way::Round if digits < 0 => number.trunc(),
                Way::Round => match half.as_str() {
                    "even" => number.round_ties_even(),
                    "down" if (number.abs().fract() - 0.5).abs() == 0.0 => number.trunc(),
                    _ => number.round(),
                },
            };
            let number = whole(vm, number)?;
            if digits < 0 { Ok(integer_to_place(&number, digits, way, &half)) } else { Ok(number) }
        }
        other if digits >= 0 => Ok(other.clone()),
        other => Ok(integer_to_place(other, digits, way, &half)),
    }
}

fn integer_to_place(value: &Value, digits: i64, way: Way, half: &str) -> Value {
    let number = to_big(value).unwrap_or_default();
    let zero = BigInt::default();
    // Ruby asks how many bytes the number takes before it calculates.
    let bytes = number.bits().div_ceil(64).max(1) * 8;
    if 0.415_241 * digits.unsigned_abs() as f64 - 0.125 > bytes as f64 {
        return Value::Int(0);
    }
    let power = u32::try_from(digits.unsigned_abs()).unwrap_or(u32::MAX);
    let unit = BigInt::from(10).pow(power);
    let rest = ((&number % &unit) + &unit) % &unit;
    let (low, high) = (&number - &rest, &number - &rest + &unit);
    if rest == zero {
        return value.clone();
    }
    let twice = &rest * 2;
    let is_negative = number < zero;
    let up = match way {
        Way::Floor => false,
        Way::Ceil => true,
        Way::Truncate => is_negative,
        Way::Round if twice == unit => match half {
            "even" => (&low / &unit).bit(0),
            "down" => is_negative,
            _ => !is_negative,
        },
        Way::Round => twice > unit,
    };
    Value::big(if up { high } else { low })
}

/// Rounds a float to some digits, by its shortest decimal form where that decides.
fn rounded(number: f64, digits: i64, way: Way, half: &str) -> f64 {
    if !number.is_finite() || digits >= 17 || number == 0.0 {
        return number;
    }
    if way == Way::Round && is_too_small(number, digits) {
        return 0.0;
    }
    let places = usize::try_from(digits).unwrap_or_default();
    let factor = 10f64.powi(i32::try_from(digits).unwrap_or(0));
    let scaled = number * factor;
    if !scaled.is_finite() || scaled.abs() >= 9.0e15 {
        return number;
    }
    let exactly = |candidate: f64| format!("{candidate:.places$}").parse::<f64>().unwrap_or(candidate);
    match way {
        Way::Round => {
            let (low, high) = (scaled.floor(), scaled.ceil());
            let is_tie = (scaled - low - 0.5).abs() < f64::EPSILON * scaled.abs().max(1.0);
            let chosen = if is_tie {
                match half {
                    "even" => {
                        if (low / 2.0).fract() == 0.0 {
                            low
                        } else {
                            high
                        }
                    }
                    "down" => {
                        if number > 0.0 {
                            low
                        } else {
                            high
                        }
                    }
                    _ => {
                        if number > 0.0 {
                            high
                        } else {
                            low
                        }
                    }
                }
            } else {
                scaled.round()
            };
            exactly(chosen / factor)
        }
        Way::Floor => {
            let same = exactly(number);
            if same == number { number } else { exactly(scaled.floor() / factor) }
        }
        Way::Ceil => {
            let same = exactly(number);
            if same == number { number } else { exactly(scaled.ceil() / factor) }
        }
        Way::Truncate => {
            let same = exactly(number);
            if same == number { number } else { exactly(scaled.trunc() / factor) }
        }
    }
}

/// Whether nothing is left of a number with so many digits after the point.
fn is_too_small(number: f64, digits: i64) -> bool {
    let exponent = i64::try_from(number.to_bits() >> 52 & 0x7ff).unwrap_or_default() - 1022;
    digits < -(if exponent > 0 { exponent / 3 + 1 } else { exponent / 4 })
}

/// A float at the start of a string.
pub(super) fn leading(text: &str) -> f64 {
    let text = text.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == '\u{b}');
    let letters: Vec<char> = text.chars().collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mut read = String::new();
    let mut at = 0;
    if let Some(sign @ ('+' | '-')) = letters.first() {
        read.push(*sign);
        at = 1;
    }
    let (mut has_point, mut has_exponent) = (false, false);
    while let Some(letter) = letters.get(at) {
        match letter {
            '0'..='9' => read.push(*letter),
            '_' if at > 0 && digit(at - 1) && digit(at + 1) => {}
            '.' if !has_point && !has_exponent && at > 0 && digit(at - 1) && digit(at + 1) => {
                has_point = true;
                read.push('.');
            }
            '.' if !has_point && !has_exponent && digit(at + 1) && (at == 0 || !digit(at - 1)) && read.len() <= 1 => {
                has_point = true;
                read.push_str("0.");
            }
            'e' | 'E' if !has_exponent && at > 0 && digit(at - 1) => {
                let has_sign = matches!(letters.get(at + 1), Some('+' | '-'));
                if !digit(at + 1 + usize::from(has_sign)) {
                    break;
                }
                has_exponent = true;
                read.push('e');
                if has_sign {
                    read.extend(letters.get(at + 1));
                    at += 1;
                }
            }
            _ => break,
        }
        at += 1;
    }
    read.parse().unwrap_or(0.0)
}
