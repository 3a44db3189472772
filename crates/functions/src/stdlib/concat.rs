//! `concat`: arrays and values one after the other.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Appends the elements of arrays, and values that are none, to an array.
    ///
    /// ```puppet
    /// concat([1, 2], [3], 4) # [1, 2, 3, 4]
    /// ```
    "concat" of "stdlib" {
        "arity -1" as "(Array $first, Any *$others) >> Array" => concat(*args),
    }
}

fn concat(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let (Some(first), Some(rest)) = (args.first(), args.get(1..).filter(|rest| !rest.is_empty())) else {
        return fail(format!("concat(): Wrong number of arguments given ({} for < 2)", args.len()));
    };
    let Value::Array(first) = first else { return fail("concat(): Requires array to work with") };
    let mut all = first.to_vec();
    for value in rest {
        match value {
            Value::Array(elements) => all.extend(elements.iter().cloned()),
            other => all.push(other.clone()),
        }
    }
    Ok(all)
}
