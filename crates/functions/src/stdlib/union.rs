//! `union`: what is in any of several arrays.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use indexmap::IndexSet;

use crate::number::fail;

function! {
    /// Returns the elements of all arrays, each once.
    ///
    /// ```puppet
    /// union(['a', 'b'], ['b', 'c']) # ['a', 'b', 'c']
    /// ```
    "union" of "stdlib" {
        "arity -1" as "(Any +$arrays) >> Array" => union(*args),
    }
}

fn union(args: &[Value]) -> Result<Value, Issue> {
    if args.len() < 2 {
        return fail(format!("union(): Wrong number of arguments given ({} for < 2)", args.len()));
    }
    let mut all: IndexSet<&Value> = IndexSet::new();
    for arg in args {
        let Value::Array(elements) = arg else { return fail("union(): Every parameter must be an array") };
        all.extend(elements.iter());
    }
    Ok(Value::array(all.into_iter().cloned()))
}
