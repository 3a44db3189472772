//! `stdlib::sort_by`: elements in the order of what a lambda makes of them.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration;
use crate::order;

function! {
    /// Returns an array, the characters of a string, or a hash, in the order of what the lambda gives for each element.
    ///
    /// ```puppet
    /// ['ccc', 'a', 'bb'].stdlib::sort_by |$text| { $text.size } # ['a', 'bb', 'ccc']
    /// ```
    "stdlib::sort_by" of "stdlib" {
        "(Array $ary, Callable[1, 1] &$block)" as ">> Any" => of_array(call, ary),
        "(String $str, Callable[1, 1] &$block)" as ">> Any" => of_text(call, str),
        "(Hash $hsh, Variant[Callable[1, 1], Callable[2, 2]] &$block)" as ">> Any" => of_hash(call, hsh),
    }
}

fn of_array(call: &mut Call<'_, '_>, elements: &[Value]) -> Outcome<Vec<Value>> {
    sorted(elements, |element| call.yield_to_block(vec![element.clone()]))
}

fn of_text(call: &mut Call<'_, '_>, text: &Value) -> Outcome<String> {
    let letters: Vec<Value> = iteration::all_elements(text)?.collect();
    Ok(of_array(call, &letters)?.iter().filter_map(Value::as_str).collect())
}

fn of_hash(call: &mut Call<'_, '_>, hash: &Value) -> Outcome {
    let takes_two = call.block.is_some_and(|block| block.takes(2));
    let entries: Vec<Value> = iteration::elements(hash).collect();
    let sorted = sorted(&entries, |entry| match entry {
        Value::Array(pair) if takes_two => call.yield_to_block(pair.to_vec()),
        other => call.yield_to_block(vec![other.clone()]),
    })?;
    let pair = |entry: &Value| match entry {
        Value::Array(pair) => Some((pair.first()?.clone(), pair.get(1)?.clone())),
        _ => None,
    };
    Ok(Value::hash(sorted.iter().filter_map(pair)))
}

fn sorted(elements: &[Value], mut key_of: impl FnMut(&Value) -> Outcome) -> Outcome<Vec<Value>> {
    let mut keyed = Vec::with_capacity(elements.len());
    for element in elements {
        keyed.push(Value::array([key_of(element)?, element.clone()]));
    }
    let key = |pair: &Value| iteration::elements(pair).next().unwrap_or_default();
    let sorted = order::sort(&keyed, &mut |one, other| Ok(order::try_compare(&key(one), &key(other))?))?;
    Ok(sorted.iter().filter_map(|pair| iteration::elements(pair).nth(1)).collect())
}
