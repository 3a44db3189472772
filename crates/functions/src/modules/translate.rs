//! `translate`: a string with values put in.

use bunraku_compiler::function;
use bunraku_pcore::format::sprintf::sprintf;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::legacy_arguments;

function! {
    /// Returns a message, in which names such as `%{colour}` stand for values of a hash. It marks strings for translation.
    ///
    /// ```puppet
    /// translate('It is %{colour}', { 'colour' => 'green' }) # 'It is green'
    /// ```
    "translate" of "translate" {
        "(String $message, Hash $interpolation_values = undef)" as ">> String" => translate(message, interpolation_values),
    }
}

fn translate(message: &str, values: Option<&Hash>) -> Result<String, Issue> {
    let Some(values) = values else { return Ok(message.to_owned()) };
    if let Some(key) = values.keys().find(|key| legacy_arguments::name(key).is_none()) {
        return Err(legacy_arguments::undefined_method("to_sym", key));
    }
    Ok(sprintf(message, &[Value::from(values.clone())])?.to_string())
}
