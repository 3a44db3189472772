//! `format`: numbers and strings by a pattern.

use num_bigint::BigInt;

use crate::interpreter::hash::Key;
use crate::interpreter::iterate::to_big;
use crate::interpreter::order::float_of;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

#[derive(Default)]
struct Field {
    minus: bool,
    plus: bool,
    space: bool,
    zero: bool,
    sharp: bool,
    width: Option<usize>,
    precision: Option<usize>,
    value: Option<Value>,
    /// Whether there was anything between the percent sign and the letter.
    is_plain: bool,
    /// Whether the last thing was a width or a precision.
    ends_in_number: bool,
}

struct Given<'a> {
    values: &'a [Value],
    next: usize,
    /// The last number that was used.
    number: Option<usize>,
    is_named: bool,
}

impl Given<'_> {
    fn next(&mut self, vm: &mut Vm) -> Outcome {
        if let Some(number) = self.number {
            return Err(vm.argument_error(&format!("unnumbered({}) mixed with numbered", number.min(self.next + 1))));
        }
        if self.is_named {
            return Err(vm.argument_error(&format!("unnumbered({}) mixed with named", self.next + 1)));
        }
        let value = self.values.get(self.next).cloned();
        self.next += 1;
        value.ok_or_else(|| vm.argument_error("too few arguments"))
    }

    fn numbered(&mut self, vm: &mut Vm, number: usize) -> Outcome {
        if self.next > 0 {
            return Err(vm.argument_error(&format!("numbered({number}) after unnumbered({})", self.next)));
        }
        self.number = Some(number);
        let value = self.values.get(number.saturating_sub(1)).cloned();
        value.ok_or_else(|| vm.argument_error("too few arguments"))
    }

    fn named(&mut self, vm: &mut Vm, name: &str, shown: &str) -> Outcome {
        if self.next > 0 {
            return Err(vm.argument_error(&format!("named{shown} after unnumbered({})", self.next)));
        }
        if let Some(number) = self.number {
            return Err(vm.argument_error(&format!("named{shown} after numbered({number})")));
        }
        self.is_named = true;
        let [Value::Hash(hash)] = self.values else { return Err(vm.argument_error("one hash required")) };
        let found = hash.entries.borrow().get(&Key::sym(name)).cloned();
        match found {
            Some(value) => Ok(value),
            None => {
                let missing = vm.missing_value(&Value::Hash(hash.clone()), hash, &Value::Sym(Sym::new(name)))?;
                if missing.is_nil() {
                    return Err(vm.with_details(
                        "KeyError",
                        &format!("key{shown} not found"),
                        &[
                            (sym::HIDDEN_KEY, Value::Sym(Sym::new(name))),
                            (sym::HIDDEN_RECEIVER, Value::Hash(hash.clone())),
                        ],
                    ));
                }
                Ok(missing)
            }
        }
    }
}

/// Fills in a pattern.
pub(super) fn format(vm: &mut Vm, pattern: &Value, values: &[Value]) -> Outcome {
    let pattern = vm.to_str(pattern)?.to_text();
    let mut given = Given { values, next: 0, number: None, is_named: false };
    let mut made = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            made.push(letter);
            continue;
        }
        let mut field = Field { is_plain: true, ..Field::default() };
        loop {
            let Some(letter) = letters.next() else {
                return Err(vm.argument_error(match &field {
                    Field { is_plain: true, .. } => "incomplete format specifier; use %% (double %) instead",
                    Field { ends_in_number: true, .. } => "malformed format string - %*[0-9]",
                    _ => "invalid format character - %",
                }));
            };
            let was_plain = std::mem::take(&mut field.is_plain);
            field.ends_in_number = matches!(letter, '1'..='9' | '.');
            match letter {
                '-' => field.minus = true,
                '+' => field.plus = true,
                ' ' => field.space = true,
                '0' => field.zero = true,
                '#' => field.sharp = true,
                '1'..='9' => {
                    let number = digits(letter, &mut letters);
                    if letters.peek() == Some(&'$') {
                        letters.next();
                        field.value = Some(given.numbered(vm, number)?);
                    } else {
                        vm.check_size(number)?;
                        field.width = Some(number);
                    }
                }
                '*' => {
                    let mut ahead = letters.clone();
                    let number = match ahead.next() {
                        Some(digit @ '1'..='9') => Some(digits(digit, &mut ahead)),
                        _ => None,
                    };
                    let width = match number {
                        Some(number) if ahead.next_if_eq(&'$').is_some() => {
                            letters = ahead;
                            given.numbered(vm, number)?
                        }
                        _ => given.next(vm)?,
                    };
                    let width = vm.to_int(&width)?;
                    field.minus |= width < 0;
                    let width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
                    vm.check_size(width)?;
                    field.width = Some(width);
                }
                '.' => {
                    let first = letters.peek().copied();
                    field.precision = Some(match first {
                        Some('*') => {
                            letters.next();
                            let value = given.next(vm)?;
                            usize::try_from(vm.to_int(&value)?).unwrap_or(0)
                        }
                        Some('0'..='9') => digits('0', &mut letters),
                        _ => 0,
                    });
                    vm.check_size(field.precision.unwrap_or(0))?;
                }
                '<' | '{' => {
                    let close = if letter == '<' { '>' } else { '}' };
                    let mut name = String::new();
                    loop {
                        match letters.next() {
                            Some(letter) if letter == close => break,
                            Some(letter) => name.push(letter),
                            None => return Err(vm.argument_error("malformed name - unmatched parenthesis")),
                        }
                    }
                    let value = given.named(vm, &name, &format!("{letter}{name}{close}"))?;
                    if letter == '{' {
                        let text = vm.to_s(&value)?;
                        made.push_str(&padded(&field, &cut(&field, &text)));
                        break;
                    }
                    field.value = Some(value);
                }
                '%' => {
                    if !was_plain {
                        return Err(vm.argument_error("invalid format character - %"));
                    }
                    made.push('%');
                    break;
                }
                '\n' | '\0' => {
                    made.push('%');
                    made.push(letter);
                    break;
                }
                letter => {
                    if !"sdiuxXobBcpfeEgGaA".contains(letter) {
                        return Err(vm.argument_error(&format!("malformed format string - %{letter}")));
                    }
                    let value = match field.value.take() {
                        Some(value) => value,
                        None => given.next(vm)?,
                    };
                    made.push_str(&one(vm, &field, letter, &value)?);
                    break;
                }
            }
        }
        vm.check_size(made.len())?;
    }
    vm.count_made(made.len())?;
    Ok(Value::str(made))
}

fn digits(first: char, letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> usize {
    let mut number = first.to_digit(10).unwrap_or_default() as usize;
    while let Some(digit) = letters.peek().and_then(|it| it.to_digit(10)) {
        number = number.saturating_mul(10).saturating_add(digit as usize);
        letters.next();
    }
    number
}

fn cut(field: &Field, text: &str) -> String {
    match field.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_string(),
    }
}

fn padded(field: &Field, text: &str) -> String {
    let width = field.width.unwrap_or(0);
    let missing = " ".repeat(width.saturating_sub(text.chars().count()));
    if field.minus { format!("{text}{missing}") } else { format!("{missing}{text}") }
}

/// A number with its sign, filled with zeros or spaces.
fn with_sign(field: &Field, is_negative: bool, prefix: &str, digits: &str, may_zero: bool) -> String {
    let sign = match (is_negative, field.plus, field.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    let length = sign.len() + prefix.len() + digits.chars().count();
    let missing = field.width.unwrap_or(0).saturating_sub(length);
    match (field.minus, field.zero && may_zero) {
        (true, _) => format!("{sign}{prefix}{digits}{}", " ".repeat(missing)),
        (false, true) => format!("{sign}{prefix}{}{digits}", "0".repeat(missing)),
        (false, false) => format!("{}{sign}{prefix}{digits}", " ".repeat(missing)),
    }
}

fn one(vm: &mut Vm, field: &Field, letter: char, value: &Value) -> Outcome<String> {
    Ok(match letter {
        's' => {
            let text = vm.to_s(value)?;
            padded(field, &cut(field, &text))
        }
        'p' => {
            let text = vm.inspect(value)?;
            padded(field, &cut(field, &text))
        }
        'c' => {
            let text = match value {
                Value::Str(text) => match text.to_text() {
                    text if text.chars().count() == 1 => text,
                    _ => return Err(vm.argument_error("%c requires a character")),
                },
                other => {
                    let code = vm.to_int(other)?;
                    match u32::try_from(code).ok().and_then(char::from_u32) {
                        Some(letter) => letter.to_string(),
                        None => return Err(vm.argument_error("invalid character")),
                    }
                }
            };
            padded(field, &text)
        }
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => integer(vm, field, letter, value)?,
        _ => float(vm, field, letter, value)?,
    })
}

fn integer(vm: &mut Vm, field: &Field, letter: char, value: &Value) -> Outcome<String> {
    let number = match value {
        Value::Float(number) => {
            let whole = super::float::whole(vm, number.trunc())?;
            to_big(&whole).unwrap_or_default()
        }
        Value::Int(_) | Value::Big(_) => to_big(value).unwrap_or_default(),
        Value::Nil => return Err(vm.type_error("can't convert nil into Integer")),
        other => {
            let made =
                vm.send(&Value::Class(vm.core.object.clone()), Sym::new("Integer"), std::slice::from_ref(other))?;
            to_big(&made).unwrap_or_default()
        }
    };
    let (base, prefix) = match letter {
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        'o' => (8, "0"),
        'b' => (2, "0b"),
        'B' => (2, "0B"),
        _ => (10, ""),
    };
    let is_negative = number < BigInt::default();
    let prefix = if field.sharp && (number != BigInt::default() || letter == 'o') { prefix } else { "" };
    let complements = is_negative && base != 10 && !field.plus && !field.space;
    let prefix = if complements && letter == 'o' { "" } else { prefix };
    let mut digits = if complements { complement(&number, base) } else { number.magnitude().to_str_radix(base) };
    if letter == 'X' {
        digits = digits.to_uppercase();
    }
    if complements {
        let top = match base {
            16 if letter == 'X' => 'F',
            16 => 'f',
            8 => '7',
            _ => '1',
        };
        // The dots count as two digits.
        let filled = |length: usize| top.to_string().repeat(length.saturating_sub(digits.len() + 2));
        digits = match field.precision {
            Some(precision) if precision > digits.len() + 2 => format!("{}{top}{top}{digits}", filled(precision)),
            None if field.zero && !field.minus => {
                let width = field.width.unwrap_or(0).saturating_sub(prefix.len());
                format!("..{}{digits}", filled(width))
            }
            _ => format!("..{digits}"),
        };
        return Ok(with_sign(field, false, prefix, &digits, false));
    }
    if let Some(precision) = field.precision {
        digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
    }
    let prefix = if prefix == "0" && digits.starts_with('0') { "" } else { prefix };
    Ok(with_sign(field, is_negative, prefix, &digits, field.precision.is_none()))
}

/// The digits of a negative number in a base, as if there were endlessly many in front.
fn complement(number: &BigInt, base: u32) -> String {
    let bits = match base {
        16 => 4,
        8 => 3,
        _ => 1,
    };
    let digits = number.bits() / bits + 1;
    let all = BigInt::from(1) << (digits * bits);
    let text = (all + number).to_str_radix(base);
    let top = match base {
        16 => 'f',
        8 => '7',
        _ => '1',
    };
    let short = text.trim_start_matches(top);
    format!("{top}{short}")
}

fn float(vm: &mut Vm, field: &Field, letter: char, value: &Value) -> Outcome<String> {
    let number = match value {
        Value::Int(_) | Value::Big(_) | Value::Float(_) => float_of(value),
        Value::Nil => return Err(vm.type_error("can't convert nil into Float")),
        other => {
            let made =
                vm.send(&Value::Class(vm.core.object.clone()), Sym::new("Float"), std::slice::from_ref(other))?;
            float_of(&made)
        }
    };
    if !number.is_finite() {
        let text = if number.is_nan() { "NaN" } else { "Inf" };
        return Ok(with_sign(field, number < 0.0, "", text, false));
    }
    let is_negative = number.is_sign_negative();
    let size = number.abs();
    let precision = field.precision.unwrap_or(6);
    let text = match letter {
        'f' => match (value, to_big(value)) {
            (Value::Big(_), Some(big)) => format!("{}.{}", big.magnitude(), "0".repeat(precision)),
            _ => format!("{size:.precision$}"),
        },
        'e' | 'E' => exponential(size, precision),
        'g' | 'G' => general(size, precision, field.sharp),
        _ => hexadecimal(size),
    };
    let is_whole = !text.contains('.') && (letter != 'f' || matches!(value, Value::Float(_)));
    let text = match (field.sharp && is_whole, text.split_once('e')) {
        (true, Some((digits, exponent))) => format!("{digits}.e{exponent}"),
        (true, None) => text + ".",
        (false, _) => text,
    };
    let text = if letter.is_uppercase() { text.to_uppercase() } else { text };
    Ok(with_sign(field, is_negative, "", &text, true))
}

fn exponential(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

fn general(size: f64, precision: usize, keeps_zeros: bool) -> String {
    let precision = precision.max(1);
    if size == 0.0 {
        return if keeps_zeros { format!("{size:.*}", precision - 1) } else { "0".to_string() };
    }
    let text = exponential(size, precision - 1);
    let exponent: i64 = text.split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
    let short = |text: &str| match text.contains('.') && !keeps_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= i64::try_from(precision).unwrap_or(i64::MAX) {
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", short(digits));
    }
    let places = usize::try_from(i64::try_from(precision).unwrap_or(6) - 1 - exponent).unwrap_or(0);
    short(&format!("{size:.places$}"))
}

fn hexadecimal(size: f64) -> String {
    let bits = size.to_bits();
    let exponent = i64::try_from((bits >> 52) & 0x7ff).unwrap_or_default();
    let fraction = bits & ((1 << 52) - 1);
    if size == 0.0 {
        return "0x0p+0".to_string();
    }
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}
