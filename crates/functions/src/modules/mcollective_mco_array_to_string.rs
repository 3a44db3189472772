//! `mco_array_to_string`: elements as strings.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns an array with each element as a string.
    ///
    /// ```puppet
    /// mco_array_to_string([1, 2]) # ['1', '2']
    /// ```
    "mco_array_to_string" of "mcollective" {
        "arity -1" as "(Array $elements) >> Any" => mco_array_to_string(*args),
    }
}

fn mco_array_to_string(args: &[Value]) -> Result<Value, Issue> {
    match args.first() {
        Some(Value::Array(elements)) => {
            Ok(Value::array(elements.iter().map(|element| Value::string(inspect::to_s(element)))))
        }
        other => fail(format!("Expected an array, but got a {}", host_class(other.unwrap_or(&Value::Undef)))),
    }
}
