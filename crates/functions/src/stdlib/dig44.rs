//! `dig44`: a value deep inside of data.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::label::host_class;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::navigate;
use crate::number::fail;

function! {
    /// Returns the value behind a list of keys, or the default if there is none. `dig` of the language has taken its place.
    ///
    /// ```puppet
    /// dig44({'a' => {'b' => 1}}, ['a', 'b'], 0) # 1
    /// ```
    "dig44" of "stdlib" {
        "arity -2" as "(Variant[Array, Hash] $data, Array $path, Any $default = undef) >> Any" => dig44(*args),
    }
}

/// The value behind a list of keys, or the default.
pub(crate) fn dig44(args: &[Value]) -> Result<Value, Issue> {
    let [data, path, rest @ ..] = args else {
        return fail(format!("dig44(): Wrong number of arguments given ({} for at least 2)", args.len()));
    };
    if !matches!(data, Value::Hash(_) | Value::Array(_)) {
        return fail(format!("dig44(): first argument must be a hash or an array, given {}", host_class(data)));
    }
    let Value::Array(path) = path else {
        return fail(format!("dig44(): second argument must be an array, given {}", host_class(path)));
    };
    let found = path.iter().try_fold(data.clone(), |structure, key| step(&structure, key));
    Ok(found.or_else(|| rest.first().cloned()).unwrap_or_default())
}

fn step(structure: &Value, key: &Value) -> Option<Value> {
    let found = match structure {
        Value::Hash(hash) => hash.get(key)?.clone(),
        Value::Array(elements) => navigate::element(elements, legacy_arguments::strict_integer(key)?),
        _ => return None,
    };
    Some(found).filter(|found| !found.is_undef())
}
