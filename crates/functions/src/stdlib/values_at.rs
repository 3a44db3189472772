//! `values_at`: elements at some indexes.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::fail;

function! {
    /// Returns the elements of an array at an index, a range such as `1-3`, or an array of these.
    ///
    /// ```puppet
    /// values_at(['a', 'b', 'c', 'd'], ['0', '2-3']) # ['a', 'c', 'd']
    /// ```
    "values_at" of "stdlib" {
        "arity -1" as "(Array $elements, Any $indexes) >> Array" => values_at(*args),
    }
}

fn values_at(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [array, indexes, ..] = args else {
        return fail(format!("values_at(): Wrong number of arguments given ({} for 2)", args.len()));
    };
    let Value::Array(array) = array else { return fail("values_at(): Requires array to work with") };
    let indexes = flatten(std::slice::from_ref(indexes));
    if indexes.is_empty() {
        return fail("values_at(): You must provide at least one positive index to collect");
    }
    let mut found = Vec::new();
    for index in &indexes {
        let (start, stop) = bounds(&inspect::to_s(index), array.len())?;
        found.extend(array.iter().take(stop).skip(start).filter(|value| !value.is_undef()).cloned());
    }
    Ok(found)
}

/// The first index and the one after the last.
fn bounds(text: &str, length: usize) -> Result<(usize, usize), Issue> {
    for (separator, after) in [("...", 0), ("..", 1), ("-", 1)] {
        if let Some((start, stop)) = text.split_once(separator)
            && let (Ok(start), Ok(stop)) = (start.parse::<usize>(), stop.parse::<usize>())
        {
            if start > stop {
                return fail("values_at(): Stop index in given indices range is smaller than the start index");
            }
            if stop >= length {
                return fail("values_at(): Stop index in given indices range exceeds array size");
            }
            return Ok((start, stop + after));
        }
    }
    match text.parse::<usize>() {
        Ok(index) if index >= length => fail("values_at(): Given index exceeds array size"),
        Ok(index) => Ok((index, index + 1)),
        Err(_) => fail("values_at(): Unknown format of given index"),
    }
}
