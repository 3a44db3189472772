//! `certificate_status` and `certificate_statuses`: what operators see and change.

use std::time::Duration;

use serde_json::Value as Json;

use super::{Answer, authority, check_subject, only, refused, sent_json};
use crate::ca::State;
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    only(request, &["GET", "PUT", "DELETE"])?;
    check_subject(name)?;
    let authority = authority(server)?;
    match request.method.as_str() {
        "GET" => match authority.status(name).map_err(refused)? {
            Some(status) => Ok(told(request, &status.to_json())),
            None => Err(Refusal::text(404, "Resource not found.")),
        },
        "DELETE" => match authority.remove(name).map_err(refused)? {
            true => {
                // The reference has no name for what it does not send, unless the client has.
                let accepts_json = request.header("accept").is_some_and(|accept| accept.contains("application/json"));
                let mime = if accepts_json { crate::response::JSON } else { ";charset=UTF-8" };
                Ok(Response { content_type: Some(mime.to_owned()), ..Response::empty(204) })
            }
            false => Err(Refusal::text(404, "Resource not found.")),
        },
        _ => {
            if !matches!(request.content_type(), Some("application/json" | "text/pson" | "pson")) {
                return Err(Refusal::text(415, "Unsupported media type."));
            }
            change(server, request, name)
        }
    }
}

fn change(server: &Server, request: &Request, name: &str) -> Answer {
    let authority = authority(server)?;
    let sent = sent_json(request)?;
    let Some(wanted) = sent.get("desired_state").and_then(Json::as_str) else {
        return Err(Refusal::text(400, "Missing required parameter \"desired_state\""));
    };
    if !matches!(wanted, "signed" | "revoked") {
        let message =
            format!("State {wanted} invalid; Must specify desired state of 'signed' or 'revoked' for host {name}.");
        return Err(Refusal::text(400, message));
    }
    if authority.status(name).map_err(refused)?.is_none() {
        return Err(Refusal::text(404, "Invalid certificate subject."));
    }
    match wanted {
        "signed" => {
            let validity = sent.get("cert_ttl").and_then(Json::as_u64).map(Duration::from_secs);
            authority.sign(name, validity).map_err(refused)?;
        }
        _ => authority.revoke(name).map_err(refused)?,
    }
    server.journal.info(&format!("{} has {wanted} the certificate of {name}", request.client_name()));
    Ok(Response { content_type: Some("text/plain".to_owned()), ..Response::empty(204) })
}

/// `certificate_statuses`.
pub(super) fn answer_all(server: &Server, request: &Request, rest: &str) -> Answer {
    only(request, &["GET"])?;
    if rest.is_empty() {
        return Err(Refusal::text(400, "Missing URL Segment"));
    }
    let state = match request.parameter("state") {
        Some("requested") => Some(State::Requested),
        Some("signed") => Some(State::Signed),
        Some("revoked") => Some(State::Revoked),
        _ => None,
    };
    let all = authority(server)?.statuses(state).map_err(refused)?;
    Ok(told(request, &Json::Array(all.iter().map(crate::ca::Status::to_json).collect())))
}

fn told(request: &Request, value: &Json) -> Response {
    let accepts_pson = request.header("accept").is_some_and(|accept| accept.starts_with("text/pson"));
    let mime = if accepts_pson { "text/pson;charset=UTF-8" } else { crate::response::JSON };
    Response::new(200, mime, value.to_string()).with_header("Vary", "Accept")
}
