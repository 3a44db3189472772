//! `count`: how many elements there are.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::compare::ruby_equals;
use bunraku_syntax::Issue;

use crate::character_set::CharacterSet;
use crate::iteration;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Counts the elements that are equal to a value, or those that are neither `undef` nor an empty string.
    ///
    /// ```puppet
    /// count(['a', '', 'b'])     # 2
    /// count(['a', 'b', 'a'], 'a') # 2
    /// ```
    "count" of "stdlib" {
        "arity -2" as "(Any $elements, Any $value = undef) >> Integer" => count(*args),
    }
}

fn count(args: &[Value]) -> Result<i64, Issue> {
    if args.len() > 2 {
        return fail(format!("count(): Wrong number of arguments given {} for 1 or 2.", args.len()));
    }
    let item = args.get(1).filter(|item| item.is_truthy());
    let collection = args.first().unwrap_or(&Value::Undef);
    let counted = match (collection, item) {
        (Value::Array(_) | Value::Hash(_), Some(item)) => {
            iteration::all_elements(collection)?.filter(|element| ruby_equals(element, item)).count()
        }
        (Value::Array(elements), None) => elements.iter().filter(|element| !is_nothing(element)).count(),
        (Value::Hash(hash), None) => hash.len(),
        (Value::String(text), Some(item)) => {
            let set = CharacterSet::parse(legacy_arguments::text(Some(item))?);
            text.chars().filter(|letter| set.contains(*letter)).count()
        }
        (Value::String(_), None) => return fail("wrong number of arguments (given 0, expected 1+)"),
        (other, _) => return Err(legacy_arguments::undefined_method("count", other)),
    };
    Ok(i64::try_from(counted).unwrap_or(i64::MAX))
}

fn is_nothing(value: &Value) -> bool {
    value.is_undef() || value.as_str() == Some("")
}
