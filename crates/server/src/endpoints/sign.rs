//! `sign` and `sign/all`: several requests are signed.

use serde_json::json;

use super::{Answer, authority, names, only, refused, sent_json};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, rest: &str) -> Answer {
    only(request, &["POST"])?;
    let authority = authority(server)?;
    let result = match rest {
        "all" => authority.sign_all(None),
        _ => {
            let sent = sent_json(request)?;
            let all = names(&sent, "certnames");
            authority.sign_all(Some(&all.ok_or_else(|| Refusal::text(422, "certnames must be a list of names"))?))
        }
    };
    let result = result.map_err(refused)?;
    for (name, reason) in &result.refused {
        server.journal.error(&format!("{name} cannot be signed: {reason}"));
    }
    let refused: Vec<&String> = result.refused.iter().map(|(name, _)| name).collect();
    Ok(Response::json(&json!({
        "signed": result.signed, "no-csr": result.without_request, "signing-errors": refused,
    })))
}
