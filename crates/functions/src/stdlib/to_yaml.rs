//! `to_yaml`: a value as YAML.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::stdlib::rewrap_sensitive_data::rewrap;
use crate::yaml;
use bunraku_compiler::Outcome;

function! {
    /// Returns a value as YAML. The options are those of the library that Ruby uses; `indentation` is known.
    ///
    /// ```puppet
    /// to_yaml({'a' => 1}) # "---\na: 1\n"
    /// ```
    "to_yaml" of "stdlib" {
        "(Any $data, Hash $options = undef)" as ">> Variant[String, Sensitive[String]]" => to_yaml(data, options),
    }
}

function! {
    /// Returns a value as YAML. The options are those of the library that Ruby uses; `indentation` is known.
    ///
    /// ```puppet
    /// to_yaml({'a' => 1}) # "---\na: 1\n"
    /// ```
    NAMESPACED: "stdlib::to_yaml" of "stdlib" {
        "(Any $data, Hash $options = undef)" as ">> Variant[String, Sensitive[String]]" => rewrapped(data, options),
    }
}

fn to_yaml(data: &Value, options: Option<&Hash>) -> Result<String, Issue> {
    let indentation = match options.and_then(|options| options.get_str("indentation")) {
        Some(Value::Integer(indentation @ 2..=9)) => usize::try_from(*indentation).unwrap_or(2),
        _ => 2,
    };
    yaml::dump(data, indentation)
}

/// Secrets in the data make the string a secret.
fn rewrapped(value: &Value, options: Option<&Hash>) -> Outcome {
    rewrap(value, |value| Ok(to_yaml(&value, options)?.into()))
}
