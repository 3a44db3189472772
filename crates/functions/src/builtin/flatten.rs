//! `flatten`: the elements of arrays in arrays.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::deep;

function! {
    /// Returns one array of all arguments and of the elements of those that are arrays, however deep.
    ///
    /// ```puppet
    /// flatten([1, [2, [3]]]) # [1, 2, 3]
    /// ```
    "flatten" {
        "(Any *$args)" as "(Any *$args) >> Array" => flatten(*args),
    }
}

/// All values in one list, with the elements of arrays in their place.
pub(crate) fn flatten(values: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(values.len());
    flatten_into(values, &mut flat);
    flat
}

fn flatten_into(values: &[Value], flat: &mut Vec<Value>) {
    deep(|| {
        for value in values {
            match value {
                Value::Array(elements) => flatten_into(elements, flat),
                other => flat.push(other.clone()),
            }
        }
    })
}
