//! `difference`: what one array has and another has not.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use indexmap::IndexSet;

use crate::number::fail;

function! {
    /// Returns the elements of the first array that are not in the second.
    ///
    /// ```puppet
    /// difference(['a', 'b', 'c'], ['b']) # ['a', 'c']
    /// ```
    "difference" of "stdlib" {
        "arity -1" as "(Array $first, Array $second) >> Array" => difference(*args),
    }
}

fn difference(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [first, second] = args else {
        return fail(format!("difference(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let (Value::Array(first), Value::Array(second)) = (first, second) else {
        return fail("difference(): Requires 2 arrays");
    };
    let unwanted: IndexSet<&Value> = second.iter().collect();
    Ok(first.iter().filter(|element| !unwanted.contains(element)).cloned().collect())
}
