//! `join_keys_to_values`: strings of keys and values.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect, limits};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Joins each key of a hash to its value with a separator; an array as value gives a string for each element.
    ///
    /// ```puppet
    /// join_keys_to_values({'a' => 1, 'b' => [2, 3]}, '=') # ['a=1', 'b=2', 'b=3']
    /// ```
    "join_keys_to_values" of "stdlib" {
        "arity -1" as "(Hash $hash, String $separator) >> Array" => join_keys_to_values(*args),
    }
}

fn join_keys_to_values(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [hash, separator] = args else {
        return fail(format!("join_keys_to_values(): Takes exactly two arguments, but {} given.", args.len()));
    };
    let Value::Hash(hash) = hash else {
        let class = host_class(hash);
        return fail(format!("join_keys_to_values(): The first argument must be a hash, but a {class} was given."));
    };
    let Value::String(separator) = separator else {
        let class = host_class(separator);
        return fail(format!("join_keys_to_values(): The second argument must be a string, but a {class} was given."));
    };
    let mut joined = Vec::new();
    let mut size = 0_usize;
    for (key, value) in hash.iter() {
        let key = inspect::to_s(key);
        size = size.saturating_add((key.len() + separator.len()).saturating_mul(legacy_arguments::size(value)));
        limits::check_size(size as u64)?;
        let join = |value: &Value| Value::from(format!("{key}{separator}{}", inspect::to_s(value)));
        match value {
            Value::Array(values) => joined.extend(values.iter().map(join)),
            Value::String(text) if text == "undef" => joined.push(Value::from(&*key)),
            other => joined.push(join(other)),
        }
    }
    Ok(joined)
}
