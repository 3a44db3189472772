//! `grep`: the elements that match.

use bunraku_compiler::function;
use bunraku_pcore::{Regexp, Value};
use bunraku_syntax::Issue;

use crate::iteration;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the elements of an array in which a regular expression matches.
    ///
    /// ```puppet
    /// grep(['aaa', 'bbb', 'aaab'], 'aaa') # ['aaa', 'aaab']
    /// ```
    "grep" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash] $elements, String $pattern) >> Array" => grep(*args),
    }
}

fn grep(args: &[Value]) -> Result<Vec<Value>, Issue> {
    let [array, pattern] = args else {
        return fail(format!("grep(): Wrong number of arguments given {} for 2", args.len()));
    };
    let pattern = Regexp::new(legacy_arguments::text(Some(pattern))?)?;
    if !matches!(array, Value::Array(_) | Value::Hash(_)) {
        return Err(legacy_arguments::undefined_method("grep", array));
    }
    let mut matching = Vec::new();
    for element in iteration::all_elements(array)? {
        if let Some(text) = element.as_str()
            && pattern.is_match(text)?
        {
            matching.push(element);
        }
    }
    Ok(matching)
}
