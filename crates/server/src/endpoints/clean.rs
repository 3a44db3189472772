//! `clean`: several certificates are revoked and removed.

use super::{Answer, authority, names, refused, sent_json};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let sent = sent_json(request).map_err(|_| plain(400, "Request body is not JSON."))?;
    if sent.get("async") == Some(&true.into()) {
        return Err(plain(400, "Async mode is not currently supported."));
    }
    let missing = "Missing required key: 'certnames'. Please supply the list of certs you want to clean.";
    let all = names(&sent, "certnames").ok_or_else(|| plain(400, missing))?;
    let unknown = authority(server)?.clean(&all).map_err(refused)?;
    let told = match unknown.as_slice() {
        [] => "Successfully cleaned all certs.".to_owned(),
        unknown => {
            let shown: Vec<String> = unknown.iter().map(|name| format!("{name:?}")).collect();
            format!("The following certs do not exist and cannot be revoked: [{}]", shown.join(" "))
        }
    };
    Ok(Response::new(200, "text/plain", told))
}

fn plain(status: u16, message: &str) -> Refusal {
    Refusal::Plain(Response::new(status, "text/plain", message))
}
