//! `catalog`: what a node is to be.

use std::sync::Arc;
use std::time::Instant;

use bunraku::{Hash, Limits, Value, json, wire};
use serde_json::json;

use super::{Answer, only};
use crate::format::Format;
use crate::request::{decode, form, is_environment_name};
use crate::{Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    only(request, &["GET", "POST"])?;
    let wanted = Wanted::read(request, name)?;
    let format = Format::accepted(request, Format::CATALOG)?;
    let facts = match wanted.facts()? {
        Some(facts) => {
            server.keep_facts(name, &facts)?;
            Arc::new(facts)
        }
        None => server.kept_facts(name)?,
    };
    let classification = server.classification(name)?;
    let classified = classification.environment.clone();
    // An environment that nobody knows is not the end: the node comes back from the one that it is given.
    let compiler = match &classified {
        Some(environment) => server.compiler(environment)?,
        None => match server.compiler(&wanted.environment) {
            Ok(compiler) => compiler,
            Err(_) => server.compiler(&server.setting("environment")?)?,
        },
    };
    let environment = compiler.environment();
    let is_sent_elsewhere = classified.is_some_and(|classified| classified != wanted.environment);
    if wanted.checks_environment && is_sent_elsewhere {
        let message = format!(
            "Requesting environment '{}' was overridden by '{}' for node '{name}'",
            wanted.environment, environment.name
        );
        server.journal.warning(&message);
        return format.response(empty(name, &environment.name).to_string());
    }
    let begun = Instant::now();
    let node = server.prepared(name, &facts, request.client.as_deref(), classification, &compiler)?;
    let limits = Limits {
        deadline: begun.checked_add(server.configuration.compile_time),
        cancelled: Some(request.cancelled.clone()),
    };
    let outcome = server.project.compile(&compiler, &node, &limits)?;
    for log in &outcome.logs {
        server.journal.info(&log.located(environment));
    }
    let catalog = outcome.catalog.map_err(|failure| {
        let message = failure.messages().last().cloned().unwrap_or_default();
        for message in failure.messages() {
            server.journal.error(&format!("{message} on node {name}"));
        }
        Refusal::server_error(format!("{message} on node {name}"))
    })?;
    let text = wire::to_json(&catalog, wire::Options::default())?;
    let text = if format.is_rich() { text } else { plain(&text)? };
    let took = begun.elapsed().as_secs_f64();
    server
        .journal
        .info(&format!("Compiled catalog for {name} in environment {} in {took:.3} seconds", environment.name));
    Ok(format.response(text)?.with_header("X-Puppet-Compiler-Name", server.setting("certname")?))
}

/// What was asked for.
struct Wanted<'w> {
    name: &'w str,
    environment: String,
    checks_environment: bool,
    facts: Option<String>,
    facts_format: Option<String>,
}

impl<'w> Wanted<'w> {
    fn read(request: &Request, name: &'w str) -> Result<Wanted<'w>, Refusal> {
        let sent = match request.content_type() {
            Some("application/x-www-form-urlencoded") => form(&String::from_utf8_lossy(&request.body)),
            _ => Vec::new(),
        };
        let value = |key: &str| {
            let in_form = sent.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
            in_form.or_else(|| request.parameter(key).map(str::to_owned))
        };
        let environment = request.parameter("environment").unwrap_or("null");
        if environment == "null" || !is_environment_name(environment) {
            let message = format!("The environment must be purely alphanumeric, not '{environment}'");
            return Err(Refusal::text(400, message));
        }
        Ok(Wanted {
            name,
            environment: environment.to_owned(),
            checks_environment: value("check_environment").as_deref() == Some("true"),
            facts: value("facts"),
            facts_format: value("facts_format"),
        })
    }

    /// The facts that were sent along, encoded once more than a form is.
    fn facts(&self) -> Result<Option<Hash>, Refusal> {
        let name = self.name;
        let Some(text) = &self.facts else { return Ok(None) };
        match self.facts_format.as_deref() {
            None => return Err(Refusal::server_error(format!("Facts but no fact format provided for {name}"))),
            Some("application/json" | "pson") => {}
            Some(_) => return Err(Refusal::server_error("Unsupported facts format")),
        }
        let text = decode(text);
        let wrong = || Refusal::server_error(format!("Could not intern from json: unexpected token at '{text}'"));
        let sent = json::read(&text).map_err(|_| wrong())?;
        let about = sent.get("name").and_then(Value::as_str).unwrap_or_default();
        if about != name {
            return Err(Refusal::server_error(format!(
                "Catalog for \"{name}\" was requested with fact definition for the wrong node (\"{about}\")."
            )));
        }
        match sent.get("values") {
            Some(Value::Hash(values)) => Ok(Some(Hash::clone(values))),
            _ => Err(wrong()),
        }
    }
}

/// What makes an agent come back from another environment.
fn empty(name: &str, environment: &str) -> serde_json::Value {
    json!({
        "tags": [], "name": name, "version": null, "code_id": null, "catalog_uuid": null, "catalog_format": 2,
        "environment": environment, "resources": [], "edges": [], "classes": [],
    })
}

/// The catalog for those who do not take rich data: such values become strings, but for what is secret.
fn plain(text: &str) -> Result<String, Refusal> {
    let mut catalog: serde_json::Value =
        serde_json::from_str(text).map_err(|error| Refusal::server_error(error.to_string()))?;
    flatten(&mut catalog);
    Ok(catalog.to_string())
}

fn flatten(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(elements) => elements.iter_mut().for_each(flatten),
        serde_json::Value::Object(map) => {
            map.values_mut().for_each(flatten);
            let is_rich = map.get("__ptype").is_some_and(|kind| kind != "Sensitive");
            if is_rich {
                *value = match map.remove("__pvalue") {
                    Some(serde_json::Value::String(text)) => serde_json::Value::String(text),
                    Some(other) => serde_json::Value::String(other.to_string()),
                    None => serde_json::Value::String(serde_json::Value::Object(std::mem::take(map)).to_string()),
                };
            }
        }
        _ => {}
    }
}
