//! `expirations`: when authorities and their lists end.

use super::{Answer, authority, refused};
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, _: &Request, _: &str) -> Answer {
    let told = authority(server)?.expirations().map_err(refused)?;
    Ok(Response::new(200, "application/json", told.to_string()))
}
