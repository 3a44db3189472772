//! `certificate_renewal`: an agent's next certificate, for the one that it shows.

use super::{Answer, authority, only, refused};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    only(request, &["POST"])?;
    let authority = authority(server)?;
    let Some(client) = &request.client else {
        return Err(Refusal::text(400, "No certificate found in renewal request"));
    };
    let renewed = authority.renew(&client.certificate).map_err(refused)?;
    server.journal.info(&format!("The certificate of {} was renewed", client.name));
    Ok(Response::new(200, "text/plain", renewed.to_pem()))
}
