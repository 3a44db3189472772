//! `report`: what a node has done.

use bunraku::{Value, json};

use super::{Answer, only};
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    only(request, &["PUT"])?;
    server.compiler(request.environment()?)?;
    let sent = Format::sent(request, Format::DATA)?.read(&request.body)?;
    let report = json::read(&sent.to_string())?;
    let wrong = |detail: &str| {
        let message = format!("The request body is invalid: Could not intern from json: {detail}");
        Refusal::bad_request(message, IssueKind::RuntimeError)
    };
    if !matches!(report.get("logs"), Some(Value::Array(_))) {
        // Compatibility: the words in which the reference stumbles over it.
        return Err(wrong("undefined method `each' for nil:NilClass"));
    }
    if report.get("host").and_then(Value::as_str) != Some(name) {
        return Err(wrong(&format!("the report is not that of {name}")));
    }
    Ok(Response::json(&serde_json::json!(server.process_report(name, &report)?)))
}
