//! `reject`: the elements that do not match.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Regexp, Value};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the elements of an array in which a regular expression does not match.
    ///
    /// ```puppet
    /// reject(['aaa', 'bbb', 'aaab'], 'aaa') # ['bbb']
    /// ```
    "reject" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash] $elements, String $pattern) >> Variant[Array, Hash]" => reject(*args),
    }
}

fn reject(args: &[Value]) -> Result<Value, Issue> {
    let [collection, pattern] = args else {
        return fail(format!("reject(): Wrong number of arguments given {} for 2", args.len()));
    };
    let pattern = Regexp::new(legacy_arguments::text(Some(pattern))?)?;
    let is_match = |value: &Value| value.as_str().map_or(Ok(false), |text| pattern.is_match(text));
    match collection {
        Value::Array(elements) => {
            let mut kept = Vec::new();
            for element in elements.iter() {
                if !is_match(element)? {
                    kept.push(element.clone());
                }
            }
            Ok(kept.into())
        }
        Value::Hash(hash) => {
            let mut kept = Hash::new();
            for (key, value) in hash.iter() {
                if !is_match(key)? {
                    kept.insert(key.clone(), value.clone());
                }
            }
            Ok(kept.into())
        }
        other => Err(legacy_arguments::undefined_method("reject", other)),
    }
}
