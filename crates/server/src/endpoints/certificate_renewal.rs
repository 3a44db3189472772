//! `certificate_renewal`: an agent's next certificate, for the one that it shows.

use super::{Answer, authority, refused};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let authority = authority(server)?;
    let known = request.client.as_ref().and_then(|client| Some((client, client.certificate.as_ref()?)));
    let Some((client, certificate)) = known else {
        return Err(Refusal::text(400, "No certificate found in renewal request"));
    };
    let renewed = authority.renew(certificate).map_err(refused)?;
    server.journal.info(&format!("The certificate of {} was renewed", client.name));
    Ok(Response::new(200, "text/plain", renewed.to_pem()))
}
