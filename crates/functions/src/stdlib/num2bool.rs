//! `num2bool`: a number as a boolean.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::{fail, float_from_text, leading_integer};

function! {
    /// Returns whether a number, or a string that is one, is at least 1.
    ///
    /// ```puppet
    /// num2bool(1)   # true
    /// num2bool('0') # false
    /// ```
    "num2bool" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => num2bool(*args),
    }
}

/// Whether a number is at least one.
pub(crate) fn num2bool(args: &[Value]) -> Result<bool, Issue> {
    let [number] = args else {
        return fail(format!("num2bool(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    match number {
        Value::Integer(number) => Ok(*number > 0),
        Value::Float(number) => Ok(*number >= 1.0),
        Value::String(text) => match float_from_text(text) {
            Some(number) => Ok(number >= 1.0),
            None => {
                let shown = inspect::inspect_bytes(text.as_bytes());
                fail(format!("num2bool(): '{text}' does not look like a number: invalid value for Float(): {shown}"))
            }
        },
        other => Ok(leading_integer(&inspect::to_s(other)) > 0),
    }
}
