//! `to_bytes`: a size in bytes.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number;
use crate::number::fail;

function! {
    /// Returns the number of bytes that a size such as `4 kB` stands for; the units are powers of 1024.
    ///
    /// ```puppet
    /// to_bytes('4 kB') # 4096
    /// ```
    "to_bytes" of "stdlib" {
        "arity -1" as "(Any $value) >> Numeric" => to_bytes(*args),
    }
}

fn to_bytes(args: &[Value]) -> Result<Value, Issue> {
    let text = match args {
        [number @ (Value::Integer(_) | Value::Float(_))] => return Ok(number.clone()),
        [Value::Default] => "default",
        [value] => legacy_arguments::text(Some(value))?,
        _ => return fail(format!("to_bytes(): Wrong number of arguments given ({} for 1)", args.len())),
    };
    let is_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | '+' | '-');
    let end = text.find(|letter| !is_number(letter)).unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let unit = rest.trim_start().chars().next().filter(|unit| !matches!(unit, 'b' | 'B'));
    let power = match unit {
        None => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(other) => return fail(format!("to_bytes(): Unknown prefix {other}")),
    };
    number::to_integer((number::leading_float(number) * 2_f64.powi(power)).trunc())
}
