//! `certificate_request`: nodes ask for their certificates.

use super::{Answer, authority, check_subject, refused};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, name: &str) -> Answer {
    check_subject(name)?;
    let authority = authority(server)?;
    match request.method.as_str() {
        "PUT" => {
            for remark in authority.submit(name, &request.body).map_err(refused)? {
                server.journal.warning(&remark);
            }
            server.journal.info(&format!("{name} has a waiting or signed certificate request"));
            Ok(Response::new(200, "text/plain", ""))
        }
        "DELETE" => match authority.remove_request(name).map_err(refused)? {
            true => Ok(Response::empty(204)),
            false => {
                let path = authority.request_path(name);
                Err(Refusal::text(404, format!("No certificate request for {name} at expected path {path}")))
            }
        },
        _ => match authority.request(name).map_err(refused)? {
            Some(text) => Ok(Response::new(200, "text/plain", text)),
            None => {
                let message = format!("Could not find certificate_request {name}");
                Err(Refusal::Plain(Response::new(404, "text/plain", message)))
            }
        },
    }
}
