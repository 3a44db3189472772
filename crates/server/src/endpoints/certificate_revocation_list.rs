//! `certificate_revocation_list`: what is no longer valid.

use std::time::{Duration, SystemTime};

use super::{Answer, authority, refused};
use crate::{Request, Response, Server};

/// Takes newer lists of the authorities above this one.
pub(super) fn update(server: &Server, request: &Request, _: &str) -> Answer {
    authority(server)?.update_lists(&String::from_utf8_lossy(&request.body)).map_err(refused)?;
    Ok(Response::text(200, "Successfully updated CRLs."))
}

/// The lists.
pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let authority = authority(server)?;
    let (text, changed) = authority.revocation_lists().map_err(refused)?;
    let since = request.header("if-modified-since").and_then(time);
    let is_known = match (since, changed) {
        // Times on the wire have no fractions of seconds.
        (Some(since), Some(changed)) => changed < since + Duration::from_secs(1),
        _ => false,
    };
    match is_known {
        true => Ok(Response::new(304, "text/plain", "")),
        false => Ok(Response::new(200, "text/plain", text)),
    }
}

/// The time in a header; what cannot be read is no time.
fn time(header: &str) -> Option<SystemTime> {
    let time = jiff::fmt::rfc2822::parse(header).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(time.timestamp().as_second()).ok()?))
}
