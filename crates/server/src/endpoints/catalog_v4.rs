//! Version 4 of `catalog`: for services that ask on behalf of nodes, with facts and trusted data of their choice.

use std::sync::Arc;

use bunraku::{Environment, Hash, Level, Log, Place, Value, json, wire};
use serde_json::{Value as Json, json};

use super::Answer;
use crate::node::TRUSTED;
use crate::schema::{self, Kind, optional, required};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let wanted = Wanted::read(&request.body)?;
    let name = wanted.certname.as_str();
    bunraku::Node::check_name(name).map_err(|issue| failed(&issue.to_string()))?;
    let facts = match &wanted.facts {
        Some(facts) => Arc::clone(facts),
        None => server.kept_facts(name)?,
    };
    let trusted = match &wanted.trusted {
        Some(trusted) => Some(Arc::clone(trusted)),
        None => server.kept_trusted(name)?,
    };
    if let (true, Some(facts)) = (wanted.keeps_facts, &wanted.facts) {
        // As PuppetDB keeps them, so that they are known when the next request has none.
        let mut facts = Hash::clone(facts);
        if let Some(trusted) = &trusted {
            facts.insert(TRUSTED.into(), Value::Hash(Arc::clone(trusted)));
        }
        server.keep_facts(name, &facts)?;
    }
    let classification = server.classification(name)?;
    let chosen = classification.environment.clone().filter(|_| !wanted.prefers_requested);
    let environment = chosen.as_deref().unwrap_or(&wanted.environment);
    let compiler = server.project.compiler(environment).map_err(|issue| {
        Refusal::text(
            500,
            format!("Internal Server Error: org.jruby.exceptions.RuntimeError: (EnvironmentNotFound) {issue}"),
        )
    })?;
    let mut node = server.prepared(name, &facts, None, classification, &compiler)?;
    if let Some(trusted) = trusted {
        node.trusted = trusted;
    }
    let compiled = server.compile_with_exported(&compiler, &node, &request.cancelled, wanted.keeps_catalog);
    let (mut catalog, mut logs) = compiled.map_err(|error| failed(&error))?;
    server.identify_code(&mut catalog, &compiler, None)?;
    let environment = compiler.environment();
    let message =
        format!("Compiled catalog for {name} in environment {} using the v4 catalog endpoint", environment.name);
    server.journal.info(&message);
    logs.push(Log { level: Level::Info, message: message.into(), source: None, issue: None, span: None });
    let mut told: Vec<Json> =
        logs.iter().filter(|log| wanted.wants(log.level)).map(|log| told(log, environment)).collect();
    let mut converted = Vec::new();
    let text = wire::to_plain_json(&catalog, wire::Options::default(), &mut |resource, issue| {
        converted.push((issue, resource.file.clone(), resource.line));
    })?;
    if wanted.wants(Level::Warning) {
        told.extend(converted.into_iter().map(|(issue, file, line)| {
            let place = Place { file: file.as_deref(), line: line.map(u64::from), column: None };
            entry("warning", &place.after(&issue), place)
        }));
    }
    let catalog: Json = serde_json::from_str(&text).map_err(|error| failed(&error.to_string()))?;
    let mut body = json!({ "catalog": catalog });
    if let (Some(_), Json::Object(map)) = (wanted.captured, &mut body) {
        map.insert("logs".to_owned(), Json::Array(told));
    }
    Ok(Response::new(200, "application/json", body.to_string()))
}

/// What a body is made of.
const BODY: Kind = Kind::Parts(&[
    required("certname", Kind::Text),
    required("persistence", Kind::Parts(&[required("facts", Kind::Boolean), required("catalog", Kind::Boolean)])),
    required("environment", Kind::Environment),
    optional("trusted_facts", Kind::Parts(&[required("values", Kind::Hash)])),
    optional("facts", Kind::Parts(&[required("values", Kind::Hash)])),
    optional("job_id", Kind::Text),
    optional("transaction_uuid", Kind::Text),
    optional(
        "options",
        Kind::Parts(&[
            optional("capture_logs", Kind::Boolean),
            optional("log_level", Kind::OneOf(&["debug", "info", "warning", "err"], LEVELS)),
            optional("prefer_requested_environment", Kind::Boolean),
        ]),
    ),
]);

/// The levels in the order of the reference's set.
const LEVELS: &str = "#{\"warning\" \"err\" \"info\" \"debug\"}";

/// What was asked for.
struct Wanted {
    certname: String,
    environment: String,
    keeps_catalog: bool,
    keeps_facts: bool,
    facts: Option<Arc<Hash>>,
    trusted: Option<Arc<Hash>>,
    prefers_requested: bool,
    /// The least important messages that are wanted, if any are.
    captured: Option<Level>,
}

impl Wanted {
    fn read(body: &[u8]) -> Result<Wanted, Refusal> {
        let text = String::from_utf8_lossy(body);
        let sent = json::read(&text).map_err(|issue| Refusal::text(400, format!("Error parsing JSON: {issue}")))?;
        if let Some(mistake) = schema::mistake(&sent, &BODY) {
            return Err(Refusal::text(400, format!("Invalid input: {mistake}")));
        }
        let text = |key: &str| sent.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_on =
            |part: &str, key: &str| matches!(sent.get(part).and_then(|part| part.get(key)), Some(Value::Boolean(true)));
        let values = |key: &str| match sent.get(key)?.get("values")? {
            Value::Hash(values) => Some(Arc::clone(values)),
            _ => None,
        };
        let level = sent.get("options").and_then(|options| options.get("log_level"));
        Ok(Wanted {
            certname: text("certname"),
            environment: text("environment"),
            keeps_catalog: is_on("persistence", "catalog"),
            keeps_facts: is_on("persistence", "facts"),
            facts: values("facts"),
            trusted: values("trusted_facts"),
            prefers_requested: is_on("options", "prefer_requested_environment"),
            captured: is_on("options", "capture_logs").then(|| match level.and_then(Value::as_str) {
                Some("debug") => Level::Debug,
                Some("info") => Level::Info,
                Some("err") => Level::Err,
                _ => Level::Warning,
            }),
        })
    }

    fn wants(&self, level: Level) -> bool {
        self.captured.is_some_and(|least| level >= least)
    }
}

/// A message of the compilation.
fn told(log: &Log, environment: &Environment) -> Json {
    let source = log.span.and_then(|span| Some((environment.source(span.file)?, span)));
    let place = source.map(|(source, span)| Place::line_of(source, span.start)).unwrap_or_default();
    entry(log.level.name(), &log.located(environment), place)
}

fn entry(level: &str, message: &str, place: Place<'_>) -> Json {
    let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.9f+00:00").to_string();
    json!({ "level": level, "message": message, "source": "Puppet", "tags": [level], "time": time, "file": place.file,
            "line": place.line })
}

/// What cannot be compiled, in the words that clients of the reference look for.
fn failed(message: &str) -> Refusal {
    let message = format!("Internal Server Error: org.jruby.exceptions.RuntimeError: (PreformattedError) {message}");
    Refusal::text(500, message)
}
