//! `delete_at`: an array without the element at an index.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns an array without the element at an index.
    ///
    /// ```puppet
    /// delete_at(['a', 'b', 'c'], 1) # ['a', 'c']
    /// ```
    "delete_at" of "stdlib" {
        "arity -1" as "(Array $elements, Any $index) >> Array" => delete_at(*args),
    }
}

fn delete_at(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [array, index, ..] = args else {
        return fail(format!("delete_at(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let Value::Array(elements) = array else { return fail("delete_at(): Requires array to work with") };
    if index.as_str().is_some_and(|text| !legacy_arguments::is_digits(text)) {
        return fail("delete_at(): You must provide non-negative numeric index");
    }
    let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
    let index = legacy_arguments::to_i(index)?;
    if index >= length {
        return fail("delete_at(): Given index exceeds size of array given");
    }
    let index = usize::try_from(if index < 0 { index + length } else { index });
    let kept = elements.iter().enumerate().filter(|(position, _)| Ok(*position) != index);
    Ok(kept.map(|(_, element)| element.clone()).collect())
}
