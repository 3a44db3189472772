//! `report`: what a node has done.

use bunraku::{Value, json};

use super::Answer;
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    server.compiler(request.environment()?)?;
    let format = Format::of_reply(request, Format::DATA)?;
    let sent = Format::sent(request, Format::DATA)?.read(&request.body)?;
    let report = json::read(&sent.to_string())?;
    let wrong = |detail: &str| {
        let message = format!("The request body is invalid: Could not intern from json: {detail}");
        Refusal::bad_request(message, IssueKind::RuntimeError)
    };
    // Compatibility: the words in which the reference stumbles over a report without one of its parts.
    match &report {
        Value::Undef => return Err(wrong("undefined method `[]' for nil:NilClass")),
        Value::Array(_) => return Err(wrong("no implicit conversion of String into Integer")),
        _ => {}
    }
    super::facts::check_time(report.get("time")).map_err(|detail| wrong(&detail))?;
    for (part, method) in [("metrics", "each"), ("logs", "map"), ("resource_statuses", "map")] {
        if !matches!(report.get(part), Some(Value::Array(_) | Value::Hash(_))) {
            return Err(wrong(&format!("undefined method `{method}' for nil:NilClass")));
        }
    }
    let host = report.get("host").and_then(Value::as_str).unwrap_or_default();
    if host != name {
        let message = format!("Instance name {host:?} does not match requested key {name:?}");
        return Err(Refusal::server_error(message));
    }
    format.response(serde_json::json!(server.process_report(name, &report)?).to_string())
}
