//! `extlib::sort_hash_deep`: a hash in the order of its keys.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::deep;

use crate::order;

function! {
    /// Returns a hash whose entries are in the order of their keys, and so for all hashes in it.
    ///
    /// ```puppet
    /// extlib::sort_hash_deep({ 'b' => 1, 'a' => 2 }) # {'a' => 2, 'b' => 1}
    /// ```
    "extlib::sort_hash_deep" of "extlib" {
        "(Hash $input) >> Hash" => sort_hash_deep(input),
    }
}

fn sort_hash_deep(input: &Hash) -> Outcome<Hash> {
    deep(|| {
        let keys: Vec<Value> = input.keys().cloned().collect();
        let keys = order::sort(&keys, &mut |one, other| Ok(order::try_compare(one, other)?))?;
        let mut sorted = Hash::with_capacity(input.len());
        for key in keys {
            let value = match input.get(&key) {
                Some(Value::Hash(inner)) => sort_hash_deep(inner)?.into(),
                Some(Value::Array(elements)) => {
                    let element = |element: &Value| match element {
                        Value::Hash(inner) => sort_hash_deep(inner).map(Value::from),
                        other => Ok(other.clone()),
                    };
                    elements.iter().map(element).collect::<Outcome<Vec<Value>>>()?.into()
                }
                other => other.cloned().unwrap_or_default(),
            };
            sorted.insert(key, value);
        }
        Ok(sorted)
    })
}
