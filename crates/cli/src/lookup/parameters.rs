//! `bunraku lookup --class`: every parameter of a class and where its value comes from.

use std::process::ExitCode;

use bunraku::hiera::{Explain, Request};
use bunraku::{Compilation, Frame, Hash, Value};
use ecow::{EcoString, eco_format};

use super::explain::NOWHERE;
use super::render::as_pretty_json;
use crate::output::print;

/// Shows the parameters of a class as text or JSON.
pub(super) fn show(class: &str, compilation: &mut Compilation<'_>, is_json: bool) -> Result<ExitCode, String> {
    let mut all = Hash::new();
    for (key, has_default) in keys(class, compilation)? {
        let name = key.rsplit("::").next().unwrap_or_default();
        let (value, sources) = explained(&key, None, compilation)?;
        let origin = match (&value, has_default) {
            (Some(_), _) => "data",
            (None, true) => "default",
            (None, false) => "none",
        };
        if !is_json {
            let shown = value.as_ref().map_or_else(String::new, |value| format!(" = {value}"));
            print(format_args!("{name}{shown}\n"))?;
            match sources.as_slice() {
                [] => print(format_args!("  from {origin}\n"))?,
                sources => sources.iter().try_for_each(|source| print(format_args!("  from {source}\n")))?,
            }
        }
        let entry = Value::hash([
            ("value".into(), value.unwrap_or_default()),
            ("origin".into(), origin.into()),
            ("sources".into(), Value::array(sources.into_iter().map(Value::from))),
        ]);
        all.insert(name.into(), entry);
    }
    if is_json {
        print(format_args!("{}\n", as_pretty_json(&Value::from(all))?))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The keys of the parameters of a class, and whether each has a default.
pub(super) fn keys(class: &str, compilation: &mut Compilation<'_>) -> Result<Vec<(EcoString, bool)>, String> {
    let class = class.trim_start_matches("::").to_lowercase();
    let definition = compilation.definitions.class(&class).map_err(|failure| format!("{failure:?}"))?;
    let definition = definition.ok_or_else(|| format!("Could not find class {class}"))?.definition;
    let key = |name: &str| eco_format!("{class}::{name}");
    Ok(definition.parameters.iter().map(|it| (key(&it.name), it.default.is_some())).collect())
}

/// The value of a key and the places in data files that it is made of.
pub(super) fn explained(
    key: &EcoString,
    merge: Option<&Value>,
    compilation: &mut Compilation<'_>,
) -> Result<(Option<Value>, Vec<String>), String> {
    let request = Request { names: std::slice::from_ref(key), merge, ..Request::default() };
    let explained = Frame::top(compilation).explain_lookup(&request, Explain::Data, NOWHERE);
    let (found, explanation) =
        explained.map_err(|unwind| super::message(&compilation.diagnostic(unwind), compilation.environment))?;
    let sources = explanation.sources(key, compilation.environment.world());
    Ok((found.map(|found| found.value), sources.iter().map(ToString::to_string).collect()))
}
