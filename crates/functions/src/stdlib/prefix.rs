//! `prefix`: a string before each element.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect, limits};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Puts a string before each element of an array, or before each key of a hash.
    ///
    /// ```puppet
    /// prefix(['a', 'b'], 'p') # ['pa', 'pb']
    /// ```
    "prefix" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash] $data, String $text = undef) >> Variant[Array, Hash]" => prefix(*args),
    }
}

fn prefix(args: &[Value]) -> Result<Value, Issue> {
    let collection = match args.first() {
        None => return fail("prefix(): Wrong number of arguments given (0 for 1)"),
        Some(collection @ (Value::Array(_) | Value::Hash(_))) => collection,
        Some(other) => {
            let shown = inspect::inspect(other);
            return fail(format!("prefix(): expected first argument to be an Array or a Hash, got {shown}"));
        }
    };
    let affix = match args.get(1).filter(|affix| affix.is_truthy()) {
        None => None,
        Some(Value::String(affix)) => Some(affix.as_str()),
        Some(other) => {
            let shown = inspect::inspect(other);
            return fail(format!("prefix(): expected second argument to be a String, got {shown}"));
        }
    };
    let growth = affix.map_or(0, str::len).saturating_mul(legacy_arguments::size(collection));
    limits::check_size(collection.extent().size.saturating_add(growth as u64))?;
    let affixed = |value: &Value| {
        let text = inspect::to_s(value);
        Value::from(format!("{}{text}", affix.unwrap_or_default()))
    };
    Ok(match collection {
        Value::Hash(hash) => Value::hash(hash.iter().map(|(key, value)| (affixed(key), value.clone()))),
        other => Value::array(legacy_arguments::list(other).iter().map(affixed)),
    })
}
