//! `environment-cache` and `jruby-pool` of the administration: accepted, never needed. Changes are seen by themselves.

use super::{Answer, only};
use crate::{Request, Response, Server};

pub(super) fn answer(_: &Server, request: &Request, _: &str) -> Answer {
    only(request, &["DELETE"])?;
    Ok(Response::empty(204))
}
