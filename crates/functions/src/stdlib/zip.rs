//! `zip`: two arrays as pairs.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::fail;
use crate::stdlib::str2bool::str2bool;

function! {
    /// Returns an array of pairs of the elements of two arrays, or all of them in one array if the third argument is true.
    ///
    /// ```puppet
    /// zip(['a', 'b'], [1, 2])       # [['a', 1], ['b', 2]]
    /// zip(['a', 'b'], [1, 2], true) # ['a', 1, 'b', 2]
    /// ```
    "zip" of "stdlib" {
        "arity -1" as "(Array $first, Array $second, Any $flat = undef) >> Array" => zip(*args),
    }
}

fn zip(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [first, second, rest @ ..] = args else {
        return fail(format!("zip(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let (Value::Array(first), Value::Array(second)) = (first, second) else {
        return fail("zip(): Requires array to work with");
    };
    let is_flat = match rest.first().filter(|flag| flag.is_truthy()) {
        Some(flag) => str2bool(std::slice::from_ref(flag))?,
        None => false,
    };
    let others = second.iter().cloned().chain(std::iter::repeat(Value::Undef));
    let pairs: Vec<Value> = first.iter().cloned().zip(others).map(|(one, other)| Value::array([one, other])).collect();
    Ok(if is_flat { flatten(&pairs) } else { pairs })
}
