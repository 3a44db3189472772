//! `facts`: what a node has found out about itself.

use bunraku::{Hash, Value, json};

use super::{Answer, only};
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    only(request, &["PUT"])?;
    server.compiler(request.environment()?)?;
    let sent = Format::sent(request, Format::DATA)?.read(&request.body)?;
    let sent = json::read(&sent.to_string())?;
    // Nobody sends the facts of another node, other than in the reference.
    if sent.get("name").and_then(Value::as_str) != Some(name) {
        let message = format!("The facts that were sent are not those of {name}");
        return Err(Refusal::bad_request(message, IssueKind::RuntimeError));
    }
    let Some(Value::Hash(values)) = sent.get("values") else {
        let message = "The request body is invalid: there are no values";
        return Err(Refusal::bad_request(message, IssueKind::RuntimeError));
    };
    server.keep_facts(name, &Hash::clone(values))?;
    Ok(Response::json(&serde_json::Value::Null))
}
