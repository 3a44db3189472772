//! `merge`: hashes merged into one.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Hash, Value};

use crate::iteration;

function! {
    /// Merges hashes; where two have the same key, the last one counts. Empty strings and `undef` count as empty hashes. With a
    /// lambda, the hashes it gives for the elements of a sequence are merged; it gets what was merged so far first.
    ///
    /// ```puppet
    /// merge({'a' => 1}, {'b' => 2}) # {'a' => 1, 'b' => 2}
    /// ```
    "merge" of "stdlib" {
        "(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args) >> Hash[Scalar, Any]" => merge(*args),
        "(Iterable *$args, Callable[3, 3] &$block) >> Hash" => by_entry(call, args),
        "(Iterable *$args, Callable[2, 2] &$block) >> Hash" => by_element(call, args),
    }
}

function! {
    /// Merges hashes; where two have the same key, the last one counts. Empty strings and `undef` count as empty hashes. With a
    /// lambda, the hashes it gives for the elements of a sequence are merged; it gets what was merged so far first.
    ///
    /// ```puppet
    /// merge({'a' => 1}, {'b' => 2}) # {'a' => 1, 'b' => 2}
    /// ```
    NAMESPACED: "stdlib::merge" of "stdlib" {
        "(Variant[Hash[Scalar, Any], Undef, String[0, 0]] *$args) >> Hash[Scalar, Any]" => merge(*args),
        "(Iterable *$args, Callable[3, 3] &$block) >> Hash" => by_entry(call, args),
        "(Iterable *$args, Callable[2, 2] &$block) >> Hash" => by_element(call, args),
    }
}

/// All hashes in one.
pub(crate) fn merge(args: &[Value]) -> Hash {
    let hashes = args.iter().filter_map(|arg| match arg {
        Value::Hash(hash) => Some(hash),
        _ => None,
    });
    hashes.flat_map(|hash| hash.iter()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut merged = Hash::new();
    call.each_until_break(iteration::entries(collection), |call, (key, value)| {
        let result = call.yield_to_block(vec![merged.clone().into(), key, value])?;
        extend(&mut merged, &result);
        Ok(())
    })?;
    Ok(merged.into())
}

fn by_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut merged = Hash::new();
    call.each_until_break(iteration::elements(collection), |call, element| {
        let result = call.yield_to_block(vec![merged.clone().into(), element])?;
        extend(&mut merged, &result);
        Ok(())
    })?;
    Ok(merged.into())
}

fn extend(merged: &mut Hash, result: &Value) {
    if let Value::Hash(hash) = result {
        merged.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}
