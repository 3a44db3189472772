//! `clean`: several certificates are revoked and removed.

use super::{Answer, authority, names, only, refused, sent_json};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    only(request, &["PUT"])?;
    let sent = sent_json(request).map_err(|_| plain(400, "Request body is not JSON."))?;
    let all = names(&sent, "certnames").ok_or_else(|| plain(400, "Missing required parameter \"certnames\""))?;
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
