//! `unique`: each value once.

use indexmap::{IndexMap, IndexSet};

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_pcore::{Hash, Value, limits};

use crate::iteration::{self, elements, search_may_break};

function! {
    /// Returns each element once: a string of different characters, or an array of different elements.
    ///
    /// Of a hash it makes one from arrays of keys to arrays of the values they share. With a lambda, those are the same
    /// for which it gives the same.
    ///
    /// ```puppet
    /// unique(['a', 'b', 'a'])                 # ['a', 'b']
    /// unique({'a' => 1, 'b' => 1})            # {['a', 'b'] => [1]}
    /// unique(['a', 'A']) |$x| { $x.downcase } # ['a']
    /// ```
    "unique" {
        "(String $string, Callable[String] &$block = undef)" as ">> String" => of_text(call, string),
        "(Hash $hash, Callable[Any] &$block = undef)" as ">> Hash" => of_hash(call, hash),
        "(Array $array, Callable[Any] &$block = undef)" as ">> Array" => of_sequence(call, array),
        "(Iterable $iterable, Callable[Any] &$block = undef)" as ">> Array" => of_sequence(call, iterable),
    }
}

fn of_text(call: &mut Call<'_, '_>, text: &Value) -> Outcome<String> {
    let characters = of_sequence(call, text)?;
    Ok(characters.iter().filter_map(Value::as_str).collect())
}

fn of_sequence(call: &mut Call<'_, '_>, sequence: &Value) -> Outcome<Vec<Value>> {
    let mut seen = IndexSet::new();
    let mut unique = Vec::new();
    if call.block.is_none() {
        limits::check_elements(iteration::sequence(sequence).len())?;
    }
    for element in elements(sequence) {
        match criterion(call, &element) {
            // Compatibility: only the search through ranges and steps can be ended.
            Err(Unwind::Break(_)) if search_may_break(sequence) => break,
            outcome => {
                if seen.insert(outcome?) {
                    unique.push(element);
                }
            }
        }
    }
    Ok(unique)
}

fn of_hash(call: &mut Call<'_, '_>, hash: &Hash) -> Outcome {
    let mut groups: IndexMap<Value, (Vec<Value>, IndexSet<Value>)> = IndexMap::new();
    for (key, value) in hash.iter() {
        let (keys, values) = groups.entry(criterion(call, value)?).or_default();
        keys.push(key.clone());
        values.insert(value.clone());
    }
    Ok(Value::hash(groups.into_values().map(|(keys, values)| (keys.into(), Value::array(values)))))
}

/// What decides whether two elements are the same.
fn criterion(call: &mut Call<'_, '_>, element: &Value) -> Outcome {
    match call.block {
        Some(_) => call.yield_to_block(vec![element.clone()]),
        None => Ok(element.clone()),
    }
}
