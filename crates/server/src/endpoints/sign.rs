//! `sign` and `sign/all`: several requests are signed.

use serde_json::json;

use super::{Answer, authority, names, refused, sent_json};
use crate::ca::{Refused, Signed};
use crate::{Refusal, Request, Response, Server};

/// Signs the requests of some names.
pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let sent = sent_json(request)?;
    let all = names(&sent, "certnames").ok_or_else(|| Refusal::text(422, "certnames must be a list of names"))?;
    told(server, authority(server)?.sign_all(Some(&all), None))
}

/// Signs all requests.
pub(super) fn answer_all(server: &Server, _: &Request, _: &str) -> Answer {
    told(server, authority(server)?.sign_all(None, None))
}

fn told(server: &Server, result: Result<Signed, Refused>) -> Answer {
    let result = result.map_err(refused)?;
    for (name, reason) in &result.refused {
        server.journal.error(&format!("{name} cannot be signed: {reason}"));
    }
    let refused: Vec<&String> = result.refused.iter().map(|(name, _)| name).collect();
    Ok(Response::json(&json!({
        "signed": result.signed, "no-csr": result.without_request, "signing-errors": refused,
    })))
}
