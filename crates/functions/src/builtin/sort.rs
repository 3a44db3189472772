//! `sort`: elements or characters in order.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::iteration::all_elements;
use crate::order;

function! {
    /// Returns the elements of an array, or the characters of a string, in ascending order.
    ///
    /// Strings are ordered with regard to case. Values of different kinds need a lambda that returns a negative number, zero
    /// or a positive number; `compare` is of use there.
    ///
    /// ```puppet
    /// sort([3, 1, 2])                               # [1, 2, 3]
    /// sort([3, 1, 2]) |$a, $b| { compare($b, $a) }  # [3, 2, 1]
    /// ```
    "sort" {
        "(String $string_value, Callable[2, 2] &$block = undef)" as ">> String" => of_text(call, string_value),
        "(Array $array_value, Callable[2, 2] &$block = undef)" as ">> Array" => of_array(call, array_value),
    }
}

fn of_text(call: &mut Call<'_, '_>, text: &Value) -> Outcome<String> {
    let characters: Vec<Value> = all_elements(text)?.collect();
    Ok(of_array(call, &characters)?.iter().filter_map(Value::as_str).collect())
}

fn of_array(call: &mut Call<'_, '_>, elements: &[Value]) -> Outcome<Vec<Value>> {
    order::sort(elements, &mut |left, right| match call.block {
        None => Ok(order::try_compare(left, right)?),
        Some(_) => {
            let answer = call.yield_to_block(vec![left.clone(), right.clone()])?;
            Ok(order::from_answer(&answer, left, right)?)
        }
    })
}
