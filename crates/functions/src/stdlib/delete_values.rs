//! `delete_values`: a hash without some values.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::compare::ruby_equals;
use bunraku_pcore::label::host_class;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns a hash without the entries that have a value.
    ///
    /// ```puppet
    /// delete_values({'a' => 'A', 'b' => 'B'}, 'B') # {'a' => 'A'}
    /// ```
    "delete_values" of "stdlib" {
        "arity -1" as "(Hash $hash, Any $value) >> Hash" => delete_values(*args),
    }
}

fn delete_values(args: &[Value]) -> Result<Value, Issue> {
    let [hash, item] = args else {
        return fail(format!("delete_values(): Wrong number of arguments given ({} of 2)", args.len()));
    };
    let Value::Hash(hash) = hash else {
        let class = host_class(hash);
        return fail(format!("delete_values(): First argument must be a Hash. Given an argument of class {class}."));
    };
    let kept = hash.iter().filter(|(_, value)| !ruby_equals(item, value));
    Ok(Value::hash(kept.map(|(key, value)| (key.clone(), value.clone()))))
}
