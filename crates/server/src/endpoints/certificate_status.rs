//! `certificate_status` and `certificate_statuses`: what operators see and change.

use std::time::Duration;

use serde_json::Value as Json;

use super::{Answer, authority, check_subject, not_found, refused, sent_json};
use crate::ca::{Refused, State};
use crate::response::JSON;
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    check_subject(name)?;
    let authority = authority(server)?;
    if request.method == "PUT" {
        return change(server, request, name);
    }
    let mime = mime(request)?;
    let missing = || Refusal::Plain(labelled(404, mime, "Resource not found.".to_owned()));
    match request.method.as_str() {
        "GET" => {
            let status = authority.status(name).map_err(refused)?.ok_or_else(missing)?;
            Ok(labelled(200, Some(mime.unwrap_or(JSON)), status.to_json().to_string()))
        }
        _ => match authority.remove(name).map_err(refused)? {
            true => Ok(labelled(204, mime, String::new())),
            false => Err(missing()),
        },
    }
}

fn change(server: &Server, request: &Request, name: &str) -> Answer {
    let authority = authority(server)?;
    let (wanted, validity) = wanted(request, name)?;
    if !matches!(request.content_type(), None | Some("application/json" | "text/pson" | "pson")) {
        return Err(Refusal::text(415, "Unsupported media type."));
    }
    let is_negotiated = mime(request)?.is_some();
    let varies = |response: Response| if is_negotiated { response.with_header("Vary", "Accept") } else { response };
    let refused = |refused: Refused| Refusal::Plain(varies(Response::text(refused.status, refused.message)));
    if authority.status(name).map_err(refused)?.is_none() {
        return Err(Refusal::Plain(varies(Response::text(404, "Invalid certificate subject."))));
    }
    match wanted {
        State::Signed => authority.sign(name, validity).map_err(refused)?,
        _ => authority.revoke(name).map_err(refused)?,
    }
    server.journal.info(&format!("{} has {} the certificate of {name}", request.client_name(), wanted.name()));
    Ok(varies(Response { content_type: Some("text/plain".to_owned()), ..Response::empty(204) }))
}

/// What is to become of a node, and for how long its certificate is to be valid.
fn wanted(request: &Request, name: &str) -> Result<(State, Option<Duration>), Refusal> {
    let sent = sent_json(request)?;
    let wanted = match sent.get("desired_state").and_then(Json::as_str) {
        Some("signed") => State::Signed,
        Some("revoked") => State::Revoked,
        Some(other) => {
            let message =
                format!("State {other} invalid; Must specify desired state of 'signed' or 'revoked' for host {name}.");
            return Err(Refusal::text(400, message));
        }
        None => return Err(Refusal::text(400, "Missing required parameter \"desired_state\"")),
    };
    let wrong = |given: &Json| {
        let given = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
        Refusal::text(400, format!("cert_ttl specified for host {name} must be an integer, not \"{given}\""))
    };
    let seconds = match sent.get("cert_ttl") {
        None | Some(Json::Null | Json::Bool(false)) => None,
        Some(given) => Some(given.as_u64().ok_or_else(|| wrong(given))?),
    };
    Ok((wanted, seconds.map(Duration::from_secs)))
}

/// `certificate_statuses`.
pub(super) fn answer_all(server: &Server, request: &Request, rest: &str) -> Answer {
    match rest {
        "" => return Err(Refusal::text(400, "Missing URL Segment")),
        rest if rest.contains('/') => return Err(not_found()),
        _ => {}
    }
    let mime = mime(request)?.unwrap_or(JSON);
    let state = match request.parameter("state") {
        Some("requested") => Some(State::Requested),
        Some("signed") => Some(State::Signed),
        Some("revoked") => Some(State::Revoked),
        _ => None,
    };
    let all = authority(server)?.statuses(state).map_err(refused)?;
    let all = Json::Array(all.iter().map(crate::ca::Status::to_json).collect());
    Ok(labelled(200, Some(mime), all.to_string()))
}

/// The form that a client takes: JSON, which has two names here; none for a client that takes anything.
fn mime(request: &Request) -> Result<Option<&'static str>, Refusal> {
    let accept = request.header("accept").map(str::to_ascii_lowercase);
    let Some(accept) = accept.filter(|accept| accept.contains('/')) else { return Ok(None) };
    let listed: Vec<&str> = accept.split(',').map(|it| it.split(';').next().unwrap_or_default().trim()).collect();
    let takes = |mime: &str| listed.contains(&mime);
    if takes("text/pson") {
        Ok(Some("text/pson;charset=UTF-8"))
    } else if takes("application/json") || takes("application/*") {
        Ok(Some(JSON))
    } else if takes("*/*") {
        Ok(None)
    } else {
        Err(Refusal::text(406, "No acceptable resource available."))
    }
}

/// An answer whose form the client has chosen. The reference has no name for the form where it has not.
fn labelled(status: u16, mime: Option<&str>, body: String) -> Response {
    let response = Response::new(status, mime.unwrap_or(";charset=UTF-8"), body);
    if mime.is_some() { response.with_header("Vary", "Accept") } else { response }
}
