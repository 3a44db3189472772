//! `stdlib::ensure`: a value for the attribute ensure.

use bunraku_compiler::function;
use bunraku_pcore::Value;

function! {
    /// Returns the value of `ensure` that fits a kind of resource, for a boolean, `present` or `absent`.
    ///
    /// ```puppet
    /// stdlib::ensure(true, 'service') # 'running'
    /// ```
    "stdlib::ensure" of "stdlib" {
        "(Variant[Boolean, Enum['present', 'absent']] $ensure, Enum['directory', 'link', 'mounted', 'service', 'file', 'package'] $resource) >> String" => for_resource(ensure, resource),
        "hidden (Variant[Boolean, Enum['present', 'absent']] $ensure, Undef $resource = undef) >> String" => for_any_resource(ensure),
    }
}

fn for_any_resource(ensure: &Value) -> String {
    for_resource(ensure, "present")
}

fn for_resource(ensure: &Value, resource: &str) -> String {
    let is_present = match ensure {
        Value::Boolean(value) => *value,
        other => other.as_str() == Some("present"),
    };
    match (resource, is_present) {
        ("package", true) => "installed",
        ("service", true) => "running",
        ("service", false) => "stopped",
        (resource, true) => resource,
        (_, false) => "absent",
    }
    .into()
}
