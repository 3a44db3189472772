//! `Integer`, of any size, and what all numbers share.

use num_bigint::BigInt;

use crate::interpreter::code::Args;
use crate::interpreter::iterate::to_big;
use crate::interpreter::order::float_of;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

/// How many bits an integer may have.
const MOST_BITS: u64 = 32 << 20;

/// `Integer.sqrt`.
pub(super) const OWN: &[Row] = &[Row("sqrt", 1, 1, |vm, _, args| {
    let number = vm.big(args.at(0))?;
    if number < BigInt::default() {
        return Err(vm.scoped_error("Math", "DomainError", "Numerical argument is out of domain - \"isqrt\""));
    }
    Ok(Value::big(number.sqrt()))
})];

/// Methods of integers and floats.
pub(super) const NUMERIC: &[Row] = &[
    Row("+", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::PLUS)),
    Row("-", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::MINUS)),
    Row("*", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::TIMES)),
    Row("/", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::DIVIDE)),
    Row("%", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::MODULO)),
    Row("modulo", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::MODULO)),
    Row("**", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), sym::POWER)),
    Row("-@", 0, 0, |_, this, _| {
        Ok(match this {
            Value::Float(number) => Value::Float(-number),
            other => Value::big(-to_big(other).unwrap_or_default()),
        })
    }),
    Row("+@", 0, 0, |_, this, _| Ok(this.clone())),
    Row("==", 1, 1, equal),
    Row("===", 1, 1, equal),
    Row("eql?", 1, 1, |_, this, args| Ok(Value::Bool(crate::interpreter::hash::is_eql(this, args.at(0))))),
    Row("<=>", 1, 1, |vm, this, args| Ok(super::comparable::sign(vm.compare(this, args.at(0))?))),
    Row("coerce", 1, 1, |vm, this, args| match (this, args.at(0)) {
        (Value::Int(_) | Value::Big(_), other @ (Value::Int(_) | Value::Big(_))) => {
            Ok(Value::pair(other.clone(), this.clone()))
        }
        (_, text @ Value::Str(_)) => {
            let main = vm.main.clone();
            let other = vm.send(&main, Sym::new("Float"), std::slice::from_ref(text))?;
            Ok(Value::pair(other, Value::Float(float_of(this))))
        }
        (_, other) => {
            let other = vm.float_argument(other)?;
            Ok(Value::pair(Value::Float(other), Value::Float(float_of(this))))
        }
    }),
    Row("divmod", 1, 1, |vm, this, args| {
        let quotient = arithmetic(vm, this, args.at(0), Sym::new("div"))?;
        let rest = arithmetic(vm, this, args.at(0), sym::MODULO)?;
        Ok(Value::pair(quotient, rest))
    }),
    Row("div", 1, 1, |vm, this, args| arithmetic(vm, this, args.at(0), Sym::new("div"))),
    Row("fdiv", 1, 1, |vm, this, args| match args.at(0) {
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Object(_) => {
            Ok(Value::Float(float_of(this) / vm.float_argument(args.at(0))?))
        }
        other => Err(vm.not_coerced(this, other)),
    }),
    Row("quo", 1, 1, |vm, this, args| match (this, args.at(0)) {
        (Value::Float(_), _) | (_, Value::Float(_)) => {
            Ok(Value::Float(float_of(this) / vm.float_argument(args.at(0))?))
        }
        (_, divisor) => vm.rational(this, divisor),
    }),
    Row("remainder", 1, 1, |vm, this, args| match (this, args.at(0)) {
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
            let (a, b) = (vm.big(this)?, vm.big(args.at(0))?);
            if b == BigInt::default() {
                return Err(vm.error("ZeroDivisionError", "divided by 0"));
            }
            Ok(Value::big(a % b))
        }
        (_, other) => Ok(Value::Float(float_of(this) % vm.float_argument(other)?)),
    }),
    Row("abs", 0, 0, |_, this, _| Ok(absolute(this))),
    Row("magnitude", 0, 0, |_, this, _| Ok(absolute(this))),
    Row("zero?", 0, 0, |_, this, _| Ok(Value::Bool(float_of(this) == 0.0))),
    Row("nonzero?", 0, 0, |_, this, _| Ok(if float_of(this) == 0.0 { Value::Nil } else { this.clone() })),
    Row("positive?", 0, 0, |_, this, _| Ok(Value::Bool(float_of(this) > 0.0))),
    Row("negative?", 0, 0, |_, this, _| Ok(Value::Bool(float_of(this) < 0.0))),
    Row("integer?", 0, 0, |_, this, _| Ok(Value::Bool(!matches!(this, Value::Float(_))))),
    Row("finite?", 0, 0, |_, this, _| Ok(Value::Bool(!matches!(this, Value::Float(it) if !it.is_finite())))),
    Row("infinite?", 0, 0, |_, this, _| {
        Ok(match this {
            Value::Float(number) if number.is_infinite() => Value::Int(if *number > 0.0 { 1 } else { -1 }),
            _ => Value::Nil,
        })
    }),
    Row("real?", 0, 0, |_, _, _| Ok(Value::Bool(true))),
    Row("to_f", 0, 0, |_, this, _| Ok(Value::Float(float_of(this)))),
    Row("step", 0, -1, step),
    Row("hash", 0, 0, super::object::hash_number),
    Row("dup", 0, 0, |_, this, _| Ok(this.clone())),
    Row("inspect", 0, 0, |_, this, _| Ok(Value::str(crate::interpreter::show::number(this)))),
];

/// How integers and floats compare: with what is no number they do not.
pub(super) const ORDER: &[Row] = &[
    Row("<", 1, 1, |vm, this, args| is_ordered(vm, this, args.at(0), std::cmp::Ordering::is_lt)),
    Row("<=", 1, 1, |vm, this, args| is_ordered(vm, this, args.at(0), std::cmp::Ordering::is_le)),
    Row(">", 1, 1, |vm, this, args| is_ordered(vm, this, args.at(0), std::cmp::Ordering::is_gt)),
    Row(">=", 1, 1, |vm, this, args| is_ordered(vm, this, args.at(0), std::cmp::Ordering::is_ge)),
];

fn is_ordered(vm: &mut Vm, a: &Value, b: &Value, fits: fn(std::cmp::Ordering) -> bool) -> Outcome {
    let is_number = matches!(b, Value::Int(_) | Value::Big(_) | Value::Float(_));
    match vm.compare(a, b)? {
        Some(order) => Ok(Value::Bool(fits(order))),
        None if is_number => Ok(Value::Bool(false)),
        None => Err(vm.not_comparable(a, b)),
    }
}

pub(super) const ROWS: &[Row] = &[
    Row("to_s", 0, 1, |vm, this, args| {
        let base = if args.values.is_empty() { 10 } else { vm.to_int(args.at(0))? };
        match u32::try_from(base).ok().filter(|base| (2..=36).contains(base)) {
            Some(base) => Ok(Value::str(to_big(this).unwrap_or_default().to_str_radix(base))),
            None => Err(vm.argument_error(&format!("invalid radix {base}"))),
        }
    }),
    Row("to_i", 0, 0, |_, this, _| Ok(this.clone())),
    Row("to_int", 0, 0, |_, this, _| Ok(this.clone())),
    Row("to_r", 0, 0, to_r),
    Row("rationalize", 0, 1, to_r),
    Row("chr", 0, 1, |vm, this, args| {
        if let Some(encoding) = args.get(0).filter(|it| !matches!(it, Value::Object(_))) {
            vm.to_str(encoding)?;
        }
        let code = vm.to_int(this)?;
        match (u8::try_from(code), u32::try_from(code).ok().and_then(char::from_u32)) {
            (Ok(byte), _) if byte.is_ascii() && args.values.is_empty() => {
                let made = crate::interpreter::value::Str::new(vec![byte]);
                made.encoding.set(crate::interpreter::value::Encoding::Ascii);
                Ok(Value::Str(std::rc::Rc::new(made)))
            }
            (Ok(byte), _) if args.values.is_empty() => Ok(Value::binary(vec![byte])),
            (_, Some(letter)) if !args.values.is_empty() => Ok(Value::str(letter.to_string())),
            _ => Err(vm.error("RangeError", &format!("{code} out of char range"))),
        }
    }),
    Row("ord", 0, 0, |_, this, _| Ok(this.clone())),
    Row("times", 0, 0, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "times", &[])) };
        for number in 0..vm.to_int(this)? {
            vm.give(block, Value::Int(number))?;
        }
        Ok(this.clone())
    }),
    Row("upto", 1, 1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "upto", args.values)) };
        let mut number = this.clone();
        while vm.ordered(&number, args.at(0))?.is_le() {
            vm.give(block, number.clone())?;
            number = arithmetic(vm, &number, &Value::Int(1), sym::PLUS)?;
        }
        Ok(this.clone())
    }),
    Row("downto", 1, 1, |vm, this, args| {
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "downto", args.values)) };
        let mut number = this.clone();
        while vm.ordered(&number, args.at(0))?.is_ge() {
            vm.give(block, number.clone())?;
            number = arithmetic(vm, &number, &Value::Int(1), sym::MINUS)?;
        }
        Ok(this.clone())
    }),
    Row("succ", 0, 0, |vm, this, _| arithmetic(vm, this, &Value::Int(1), sym::PLUS)),
    Row("next", 0, 0, |vm, this, _| arithmetic(vm, this, &Value::Int(1), sym::PLUS)),
    Row("pred", 0, 0, |vm, this, _| arithmetic(vm, this, &Value::Int(1), sym::MINUS)),
    Row("even?", 0, 0, |vm, this, _| Ok(Value::Bool(!vm.big(this)?.bit(0)))),
    Row("odd?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.big(this)?.bit(0)))),
    Row("gcd", 1, 1, |vm, this, args| {
        let (a, b) = (vm.integer(this)?, vm.integer(args.at(0))?);
        Ok(Value::big(common_divisor(a, b)))
    }),
    Row("gcdlcm", 1, 1, |vm, this, args| {
        let gcd = vm.send(this, Sym::new("gcd"), args.values)?;
        Ok(Value::pair(gcd, vm.send(this, Sym::new("lcm"), args.values)?))
    }),
    Row("lcm", 1, 1, |vm, this, args| {
        let (a, b) = (vm.integer(this)?, vm.integer(args.at(0))?);
        let zero = BigInt::default();
        if a == zero || b == zero {
            return Ok(Value::Int(0));
        }
        let product = &a * &b;
        let product = if product < zero { -product } else { product };
        Ok(Value::big(product / common_divisor(a, b)))
    }),
    Row("pow", 1, 2, |vm, this, args| match args.get(1) {
        None => arithmetic(vm, this, args.at(0), sym::POWER),
        Some(modulus) => {
            let (base, power, modulus) = (vm.big(this)?, vm.big(args.at(0))?, vm.big(modulus)?);
            if modulus == BigInt::default() {
                return Err(vm.error("ZeroDivisionError", "divided by 0"));
            }
            if power < BigInt::default() {
                return Err(
                    vm.error("RangeError", "Integer#pow() 2nd argument cannot be negative when 3rd argument specified")
                );
            }
            Ok(Value::big(base.modpow(&power, &modulus)))
        }
    }),
    Row("digits", 0, 1, |vm, this, args| {
        let base = if args.values.is_empty() { BigInt::from(10) } else { vm.integer(args.at(0))? };
        let mut number = vm.big(this)?;
        let zero = BigInt::default();
        if number < zero {
            return Err(vm.scoped_error("Math", "DomainError", "out of domain"));
        }
        if base < zero {
            return Err(vm.argument_error("negative radix"));
        }
        if base < BigInt::from(2) {
            return Err(vm.argument_error(&format!("invalid radix {base}")));
        }
        let mut digits = Vec::new();
        while number > zero || digits.is_empty() {
            digits.push(Value::big(&number % &base));
            number /= &base;
        }
        Ok(Value::array(digits))
    }),
    Row("bit_length", 0, 0, |vm, this, _| {
        let number = vm.big(this)?;
        let number = if number < BigInt::default() { -number - 1 } else { number };
        Ok(Value::Int(i64::try_from(number.bits()).unwrap_or(i64::MAX)))
    }),
    Row("size", 0, 0, |vm, this, _| {
        let bits = vm.big(this)?.bits().max(1);
        Ok(Value::Int(i64::try_from(bits.div_ceil(64) * 8).unwrap_or(8)))
    }),
    Row("[]", 1, 2, bit_at),
    Row("&", 1, 1, |vm, this, args| bits(vm, this, args, |a, b| a & b)),
    Row("|", 1, 1, |vm, this, args| bits(vm, this, args, |a, b| a | b)),
    Row("^", 1, 1, |vm, this, args| bits(vm, this, args, |a, b| a ^ b)),
    Row("~", 0, 0, |vm, this, _| Ok(Value::big(-vm.big(this)? - 1))),
    Row("<<", 1, 1, |vm, this, args| {
        let by = vm.to_int(args.at(0))?;
        shift(vm, this, by)
    }),
    Row(">>", 1, 1, |vm, this, args| {
        let by = vm.to_int(args.at(0))?;
        shift(vm, this, by.saturating_neg())
    }),
    Row("allbits?", 1, 1, |vm, this, args| {
        let (a, b) = (vm.big(this)?, vm.mask(args.at(0))?);
        Ok(Value::Bool((a & &b) == b))
    }),
    Row("anybits?", 1, 1, |vm, this, args| {
        Ok(Value::Bool((vm.big(this)? & vm.mask(args.at(0))?) != BigInt::default()))
    }),
    Row("nobits?", 1, 1, |vm, this, args| Ok(Value::Bool((vm.big(this)? & vm.mask(args.at(0))?) == BigInt::default()))),
    Row("floor", 0, 1, |vm, this, args| super::float::to_place(vm, this, args, super::float::Way::Floor)),
    Row("ceil", 0, 1, |vm, this, args| super::float::to_place(vm, this, args, super::float::Way::Ceil)),
    Row("round", 0, -1, |vm, this, args| super::float::to_place(vm, this, args, super::float::Way::Round)),
    Row("truncate", 0, 1, |vm, this, args| super::float::to_place(vm, this, args, super::float::Way::Truncate)),
    Row("numerator", 0, 0, |_, this, _| Ok(this.clone())),
    Row("denominator", 0, 0, |_, _, _| Ok(Value::Int(1))),
];

fn equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    match args.at(0) {
        other @ Value::Object(_) => {
            Ok(Value::Bool(vm.send(other, sym::EQUAL, std::slice::from_ref(this))?.is_truthy()))
        }
        other => Ok(Value::Bool(vm.equals(this, other)?)),
    }
}

fn absolute(value: &Value) -> Value {
    match value {
        Value::Float(number) => Value::Float(number.abs()),
        other => {
            let number = to_big(other).unwrap_or_default();
            Value::big(if number < BigInt::default() { -number } else { number })
        }
    }
}

fn common_divisor(a: BigInt, b: BigInt) -> BigInt {
    let zero = BigInt::default();
    let (mut a, mut b) = (a, b);
    while b != zero {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    if a < zero { -a } else { a }
}

/// An integer at the start of a string, in Ruby's forgiving way. Base 0 and `oct`'s base look at the prefix.
pub(super) fn leading(text: &str, base: u32) -> Value {
    let (base, guesses) = if base == 0 || base > 36 { (if base == 0 { 10 } else { 8 }, true) } else { (base, false) };
    let trimmed = text.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == '\u{b}');
    let (sign, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let prefix = digits.get(..2).map(str::to_ascii_lowercase);
    let rest = digits.get(2..).unwrap_or_default();
    let (base, digits) = match prefix.as_deref() {
        Some("0x") if base == 16 || guesses => (16, rest),
        Some("0b") if base == 2 || guesses => (2, rest),
        Some("0o") if base == 8 || guesses => (8, rest),
        Some("0d") if base == 10 || guesses => (10, rest),
        Some(other) if guesses && other.starts_with('0') => (8, digits),
        _ => (base, digits),
    };
    crate::interpreter::show::leading_integer(&format!("{sign}{digits}"), base)
}

/// A number as a fraction.
pub(super) fn to_r(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    let Value::Float(number) = this else { return vm.rational(this, &Value::Int(1)) };
    if !number.is_finite() {
        return Err(vm.error("FloatDomainError", &crate::interpreter::show::float(*number)));
    }
    let bits = number.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
    let mantissa = bits & ((1 << 52) - 1);
    let mantissa = if exponent == 0 { mantissa << 1 } else { mantissa | 1 << 52 };
    let top = if *number < 0.0 { -BigInt::from(mantissa) } else { BigInt::from(mantissa) };
    let power = exponent - 1075;
    let shift = BigInt::from(1) << power.unsigned_abs();
    let (top, bottom) = if power < 0 { (top, shift) } else { (top * shift, BigInt::from(1)) };
    vm.rational(&Value::big(top), &Value::big(bottom))
}

/// `+`, `-`, `*`, `/`, `%`, `**` and `div`.
pub(crate) fn arithmetic(vm: &mut Vm, a: &Value, b: &Value, operator: Sym) -> Outcome {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        let small = match operator {
            sym::PLUS => x.checked_add(*y),
            sym::MINUS => x.checked_sub(*y),
            sym::TIMES => x.checked_mul(*y),
            sym::DIVIDE => x.checked_div(*y).map(|it| it - i64::from(x % y != 0 && (*x < 0) != (*y < 0))),
            sym::MODULO => x.checked_rem(*y).map(|it| if it != 0 && (it < 0) != (*y < 0) { it + y } else { it }),
            _ => None,
        };
        if let Some(number) = small {
            return Ok(Value::Int(number));
        }
    }
    match (a, b) {
        // A number of a class of its own that does not say what this means.
        (Value::Object(_), _) => {
            let (name, shown) = (operator.as_str(), vm.receiver_shown(a)?);
            Err(vm.name_error("NoMethodError", &format!("undefined method `{name}' for {shown}"), operator, a))
        }
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) => {
            let (x, y) = (to_big(a).unwrap_or_default(), to_big(b).unwrap_or_default());
            integers(vm, x, y, operator)
        }
        (_, Value::Int(_) | Value::Big(_) | Value::Float(_)) => floats(vm, float_of(a), float_of(b), operator),
        (_, Value::Object(_)) if vm.responds_to(b, sym::COERCE) => {
            let pair = vm.send(b, sym::COERCE, std::slice::from_ref(a))?;
            let pair = vm.items(&pair)?;
            match &*pair {
                [x, y] => vm.send(x, operator, std::slice::from_ref(y)),
                _ => Err(vm.type_error("coerce must return [x, y]")),
            }
        }
        _ => Err(vm.not_coerced(a, b)),
    }
}

/// `number[bit]`, and several bits of a range or of a first one and a count.
fn bit_at(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let number = vm.big(this)?;
    let (start, count) = match args.values {
        [Value::Range(range)] => {
            let start = if range.start.is_nil() { 0 } else { vm.to_int(&range.start)? };
            let end = if range.end.is_nil() { None } else { Some(vm.to_int(&range.end)?) };
            (start, end.map(|end| end - start + i64::from(!range.excludes_end)).filter(|count| *count >= 0))
        }
        [start, count] => (vm.to_int(start)?, Some(vm.to_int(count)?)),
        [Value::Nil] => return Err(vm.type_error("no implicit conversion of nil into Integer")),
        [Value::Big(place)] => {
            let is_set = **place > BigInt::default() && number < BigInt::default();
            return Ok(Value::Int(i64::from(is_set)));
        }
        _ => {
            let Ok(bit) = u64::try_from(vm.to_int(args.at(0))?) else { return Ok(Value::Int(0)) };
            return Ok(Value::Int(i64::from(number.bit(bit))));
        }
    };
    let moved = shift(vm, this, start.saturating_neg())?;
    match count.and_then(|count| u64::try_from(count).ok()) {
        Some(count) => {
            vm.check_bits(count)?;
            Ok(Value::big(vm.big(&moved)? & ((BigInt::from(1) << count) - 1)))
        }
        None => Ok(moved),
    }
}

fn integers(vm: &mut Vm, x: BigInt, y: BigInt, operator: Sym) -> Outcome {
    let zero = BigInt::default();
    Ok(Value::big(match operator {
        sym::PLUS => x + y,
        sym::MINUS => x - y,
        sym::TIMES => {
            vm.check_bits(x.bits() + y.bits())?;
            x * y
        }
        sym::POWER if y < zero => {
            if x == zero {
                return Err(vm.error("ZeroDivisionError", "divided by 0"));
            }
            let positive = integers(vm, x, -y, operator)?;
            return vm.rational(&Value::Int(1), &positive);
        }
        sym::POWER => match u32::try_from(&y) {
            Ok(power) => {
                if x.bits() > 1 && x.bits().saturating_mul(u64::from(power)) > MOST_BITS {
                    return Ok(Value::Float(f64::INFINITY));
                }
                x.pow(power)
            }
            Err(_) if x.bits() <= 1 => x.pow(if y.bit(0) { 1 } else { 2 }),
            Err(_) => return Ok(Value::Float(f64::INFINITY)),
        },
        _ if y == zero => return Err(vm.error("ZeroDivisionError", "divided by 0")),
        sym::MODULO => {
            let rest = &x % &y;
            if rest != zero && (rest < zero) != (y < zero) { rest + y } else { rest }
        }
        _ => {
            let (quotient, rest) = (&x / &y, &x % &y);
            if rest != zero && (rest < zero) != (y < zero) { quotient - 1 } else { quotient }
        }
    }))
}

fn floats(vm: &mut Vm, x: f64, y: f64, operator: Sym) -> Outcome {
    Ok(Value::Float(match operator {
        sym::PLUS => x + y,
        sym::MINUS => x - y,
        sym::TIMES => x * y,
        sym::DIVIDE => x / y,
        sym::POWER => {
            if x < 0.0 && y.fract() != 0.0 && y.is_finite() {
                return Err(vm.error("NotImplementedError", "complex numbers are not supported"));
            }
            x.powf(y)
        }
        sym::MODULO if y == 0.0 => return Err(vm.error("ZeroDivisionError", "divided by 0")),
        sym::MODULO => {
            if y.is_infinite() && x.is_finite() && x != 0.0 {
                return Ok(Value::Float(if (x < 0.0) == (y < 0.0) { x } else { y }));
            }
            let rest = x % y;
            if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
        }
        _ if y == 0.0 => return Err(vm.error("ZeroDivisionError", "divided by 0")),
        _ => return super::float::whole(vm, (x / y).floor()),
    }))
}

fn bits(vm: &mut Vm, this: &Value, args: Args<'_>, work: fn(BigInt, BigInt) -> BigInt) -> Outcome {
    match args.at(0) {
        other @ (Value::Int(_) | Value::Big(_)) => Ok(Value::big(work(vm.big(this)?, vm.big(other)?))),
        other => Err(vm.not_coerced(this, other)),
    }
}

fn shift(vm: &mut Vm, this: &Value, by: i64) -> Outcome {
    let number = vm.big(this)?;
    if by >= 0 {
        vm.check_bits(number.bits().saturating_add(by.unsigned_abs()))?;
        return Ok(Value::big(number << by.unsigned_abs()));
    }
    Ok(Value::big(number >> by.unsigned_abs().min(MOST_BITS)))
}

fn step(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (values, _) = args.split_keywords();
    let keyword = |name: &str| if args.keywords { args.keyword(name) } else { None };
    let limit = keyword("to").or_else(|| values.first().cloned()).unwrap_or(Value::Nil);
    let by = keyword("by").or_else(|| values.get(1).cloned()).unwrap_or(Value::Int(1));
    let size = vm.float_argument(&by)?;
    if size == 0.0 {
        return Err(vm.argument_error("step can't be 0"));
    }
    let Some(block) = args.block else { return vm.arithmetic_sequence(this, "step", args) };
    if [this, &limit, &by].iter().any(|it| matches!(it, Value::Float(_))) {
        let end = if limit.is_nil() { f64::INFINITY.copysign(size) } else { vm.float_argument(&limit)? };
        for value in super::range::float_steps(float_of(this), end, size, false) {
            vm.give(block, Value::Float(value))?;
        }
        return Ok(this.clone());
    }
    let mut number = this.clone();
    loop {
        if !limit.is_nil() {
            let order = vm.ordered(&number, &limit)?;
            if (size > 0.0 && order.is_gt()) || (size < 0.0 && order.is_lt()) {
                return Ok(this.clone());
            }
        }
        vm.give(block, number.clone())?;
        number = arithmetic(vm, &number, &by, sym::PLUS)?;
    }
}

impl Vm {
    /// An integer of any size that the receiver is.
    fn big(&mut self, value: &Value) -> Outcome<BigInt> {
        match to_big(value) {
            Some(number) => Ok(number),
            None => Ok(BigInt::from(self.to_int(value)?)),
        }
    }

    /// An argument that has to be an integer of any size.
    fn integer(&mut self, value: &Value) -> Outcome<BigInt> {
        match to_big(value) {
            Some(number) => Ok(number),
            None => Err(self.type_error("not an integer")),
        }
    }

    /// An argument whose bits are looked at.
    fn mask(&mut self, value: &Value) -> Outcome<BigInt> {
        match value {
            Value::Nil => Err(self.type_error("no implicit conversion of nil into Integer")),
            other => self.big(other),
        }
    }

    /// What is said where a number cannot be calculated with something.
    pub(super) fn not_coerced(&mut self, number: &Value, other: &Value) -> Box<crate::interpreter::Stop> {
        let (shown, class) = (self.coerced_shown(other), self.class_name(number));
        self.type_error(&format!("{shown} can't be coerced into {class}"))
    }

    /// A fraction.
    pub(crate) fn rational(&mut self, top: &Value, bottom: &Value) -> Outcome {
        let main = self.main.clone();
        self.send(&main, Sym::new("Rational"), &[top.clone(), bottom.clone()])
    }

    /// How a value is named that cannot be calculated with.
    pub(super) fn coerced_shown(&mut self, value: &Value) -> String {
        match value {
            Value::Nil | Value::Bool(_) => self.described(value),
            Value::Sym(_) | Value::Float(_) => self.inspect(value).unwrap_or_default(),
            other => self.class_name(other),
        }
    }

    pub(crate) fn float_argument(&mut self, value: &Value) -> Outcome<f64> {
        match value {
            Value::Int(_) | Value::Big(_) | Value::Float(_) => Ok(float_of(value)),
            Value::Nil | Value::Bool(_) => {
                let shown = self.described(value);
                Err(self.type_error(&format!("can't convert {shown} into Float")))
            }
            other => {
                let class = self.class_name(other);
                Err(self.type_error(&format!("can't convert {class} into Float")))
            }
        }
    }

    fn check_bits(&mut self, bits: u64) -> Outcome<()> {
        self.check_size(usize::try_from(bits / 8).unwrap_or(usize::MAX))
    }
}
