//! `new` of `Integer`, `Float`, `Numeric` and `Boolean`.

use bunraku_syntax::Issue;

use super::Context;
use super::constructor::{Constructor, constructor};
use crate::format::sprintf::{Whole, whole_of_float};
use crate::inspect::inspect_text;
use crate::issues;
use crate::mismatch::assert_instance;
use crate::number::Number;
use crate::value::Value;

constructor!(
    integer,
    "new",
    [
        ("Radix", "Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]"),
        (
            "Convertible",
            r"Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]"
        ),
        ("NamedArgs", "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"),
    ],
    [[("Convertible", "from"), ("Radix", "radix?"), ("Boolean", "abs?")], [("NamedArgs", "hash_args")]]
);

constructor!(
    float,
    "new_float",
    [
        (
            "Convertible",
            r"Variant[Numeric, Boolean, Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]"
        ),
        ("NamedArgs", "Struct[{from => Convertible, Optional[abs] => Boolean}]"),
    ],
    [[("Convertible", "from"), ("Boolean", "abs?")], [("NamedArgs", "hash_args")]]
);

constructor!(
    numeric,
    "new_numeric",
    [
        (
            "Convertible",
            r"Variant[Integer, Float, Boolean, Pattern[/\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z/], Timespan, Timestamp]"
        ),
        ("NamedArgs", "Struct[{from => Convertible, Optional[abs] => Boolean}]"),
    ],
    [[("Convertible", "from"), ("Boolean", "abs?")], [("NamedArgs", "hash_args")]]
);

constructor!(
    boolean,
    "new_boolean",
    [],
    [[("Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]]", "from")]]
);

pub(super) fn new_integer(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = integer()?;
    let (from, radix, abs) = match (constructor.accepting(args), args) {
        (Some(0), [from, rest @ ..]) => (from, rest.first(), rest.get(1)),
        (Some(_), [hash]) => (hash.get("from").unwrap_or(&Value::Undef), hash.get("radix"), hash.get("abs")),
        _ => return Err(integer_mismatch(constructor, args)),
    };
    let radix = match radix {
        Some(Value::Integer(radix)) => u32::try_from(*radix).ok(),
        _ => None,
    };
    let number = integer_of(from, radix)?;
    let number = if abs == Some(&Value::Boolean(true)) { number.abs() } else { number };
    i64::try_from(number).map(Value::Integer).map_err(|_| out_of_range(&number.to_string()))
}

fn integer_of(from: &Value, radix: Option<u32>) -> Result<i128, Issue> {
    match from {
        Value::Integer(number) => Ok(i128::from(*number)),
        Value::Boolean(value) => Ok(i128::from(*value)),
        Value::Timespan(timespan) => Ok(timespan.to_integer()),
        Value::Timestamp(timestamp) => Ok(timestamp.to_integer()),
        Value::Float(number) => match whole_of_float(*number)? {
            Whole::Small(number) => Ok(number),
            Whole::Large(number) => Err(out_of_range(&format!("{number:.0}"))),
        },
        from => {
            let text = from.as_str().unwrap_or_default();
            let spaced = without_space_after_sign(text);
            Number::parse_ruby_integer(text, radix)
                .or_else(|| Number::parse_ruby_integer(&spaced?, radix))
                .ok_or_else(|| issues::runtime_error(format!("invalid value for Integer(): {}", inspect_text(text))))
        }
    }
}

/// The reference has integers of any size; this implementation does not.
fn out_of_range(number: &str) -> Issue {
    issues::runtime_error(format!("'{number}' is outside of Puppet Integer max range"))
}

fn integer_mismatch(constructor: &Constructor, args: &[Value]) -> Issue {
    let has_wrong_radix = |radix: &Value| match radix {
        Value::Integer(2 | 8 | 10 | 16) => None,
        radix => Some(issues::runtime_error(format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default"))),
    };
    match args {
        [whole @ Value::Hash(hash)] => {
            let is_convertible =
                |from| constructor.local_type("Convertible").is_some_and(|known| known.is_instance(from));
            if let Some(from) = hash.get_str("from").filter(|from| !is_convertible(from)) {
                return constructor.cannot_convert(from, "Integer");
            }
            let radix = hash.get_str("radix").filter(|radix| !matches!(radix, Value::Undef | Value::Default));
            if let Some(issue) = radix.and_then(has_wrong_radix) {
                return issue;
            }
            let named = constructor.local_type("NamedArgs").map(|named| assert_instance("Integer.new", named, whole));
            named.and_then(Result::err).unwrap_or_else(|| constructor.mismatch(args))
        }
        [from] => constructor.cannot_convert(from, "Integer"),
        [from, radix @ Value::Integer(_)] | [from, radix @ Value::Integer(_), Value::Boolean(_)] => {
            has_wrong_radix(radix).unwrap_or_else(|| constructor.cannot_convert(from, "Integer"))
        }
        _ => constructor.mismatch(args),
    }
}

pub(super) fn new_float(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = float()?;
    let (from, abs) = from_and_abs(constructor, args, "Float")?;
    let number = match from {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::Boolean(value) => f64::from(u8::from(*value)),
        Value::Timespan(timespan) => timespan.to_f64(),
        Value::Timestamp(timestamp) => timestamp.to_f64(),
        from => float_of_text(from.as_str().unwrap_or_default())?,
    };
    Ok(Value::Float(if abs { number.abs() } else { number }))
}

fn float_of_text(text: &str) -> Result<f64, Issue> {
    if text.starts_with("0b") || text.starts_with("0B") {
        return Ok(Number::parse_ruby_integer(text, None).map_or(0.0, |number| number as f64));
    }
    let spaced = without_space_after_sign(text);
    Number::parse_ruby_float(text)
        .or_else(|| Number::parse_ruby_float(&spaced?))
        .ok_or_else(|| issues::runtime_error(format!("invalid value for Float(): {}", inspect_text(text))))
}

pub(super) fn new_numeric(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = numeric()?;
    let (from, abs) = from_and_abs(constructor, args, "Numeric")?;
    let number = match from {
        Value::Boolean(value) => Number::Integer(i64::from(*value)),
        Value::Timespan(timespan) => Number::Float(timespan.to_f64()),
        Value::Timestamp(timestamp) => Number::Float(timestamp.to_f64()),
        Value::String(text) => {
            let lower = text.to_ascii_lowercase();
            let number = if lower.starts_with("0b") || lower.starts_with("0x") {
                Number::parse_ruby_integer(text, None)
                    .and_then(|number| i64::try_from(number).ok())
                    .map(Number::Integer)
            } else {
                Number::parse(text)
            };
            match number {
                Some(number) => number,
                None => return Ok(Value::Undef),
            }
        }
        from => match Number::of(from) {
            Some(number) => number,
            None => return Err(constructor.cannot_convert(from, "Numeric")),
        },
    };
    Ok(match number {
        Number::Integer(number) if abs => match number.checked_abs() {
            Some(number) => Value::Integer(number),
            None => return Err(out_of_range(&i128::from(number).abs().to_string())),
        },
        Number::Float(number) if abs => Value::Float(number.abs()),
        number => number.into(),
    })
}

/// The arguments of a conversion with an option for the absolute value, given one by one or in a hash.
fn from_and_abs<'a>(constructor: &Constructor, args: &'a [Value], target: &str) -> Result<(&'a Value, bool), Issue> {
    let is_true = |abs: Option<&Value>| abs == Some(&Value::Boolean(true));
    match (constructor.accepting(args), args) {
        (Some(0), [from, rest @ ..]) => Ok((from, is_true(rest.first()))),
        (Some(_), [hash]) => Ok((hash.get("from").unwrap_or(&Value::Undef), is_true(hash.get("abs")))),
        (None, [from] | [from, Value::Boolean(_)]) => Err(constructor.cannot_convert(from, target)),
        _ => Err(constructor.mismatch(args)),
    }
}

/// The text without the blanks between a sign and what follows it.
fn without_space_after_sign(text: &str) -> Option<String> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
    let rest = text.strip_prefix(sign)?;
    let digits = rest.trim_start_matches([' ', '\t']);
    (digits.len() < rest.len()).then(|| format!("{sign}{digits}"))
}

pub(super) fn new_boolean(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = boolean()?;
    match (constructor.accepting(args), args) {
        (Some(_), [from]) => Ok(Value::Boolean(match from {
            Value::Boolean(value) => *value,
            Value::Integer(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            from => {
                let text = from.as_str().unwrap_or_default();
                !["false", "no", "n"].iter().any(|no| text.eq_ignore_ascii_case(no))
            }
        })),
        (None, [from]) => Err(constructor.cannot_convert(from, "Boolean")),
        _ => Err(constructor.mismatch(args)),
    }
}
