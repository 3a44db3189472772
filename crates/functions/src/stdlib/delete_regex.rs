//! `delete_regex`: a collection without what matches.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Regexp, Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns an array without the elements, or a hash without the keys, in which a pattern matches a whole word.
    ///
    /// ```puppet
    /// delete_regex(['abf', 'ab', 'ac'], '^ab.*') # ['ac']
    /// ```
    "delete_regex" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash] $data, Any $patterns, Any *$rest) >> Any" => delete_regex(*args),
    }
}

fn delete_regex(args: &[Value]) -> Result<Value, Issue> {
    let [collection, items] = args else {
        return fail(format!("delete_regex(): Wrong number of arguments given {} for 2", args.len()));
    };
    let mut left = collection.clone();
    for item in legacy_arguments::list(items) {
        left = match &left {
            Value::Array(elements) => {
                let pattern = word(&item)?;
                let kept = elements.iter().filter_map(|element| {
                    keep(&pattern, element).map(|keeps| keeps.then(|| element.clone())).transpose()
                });
                Value::from(kept.collect::<Result<Vec<_>, Issue>>()?)
            }
            Value::Hash(hash) => {
                let pattern = word(&item)?;
                let mut kept = Hash::new();
                for (key, value) in hash.iter() {
                    if keep(&pattern, key)? {
                        kept.insert(key.clone(), value.clone());
                    }
                }
                kept.into()
            }
            Value::String(_) => return Err(legacy_arguments::undefined_method("reject!", &left)),
            other => {
                let class = host_class(other);
                return fail(format!(
                    "delete_regex(): First argument must be an Array, Hash, or String. Given an argument of class {class}."
                ));
            }
        };
    }
    Ok(left)
}

fn word(item: &Value) -> Result<Regexp, Issue> {
    Regexp::new(&format!(r"\b{}\b", inspect::to_s(item)))
}

fn keep(pattern: &Regexp, value: &Value) -> Result<bool, Issue> {
    value.as_str().map_or(Ok(true), |text| pattern.is_match(text).map(|matches| !matches))
}
