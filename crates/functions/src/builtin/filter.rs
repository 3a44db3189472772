//! `filter`: the elements a lambda says yes to.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};

use crate::iteration::{entries, has_keys, taken_elements};

function! {
    /// Returns the elements for which the lambda gives a true value: a hash of a hash, otherwise an array.
    ///
    /// A lambda with two parameters gets the key or the index before the element.
    ///
    /// ```puppet
    /// [1, 2, 3].filter |$x| { $x > 1 } # [2, 3]
    /// ```
    "filter" {
        "(Hash $hash, Callable[2, 2] &$block)" as ">> Hash" => of_hash_by_entry(call, hash),
        "(Hash $hash, Callable[1, 1] &$block)" as ">> Hash" => of_hash_by_pair(call, hash),
        "(Iterable $enumerable, Callable[2, 2] &$block)" as ">> Array" => by_entry(call, enumerable),
        "(Iterable $enumerable, Callable[1, 1] &$block)" as ">> Array" => by_element(call, enumerable),
    }
}

/// Compatibility: `break()` has no effect on a hash, it goes on to what is around the call.
fn of_hash_by_entry(call: &mut Call<'_, '_>, hash: &Hash) -> Outcome {
    let mut kept = Hash::new();
    for (key, value) in hash.iter() {
        if call.yield_to_block(vec![key.clone(), value.clone()])?.is_truthy() {
            kept.insert(key.clone(), value.clone());
        }
    }
    Ok(kept.into())
}

fn of_hash_by_pair(call: &mut Call<'_, '_>, hash: &Hash) -> Outcome {
    let mut kept = Hash::new();
    for (key, value) in hash.iter() {
        if call.yield_to_block(vec![Value::array([key.clone(), value.clone()])])?.is_truthy() {
            kept.insert(key.clone(), value.clone());
        }
    }
    Ok(kept.into())
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut kept = Vec::new();
    call.each_until_break(entries(collection), |call, (key, value)| {
        if call.yield_to_block(vec![key.clone(), value.clone()])?.is_truthy() {
            kept.push((key, value));
        }
        Ok(())
    })?;
    Ok(if has_keys(collection) { Value::hash(kept) } else { Value::array(kept.into_iter().map(|(_, value)| value)) })
}

fn by_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut kept = Vec::new();
    call.each_until_break(taken_elements(collection), |call, element| {
        if call.yield_to_block(vec![element.clone()])?.is_truthy() {
            kept.push(element);
        }
        Ok(())
    })?;
    Ok(kept.into())
}
