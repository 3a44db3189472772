//! `to_toml`: a hash as TOML.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::{Issue, deep};

use crate::order;
use crate::stdlib::rewrap_sensitive_data::rewrap;
use bunraku_compiler::Outcome;

function! {
    /// Returns a hash as TOML.
    ///
    /// ```puppet
    /// to_toml({'a' => {'b' => 1}}) # "[a]\nb = 1\n"
    /// ```
    "to_toml" of "stdlib" {
        "(Hash $data) >> String" => to_toml(data),
    }
}

function! {
    /// Returns a hash as TOML.
    ///
    /// ```puppet
    /// to_toml({'a' => {'b' => 1}}) # "[a]\nb = 1\n"
    /// ```
    NAMESPACED: "stdlib::to_toml" of "stdlib" {
        "(Hash $data) >> Variant[String, Sensitive[String]]" => rewrapped(data),
    }
}

fn to_toml(data: &Hash) -> Result<String, Issue> {
    let mut toml = String::new();
    visit(data, &[], &mut toml)?;
    Ok(toml)
}

/// The entries of a table by kind: plain ones, tables, and arrays of tables; each in the order of their keys.
struct Table<'h> {
    plain: Vec<(String, &'h Value)>,
    tables: Vec<(String, &'h Hash)>,
    arrays: Vec<(String, &'h [Value])>,
}

fn sorted(hash: &Hash) -> Result<Table<'_>, Issue> {
    let keys: Vec<Value> = hash.keys().cloned().collect();
    let keys = order::sort(&keys, &mut |one, other| Ok(order::try_compare(one, other)?))
        .map_err(|_| bunraku_pcore::issues::runtime_error("comparison of keys failed"))?;
    let mut table = Table { plain: Vec::new(), tables: Vec::new(), arrays: Vec::new() };
    for key in &keys {
        let name = key_text(key);
        match hash.get(key).unwrap_or(&Value::Undef) {
            Value::Hash(inner) => table.tables.push((name, inner)),
            Value::Array(elements) if matches!(elements.first(), Some(Value::Hash(_))) => {
                table.arrays.push((name, elements))
            }
            other => table.plain.push((name, other)),
        }
    }
    Ok(table)
}

fn visit(hash: &Hash, prefix: &[String], toml: &mut String) -> Result<(), Issue> {
    let table = sorted(hash)?;
    if !prefix.is_empty() && (!table.plain.is_empty() || hash.is_empty()) {
        toml.push_str(&format!("[{}]\n", prefix.join(".")));
    }
    dump(&table, prefix, toml)
}

fn dump(table: &Table<'_>, prefix: &[String], toml: &mut String) -> Result<(), Issue> {
    deep(|| {
        let inside = |name: &String| -> Vec<String> { prefix.iter().chain([name]).cloned().collect() };
        for (name, value) in &table.plain {
            toml.push_str(&format!("{name} = {}\n", value_text(value)));
        }
        for (name, inner) in &table.tables {
            visit(inner, &inside(name), toml)?;
        }
        for (name, elements) in &table.arrays {
            let path = inside(name);
            for element in elements.iter() {
                toml.push_str(&format!("[[{}]]\n", path.join(".")));
                if let Value::Hash(inner) = element {
                    dump(&sorted(inner)?, &path, toml)?;
                }
            }
        }
        Ok(())
    })
}

/// A key as it is, or in quotes if it has more than letters, digits, `_` and `-`.
fn key_text(key: &Value) -> String {
    let text = inspect::to_s(key);
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
        return text.into_owned();
    }
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Regexp(_) => inspect::inspect_text(&inspect::inspect(value)),
        Value::String(text) => {
            inspect::inspect_text(text).replace("\\#{", "#{").replace("\\#$", "#$").replace("\\#@", "#@")
        }
        other => inspect::inspect(other),
    }
}

/// Secrets in the data make the string a secret.
fn rewrapped(value: &Value) -> Outcome {
    rewrap(value, |value| match &value {
        Value::Hash(hash) => Ok(to_toml(hash)?.into()),
        _ => Ok(Value::Undef),
    })
}
