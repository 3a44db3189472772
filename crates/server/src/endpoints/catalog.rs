//! `catalog`: what a node is to be.

use std::sync::Arc;
use std::time::Instant;

use bunraku::{Hash, Place, json, random_uuid, wire};
use serde_json::json;

use super::Answer;
use crate::files::Kind;
use crate::format::Format;
use crate::request::{decode, form, is_environment_name};
use crate::{Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    let wanted = Wanted::read(request, name)?;
    let format = Format::accepted(request, Format::CATALOG);
    let facts = match wanted.facts()? {
        Some(facts) => {
            server.keep_facts(name, &facts)?;
            Arc::new(facts)
        }
        None => server.kept_facts(name)?,
    };
    let classification = server.classification(name)?;
    let classified = classification.environment.clone();
    let compiler = server.compiler_for(classified.as_deref(), &wanted.environment)?;
    let environment = compiler.environment();
    let is_sent_elsewhere = classified.is_some_and(|classified| classified != wanted.environment);
    if wanted.checks_environment && is_sent_elsewhere {
        let message = format!(
            "Requesting environment '{}' was overridden by '{}' for node '{name}'",
            wanted.environment, environment.name
        );
        server.journal.warning(&message);
        return format?.response(empty(server, name, &environment.name).to_string());
    }
    let begun = Instant::now();
    let node = server.prepared(name, &facts, request.client.as_deref(), classification, &compiler)?;
    let (mut catalog, _) = server.compile(&compiler, &node, &request.cancelled).map_err(Refusal::server_error)?;
    let is_static = wanted.is_static && environment.settings.boolean("static_catalogs")?;
    let checksum = if is_static { Some(wanted.checksum(server)?) } else { None };
    let inlined = server.identify_code(&mut catalog, &compiler, checksum)?;
    let kind = if inlined.is_some() { "static catalog" } else { "catalog" };
    // The reference looks for a form when there is something to be written.
    let format = format?;
    let mut text = match format.is_rich() {
        true => wire::to_json(&catalog, wire::Options::default())?,
        false => wire::to_plain_json(&catalog, wire::Options::default(), &mut |resource, issue| {
            let place = Place { file: resource.file.as_deref(), line: resource.line.map(u64::from), column: None };
            server.journal.warning(&place.after(issue));
        })?,
    };
    if let Some(inlined) = inlined {
        inlined.add_to(&mut text);
    }
    let took = begun.elapsed().as_secs_f64();
    server
        .journal
        .info(&format!("Compiled {kind} for {name} in environment {} in {took:.3} seconds", environment.name));
    Ok(format.response(text)?.with_header("X-Puppet-Compiler-Name", server.setting("certname")?))
}

/// What was asked for.
struct Wanted<'w> {
    name: &'w str,
    environment: String,
    checks_environment: bool,
    facts: Option<String>,
    facts_format: Option<String>,
    is_static: bool,
    checksums: Option<String>,
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
        let environment = value("environment").unwrap_or_else(|| "null".to_owned());
        if environment == "null" || !is_environment_name(&environment) {
            let message = format!("The environment must be purely alphanumeric, not '{environment}'");
            return Err(Refusal::text(400, message));
        }
        Ok(Wanted {
            name,
            environment,
            checks_environment: value("check_environment").as_deref() == Some("true"),
            facts: value("facts"),
            facts_format: value("facts_format"),
            is_static: value("static_catalog").as_deref() == Some("true"),
            checksums: value("checksum_type"),
        })
    }

    /// The first checksum that the agent takes and this server knows.
    fn checksum(&self, server: &Server) -> Result<Kind, Refusal> {
        let Some(listed) = &self.checksums else {
            let name = server.setting("digest_algorithm")?;
            return Kind::of(&name).ok_or_else(|| Refusal::server_error(format!("Unsupported checksum type {name}")));
        };
        listed.split('.').find_map(Kind::of).ok_or_else(|| {
            let known: Vec<String> = Kind::names().map(|name| format!(":{name}")).collect();
            let message = format!(
                "Unable to find a common checksum type between agent '{listed}' and master '[{}]'.",
                known.join(", ")
            );
            Refusal::server_error(message)
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
        let (about, values) = super::facts::read(&sent)
            .map_err(|detail| Refusal::server_error(format!("Could not intern from json: {detail}")))?;
        if about != name {
            return Err(Refusal::server_error(format!(
                "Catalog for \"{name}\" was requested with fact definition for the wrong node (\"{about}\")."
            )));
        }
        Ok(Some(values))
    }
}

/// What makes an agent come back from another environment.
fn empty(server: &Server, name: &str, environment: &str) -> serde_json::Value {
    let uuid = random_uuid(&*server.world);
    json!({
        "tags": [], "name": name, "version": null, "code_id": null, "catalog_uuid": uuid.ok().as_deref(),
        "catalog_format": 2, "environment": environment, "resources": [], "edges": [], "classes": [],
    })
}
