//! `delete_undef_values`: a collection without undef.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns an array without elements, or a hash without entries, that are `undef`.
    ///
    /// ```puppet
    /// delete_undef_values({'a' => 1, 'b' => undef}) # {'a' => 1}
    /// ```
    "delete_undef_values" of "stdlib" {
        "arity -1" as "(Variant[Array, Hash] $data) >> Variant[Array, Hash]" => delete_undef_values(*args),
    }
}

fn delete_undef_values(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        None => fail("delete_undef_values(): Wrong number of arguments given (0)"),
        Some(Value::Array(elements)) => {
            Ok(Value::array(elements.iter().filter(|element| !element.is_undef()).cloned()))
        }
        Some(Value::Hash(hash)) => {
            let kept = hash.iter().filter(|(_, value)| !value.is_undef());
            Ok(Value::hash(kept.map(|(key, value)| (key.clone(), value.clone()))))
        }
        Some(other) => {
            let (shown, class) = (inspect::to_s(other), host_class(other));
            fail(format!("delete_undef_values(): expected an array or hash, got {shown} type  {class} "))
        }
    }
}
