//! `metrics`: what the server counts, for Prometheus.

use super::{Answer, only};
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, rest: &str) -> Answer {
    only(request, &["GET"])?;
    if !rest.is_empty() {
        return Err(crate::Refusal::Unknown);
    }
    Ok(Response::new(200, "text/plain; version=0.0.4; charset=utf-8", server.metrics.text()))
}
