//! `environment-cache` and `jruby-pool` of the administration: accepted, never needed. Changes are seen by themselves.

use super::Answer;
use crate::{Request, Response, Server};

pub(super) fn answer(_: &Server, _: &Request, _: &str) -> Answer {
    Ok(Response::empty(204))
}
