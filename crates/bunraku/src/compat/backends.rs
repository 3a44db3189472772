//! Functions in Ruby that give data to Hiera.

use bunraku_environment::Environment;
use bunraku_notation::yaml;
use bunraku_pcore::Value;
use ecow::eco_format;

use super::{Need, NeedKind, Report, ruby_function};
use crate::Library;

const KINDS: [&str; 3] = ["data_hash", "lookup_key", "data_dig"];

/// Adds the backends in Ruby that a `hiera.yaml` names.
pub(super) fn read(environment: &Environment, library: &Library, path: &str, report: &mut Report) {
    let world = environment.world();
    if !world.is_file(path) {
        return;
    }
    let text = match world.read(path) {
        Ok(text) => text,
        Err(error) => return report.unreadable.push(format!("{path}: {error}")),
    };
    let config = match yaml::load(&text, path) {
        Ok(document) => document.value.unwrap_or_default(),
        Err(error) => return report.unreadable.push(error.message.to_string()),
    };
    let mut add = |entry: &Value, place: &[Value], user: &str| {
        for kind in KINDS {
            let Some(Value::String(name)) = entry.get(kind) else { continue };
            let Some(reason) = ruby_function(name, environment, library) else { continue };
            let at = [place, &[Value::from(kind)]].concat();
            let line = yaml::locate(&text, &at).and_then(|place| u32::try_from(place.line).ok()).unwrap_or(1);
            let user = eco_format!("{kind} of {user}");
            let (kind, reason) = (NeedKind::Backend, Some(reason));
            report.needs.push(Need { kind, name: name.clone(), user, file: path.into(), line, reason });
        }
    };
    if let Some(defaults) = config.get("defaults") {
        add(defaults, &["defaults".into()], "the defaults");
    }
    for list in ["hierarchy", "default_hierarchy"] {
        let Some(Value::Array(entries)) = config.get(list) else { continue };
        for (index, entry) in entries.iter().enumerate() {
            let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
            let index = Value::Integer(i64::try_from(index).unwrap_or(i64::MAX));
            add(entry, &[list.into(), index], &format!("the level '{name}'"));
        }
    }
}
