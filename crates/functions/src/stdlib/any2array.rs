//! `any2array`: any values as an array.

use bunraku_compiler::function;
use bunraku_pcore::Value;

function! {
    /// Returns an array of the arguments. A single array stays as it is, of a hash the keys and values are listed, and a
    /// single empty string gives an empty array.
    ///
    /// ```puppet
    /// any2array({'a' => 1}) # ['a', 1]
    /// ```
    "any2array" of "stdlib" {
        "arity -1" as "(Any *$values) >> Array" => any2array(*args),
    }
}

fn any2array(args: &[Value]) -> Vec<Value> {
    match args {
        [Value::Array(elements)] => elements.to_vec(),
        [Value::String(text)] if text.is_empty() => Vec::new(),
        [Value::Hash(hash)] => hash.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect(),
        several => several.to_vec(),
    }
}
