//! `is_service_default`: whether a service decides on its own.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns whether a value is the string that stands for the default of a service.
    ///
    /// ```puppet
    /// is_service_default('<SERVICE DEFAULT>') # true
    /// ```
    "is_service_default" of "openstacklib" {
        "(Any *$args)" as "(Any $value) >> Boolean" => is_service_default(*args),
    }
}

fn is_service_default(args: &[Value]) -> Result<bool, Issue> {
    match args {
        [value] => Ok(value.as_str() == Some("<SERVICE DEFAULT>")),
        _ => fail(format!("is_service_default(): Wrong number of argumentsgiven ({} for 1)", args.len())),
    }
}
