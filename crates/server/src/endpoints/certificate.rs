//! `certificate`: the certificates of the authority and of nodes.

use super::{Answer, authority, check_subject, refused};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, _: &Request, name: &str) -> Answer {
    check_subject(name)?;
    let authority = authority(server)?;
    let found = match name {
        "ca" => Some(authority.bundle().map_err(refused)?),
        name => authority.certificate(name).map_err(refused)?,
    };
    match found {
        Some(text) => Ok(Response::new(200, "text/plain", text)),
        None => {
            let message = format!("Could not find certificate {name}");
            Err(Refusal::Plain(Response::new(404, "text/plain", message)))
        }
    }
}
