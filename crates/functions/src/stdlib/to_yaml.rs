//! `to_yaml`: a value as YAML.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};

use crate::yaml;

function! {
    /// Returns a value as YAML text. The options are those of the library that Ruby uses; `indentation` is known.
    ///
    /// ```puppet
    /// to_yaml({'a' => 1}) # "---\na: 1\n"
    /// ```
    "to_yaml" of "stdlib" {
        "(Any $data, Hash $options = undef)" => to_yaml(data, options),
    }
}

fn to_yaml(data: &Value, options: Option<&Hash>) -> String {
    let indentation = match options.and_then(|options| options.get_str("indentation")) {
        Some(Value::Integer(indentation @ 2..=9)) => usize::try_from(*indentation).unwrap_or(2),
        _ => 2,
    };
    yaml::dump(data, indentation)
}
