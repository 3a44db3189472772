//! `facts`: what a node has found out about itself.

use bunraku::{Hash, Value, json};

use super::Answer;
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    server.compiler(request.environment()?)?;
    let format = Format::of_reply(request, Format::DATA)?;
    let sent = Format::sent(request, Format::DATA)?.read(&request.body)?;
    let (about, values) = read(&json::read(&sent.to_string())?).map_err(|detail| {
        let message = format!("The request body is invalid: Could not intern from json: {detail}");
        Refusal::bad_request(message, IssueKind::RuntimeError)
    })?;
    // Nobody sends the facts of another node, other than in the reference.
    if about != name {
        let message = format!("The facts that were sent are not those of {name}");
        return Err(Refusal::bad_request(message, IssueKind::RuntimeError));
    }
    server.keep_facts(name, &values)?;
    // Compatibility: what the reference's store answers.
    format.response("0".to_owned())
}

/// The name and the values in facts that were sent. What is wrong is said in the words in which the reference stumbles.
pub(super) fn read(sent: &Value) -> Result<(String, Hash), String> {
    match sent {
        Value::Undef => Err("undefined method `[]' for nil:NilClass".to_owned()),
        Value::Array(_) => Err("no implicit conversion of String into Integer".to_owned()),
        sent => match sent.get("values") {
            Some(Value::Hash(values)) => {
                check_time(sent.get("timestamp"))?;
                check_time(sent.get("expiration"))?;
                let name = sent.get("name").and_then(Value::as_str).unwrap_or_default();
                Ok((name.to_owned(), Hash::clone(values)))
            }
            _ => Err("undefined method `delete' for nil:NilClass".to_owned()),
        },
    }
}

/// Refuses a time in which there is no number.
pub(super) fn check_time(time: Option<&Value>) -> Result<(), String> {
    match time.and_then(Value::as_str) {
        Some(time) if !time.bytes().any(|byte| byte.is_ascii_digit()) => {
            Err(format!("no time information in {time:?}"))
        }
        _ => Ok(()),
    }
}
