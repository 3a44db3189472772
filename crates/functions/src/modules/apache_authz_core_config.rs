//! `apache::authz_core_config`: nested conditions of who may see something.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::text;

function! {
    /// Returns the lines of nested `Require` directives of Apache.
    ///
    /// ```puppet
    /// apache::authz_core_config({ 'require_all' => { 'require' => ['user a'] } })
    /// ```
    "apache::authz_core_config" of "apache" {
        "(Hash $config) >> Array" => authz_core_config(config),
    }
}

fn authz_core_config(config: &Hash) -> Result<Vec<Value>, Issue> {
    let mut lines = Vec::new();
    write(config, 1, &mut lines)?;
    Ok(lines)
}

fn write(config: &Hash, depth: usize, lines: &mut Vec<Value>) -> Result<(), Issue> {
    let indentation = "  ".repeat(depth);
    for (key, value) in config.iter() {
        let Value::String(key) = key else { return Err(legacy_arguments::undefined_method("split", key)) };
        let directive: String = key.split('_').map(text::capitalize).collect();
        match value {
            Value::Hash(inner) => {
                lines.push(format!("{indentation}<{directive}>").into());
                write(inner, depth + 1, lines)?;
                lines.push(format!("{indentation}</{directive}>").into());
            }
            Value::Array(values) => {
                let line = |value: &Value| format!("{indentation}{directive} {}", inspect::to_s(value)).into();
                lines.extend(values.iter().map(line));
            }
            other => return Err(legacy_arguments::undefined_method("map", other)),
        }
    }
    Ok(())
}
