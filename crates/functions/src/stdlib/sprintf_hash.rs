//! `sprintf_hash`: a string by a format with names.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::format::sprintf::sprintf;

use crate::stdlib::deprecation::deprecate;

function! {
    /// Formats values of a hash by a format with names. `sprintf` of the language has taken its place.
    ///
    /// ```puppet
    /// sprintf_hash('%<a>s', {'a' => 1}) # '1'
    /// ```
    "sprintf_hash" of "stdlib" {
        "(String $format, Hash $arguments)" as ">> String" => sprintf_hash(call, format, arguments),
    }
}

fn sprintf_hash(call: &mut Call<'_, '_>, format: &str, arguments: &Value) -> Outcome {
    let message = "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead";
    deprecate(call, "sprintf_hash", message)?;
    Ok(sprintf(format, std::slice::from_ref(arguments))?.into())
}
