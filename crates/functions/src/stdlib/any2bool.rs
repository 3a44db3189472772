//! `any2bool`: any value as a boolean.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::number::float_from_text;
use crate::stdlib::num2bool::num2bool;
use crate::stdlib::str2bool::str2bool;

function! {
    /// Returns whether a value stands for true: a number above zero, a string such as `yes`, and everything else but `undef`.
    ///
    /// ```puppet
    /// any2bool('yes') # true
    /// any2bool(0)     # false
    /// ```
    "any2bool" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => any2bool(*args),
    }
}

fn any2bool(args: &[Value]) -> Result<bool, Issue> {
    match args.first() {
        None => fail("any2bool(): Wrong number of arguments given (0 for 1)"),
        Some(value @ (Value::Integer(_) | Value::Float(_))) => num2bool(std::slice::from_ref(value)),
        Some(value @ Value::String(text)) if float_from_text(text).is_some() => num2bool(std::slice::from_ref(value)),
        Some(value @ (Value::Boolean(_) | Value::String(_))) => str2bool(std::slice::from_ref(value)),
        Some(_) => Ok(true),
    }
}
