//! `delete`: a collection without some elements.

use bunraku_compiler::function;
use bunraku_pcore::compare::ruby_equals;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns an array without all elements equal to a value, a hash without a key, or a string without a part; several can be
    /// given as an array.
    ///
    /// ```puppet
    /// delete(['a', 'b', 'a'], 'a') # ['b']
    /// delete('abracadabra', 'bra') # 'acada'
    /// ```
    "delete" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash, String] $data, Any $item, Any *$rest) >> Any" => delete(*args),
    }
}

fn delete(args: &[Value]) -> Result<Value, Issue> {
    let [collection, items] = args else {
        return fail(format!("delete(): Wrong number of arguments given {} for 2", args.len()));
    };
    let mut left = collection.clone();
    for item in legacy_arguments::list(items) {
        left = match &left {
            Value::Array(elements) => {
                Value::array(elements.iter().filter(|element| !ruby_equals(element, &item)).cloned())
            }
            Value::Hash(hash) => {
                let mut hash = Hash::clone(hash);
                hash.remove(&item);
                hash.into()
            }
            Value::String(text) => match &item {
                Value::String(part) => text.replace(part.as_str(), "").into(),
                other => return fail(format!("wrong argument type {} (expected Regexp)", host_class(other))),
            },
            other => {
                let class = host_class(other);
                return fail(format!(
                    "delete(): First argument must be an Array, String, or Hash. Given an argument of class {class}."
                ));
            }
        };
    }
    Ok(left)
}
