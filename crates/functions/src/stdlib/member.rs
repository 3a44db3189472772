//! `member`: whether an array has elements.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use indexmap::IndexSet;

use crate::number::fail;

function! {
    /// Returns whether an array has a value, or all of several values.
    ///
    /// ```puppet
    /// member(['a', 'b'], 'b')        # true
    /// member(['a', 'b'], ['a', 'c']) # false
    /// ```
    "member" of "stdlib" {
        "arity -1" as "(Array $elements, Any $value) >> Boolean" => member(*args),
    }
}

fn member(args: &[Value]) -> Result<bool, Issue> {
    let [array, item, ..] = args else {
        return fail(format!("member(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let Value::Array(array) = array else { return fail("member(): Requires array to work with") };
    let items = match item {
        Value::String(_) | Value::Integer(_) => std::slice::from_ref(item),
        Value::Array(items) if items.is_empty() => {
            return fail("member(): You must provide item to search for within array given");
        }
        Value::Array(items) => items.as_slice(),
        _ => return fail("member(): Item to search for must be a string, fixnum, or array"),
    };
    if let [item] = items {
        return Ok(array.contains(item));
    }
    let known: IndexSet<&Value> = array.iter().collect();
    Ok(items.iter().all(|item| known.contains(item)))
}
