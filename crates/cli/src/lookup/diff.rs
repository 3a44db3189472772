//! `bunraku lookup --diff`: which keys have different values for two nodes.

use std::process::ExitCode;

use bunraku::{Compilation, Hash, Value};
use ecow::EcoString;

use super::parameters::{explained, keys};
use super::render::as_pretty_json;
use crate::output::print;

/// What a node has for a key.
struct Side {
    value: Option<Value>,
    sources: Vec<String>,
}

impl Side {
    fn of(key: &EcoString, merge: Option<&Value>, compilation: &mut Compilation<'_>) -> Result<Side, String> {
        let (value, sources) = explained(key, merge, compilation)?;
        Ok(Side { value, sources })
    }

    fn show(&self, node: &str) -> Result<(), String> {
        match &self.value {
            Some(value) => print(format_args!("  {node}: {value}\n"))?,
            None => print(format_args!("  {node}: not found\n"))?,
        }
        self.sources.iter().try_for_each(|source| print(format_args!("    from {source}\n")))
    }

    fn to_value(&self) -> Value {
        let sources = Value::array(self.sources.iter().map(|source| Value::from(source.as_str())));
        let mut entries = Hash::from_iter([("found".into(), self.value.is_some().into()), ("sources".into(), sources)]);
        if let Some(value) = &self.value {
            entries.insert("value".into(), value.clone());
        }
        Value::from(entries)
    }
}

/// Shows the keys, or the parameters of a class, whose values are different: exits with 0 if none is, else with 2.
pub(super) fn show(
    names: &[EcoString],
    class: Option<&str>,
    merge: Option<&Value>,
    [left, right]: [&mut Compilation<'_>; 2],
    is_json: bool,
) -> Result<ExitCode, String> {
    let names: Vec<EcoString> = match class {
        Some(class) => keys(class, left)?.into_iter().map(|(key, _)| key).collect(),
        None => names.to_vec(),
    };
    let mut different = Hash::new();
    for key in names {
        let sides = [Side::of(&key, merge, left)?, Side::of(&key, merge, right)?];
        if sides[0].value == sides[1].value {
            continue;
        }
        if !is_json {
            print(format_args!("{key}\n"))?;
        }
        let mut entry = Hash::new();
        for (side, node) in sides.iter().zip([left.node, right.node]) {
            if !is_json {
                side.show(&node.name)?;
            }
            entry.insert(Value::String(node.name.clone()), side.to_value());
        }
        different.insert(Value::String(key), Value::from(entry));
    }
    let is_equal = different.is_empty();
    if is_json {
        print(format_args!("{}\n", as_pretty_json(&Value::from(different))?))?;
    }
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::from(2) })
}
