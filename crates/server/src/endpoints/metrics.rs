//! `metrics`: what the server counts, for Prometheus.

use super::Answer;
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, _: &Request, _: &str) -> Answer {
    Ok(Response::new(200, "text/plain; version=0.0.4; charset=utf-8", server.metrics.text()))
}
