//! `clamp`: a number within limits.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the middle one of three numbers.
    ///
    /// ```puppet
    /// clamp(12, 88, 5) # 12
    /// ```
    "clamp" of "stdlib" {
        "arity -2" as "(Any +$numbers) >> Any" => clamp(*args),
    }
}

fn clamp(args: &[Value]) -> Result<i64, Issue> {
    let args = flatten(args);
    if args.len() != 3 {
        return fail("clamp(): Wrong number of arguments, need three to clamp");
    }
    for value in &args {
        match value {
            Value::String(text) if !legacy_arguments::is_digits(text) => {
                return fail(format!("clamp(): Required explicit numeric ({text}:String)"));
            }
            Value::Hash(_) => return fail(format!("clamp(): The Hash type is not allowed ({})", inspect::to_s(value))),
            _ => {}
        }
    }
    let mut numbers = args.iter().map(legacy_arguments::to_i).collect::<Result<Vec<i64>, Issue>>()?;
    numbers.sort_unstable();
    Ok(numbers.get(1).copied().unwrap_or_default())
}
