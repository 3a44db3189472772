//! `empty`: whether a value has no content.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::builtin::length::length;
use crate::deprecation;

function! {
    /// Returns whether a collection, string or `Binary` has no content. `undef` is empty, a number is not.
    ///
    /// ```puppet
    /// empty([])  # true
    /// empty('a') # false
    /// ```
    "empty" {
        "(Collection $coll)" as ">> Boolean" => is_empty(coll),
        "(Sensitive[String] $str)" as ">> Boolean" => is_secret_empty(str),
        "(String $str)" as ">> Boolean" => is_empty(str),
        "(Numeric $num)" as ">> Boolean" => of_number(call),
        "(Binary $bin)" as ">> Boolean" => is_empty(bin),
        "(Undef $x)" as ">> Boolean" => is_empty(x),
    }
}

fn is_empty(value: &Value) -> bool {
    length(value) == 0
}

fn is_secret_empty(value: &Value) -> bool {
    matches!(value, Value::Sensitive(secret) if is_empty(secret))
}

fn of_number(call: &mut Call<'_, '_>) -> bool {
    let key = format!("empty-from-{:?}", call.span);
    deprecation::warn_here(call, &key, "Calling function empty() with Numeric value is deprecated.");
    false
}
