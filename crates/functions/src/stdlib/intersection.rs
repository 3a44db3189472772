//! `intersection`: what two arrays have in common.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::label::host_class;
use bunraku_syntax::Issue;
use indexmap::IndexSet;

use crate::number::fail;

function! {
    /// Returns the elements that are in both arrays, each once.
    ///
    /// ```puppet
    /// intersection(['a', 'b', 'c'], ['b', 'c', 'd']) # ['b', 'c']
    /// ```
    "intersection" of "stdlib" {
        "arity -1" as "(Array $first, Array $second) >> Array" => intersection(*args),
    }
}

fn intersection(args: &[Value]) -> Result<Value, Issue> {
    let [first, second] = args else {
        return fail(format!("intersection(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let (Value::Array(first_elements), Value::Array(second_elements)) = (first, second) else {
        let (first, second) = (host_class(first), host_class(second));
        return fail(format!("intersection(): Requires 2 arrays, got {first} and {second}"));
    };
    let wanted: IndexSet<&Value> = second_elements.iter().collect();
    let common: IndexSet<&Value> = first_elements.iter().filter(|element| wanted.contains(element)).collect();
    Ok(Value::array(common.into_iter().cloned()))
}
