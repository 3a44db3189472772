//! `group_by`: elements in groups, by what a lambda makes of them.

use indexmap::IndexMap;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration::{elements, entries};

function! {
    /// Returns a hash from what the lambda gives to an array of the elements it gave it for.
    ///
    /// ```puppet
    /// group_by(['a', 'b', 'ab']) |$s| { $s.length } # {1 => ['a', 'b'], 2 => ['ab']}
    /// ```
    "group_by" {
        "(Collection $collection, Callable[1, 1] &$block) >> Hash" => by_element(call, collection),
        "(Array $array, Callable[2, 2] &$block) >> Hash" => by_entry(call, array),
        "(Collection $collection, Callable[2, 2] &$block) >> Hash" => by_entry(call, collection),
    }
}

fn by_element(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    group(elements(collection), |element| call.yield_to_block(vec![element.clone()]))
}

fn by_entry(call: &mut Call<'_, '_>, collection: &Value) -> Outcome {
    let mut entries = entries(collection);
    group(elements(collection), |_| {
        let (key, value) = entries.next().unwrap_or_default();
        call.yield_to_block(vec![key, value])
    })
}

fn group(elements: impl Iterator<Item = Value>, mut key_of: impl FnMut(&Value) -> Outcome) -> Outcome {
    let mut groups: IndexMap<Value, Vec<Value>> = IndexMap::new();
    for element in elements {
        groups.entry(key_of(&element)?).or_default().push(element);
    }
    Ok(Value::hash(groups.into_iter().map(|(key, group)| (key, group.into()))))
}
