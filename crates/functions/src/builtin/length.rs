//! `length`: how many elements, characters or bytes a value has.

use bunraku_compiler::function;
use bunraku_pcore::Value;

function! {
    /// Returns the number of elements of a collection, of characters of a string, or of bytes of a `Binary`.
    ///
    /// ```puppet
    /// length('roses') # 5
    /// length([1, 2])  # 2
    /// ```
    "length" {
        "(Collection $arg)" as ">> Integer" => length(arg),
        "(String $arg)" as ">> Integer" => length(arg),
        "(Binary $arg)" as ">> Integer" => length(arg),
    }
}

/// The length of a value that has one.
pub(crate) fn length(value: &Value) -> i64 {
    let length = match value {
        Value::Array(elements) => elements.len(),
        Value::Hash(hash) => hash.len(),
        Value::String(text) => text.chars().count(),
        Value::Binary(bytes) => bytes.bytes().len(),
        _ => 0,
    };
    i64::try_from(length).unwrap_or(i64::MAX)
}
