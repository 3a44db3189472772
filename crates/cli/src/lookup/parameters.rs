//! `bunraku lookup --class`: every parameter of a class and where its value comes from.

use std::process::ExitCode;

use bunraku::{Compilation, Frame, Hash, Value, json};
use bunraku_hiera::{Explain, Request};
use ecow::{EcoString, eco_format};

use super::explain::{NOWHERE, with_lines};

/// Shows the parameters of a class as text or JSON.
pub(super) fn show(class: &str, compilation: &mut Compilation<'_>, as_json: bool) -> Result<ExitCode, String> {
    let class = class.trim_start_matches("::").to_lowercase();
    let definition = compilation.definitions.class(&class).map_err(|failure| format!("{failure:?}"))?;
    let definition = definition.ok_or_else(|| format!("Could not find class {class}"))?.definition;
    let mut all = Hash::new();
    for parameter in &definition.parameters {
        let key = eco_format!("{class}::{}", parameter.name);
        let (value, sources) = explained(&key, compilation)?;
        let origin = match (&value, parameter.default.is_some()) {
            (Some(_), _) => "data",
            (None, true) => "default",
            (None, false) => "none",
        };
        if !as_json {
            let shown = value.as_ref().map_or_else(String::new, |value| format!(" = {value}"));
            anstream::println!("{}{shown}", parameter.name);
            match sources.as_slice() {
                [] => anstream::println!("  from {origin}"),
                sources => sources.iter().for_each(|source| anstream::println!("  from {source}")),
            }
        }
        let entry = Value::hash([
            ("value".into(), value.unwrap_or_default()),
            ("origin".into(), origin.into()),
            ("sources".into(), Value::array(sources.into_iter().map(Value::from))),
        ]);
        all.insert(Value::String(parameter.name.clone()), entry);
    }
    if as_json {
        anstream::println!("{:#}", json::rich(&Value::from(all)).map_err(|issue| issue.to_string())?);
    }
    Ok(ExitCode::SUCCESS)
}

/// The value of a key and the places in data files that it is made of.
fn explained(key: &EcoString, compilation: &mut Compilation<'_>) -> Result<(Option<Value>, Vec<String>), String> {
    let request = Request { names: std::slice::from_ref(key), ..Request::default() };
    let explained = Frame::top(compilation).explain_lookup(&request, Explain::Data, NOWHERE);
    let (found, explanation) = explained.map_err(|unwind| bunraku::diagnostic(unwind).issue.to_string())?;
    let mut sources = Vec::new();
    collect(&with_lines(&explanation.to_value(), compilation.environment.world()), key, &mut sources);
    Ok((found.map(|found| found.value), sources))
}

fn collect(explanation: &Value, key: &str, sources: &mut Vec<String>) {
    let text = |name| explanation.get(name).and_then(Value::as_str);
    if let (Some("found"), Some(path)) = (text("event"), text("path"))
        && text("key") == Some(key)
    {
        sources.push(match explanation.get("line") {
            Some(line) => format!("{path}:{line}"),
            None => path.to_owned(),
        });
    }
    if let Some(Value::Array(branches)) = explanation.get("branches") {
        branches.iter().for_each(|branch| collect(branch, key, sources));
    }
}
