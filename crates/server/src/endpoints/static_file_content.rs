//! `static_file_content`: the content of a file as it was when a static catalog was compiled.

use super::{Answer, only};
use crate::versioned_code::{ALLOWED, is_code_id};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    only(request, &["GET"])?;
    let given = |name: &str| request.parameter(name).filter(|value| !value.is_empty());
    let (Some(environment), Some(code_id), false) = (given("environment"), given("code_id"), path.is_empty()) else {
        let message = "Error: A /static_file_content request requires an environment, a code-id, and a file-path";
        return Err(refused(400, message));
    };
    if !is_code_id(code_id) {
        return Err(refused(400, format!("Invalid code-id '{code_id}'. {ALLOWED}")));
    }
    if !is_served(path) {
        let message = "Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or \
                       tasks directory of a module.";
        return Err(refused(403, message));
    }
    let Some(versioned) = &server.configuration.versioned_code else {
        let message = "Internal Server Error: Cannot retrieve code content because the \
                       \"versioned-code.code-content-command\" setting is not present in puppetserver.conf";
        return Err(Refusal::text(500, message));
    };
    let content = versioned.content(&*server.world, environment, code_id, path);
    let content = content.map_err(|error| Refusal::text(500, format!("Internal Server Error: {error}")))?;
    Ok(Response::new(200, "application/octet-stream", content))
}

fn refused(status: u16, message: impl Into<String>) -> Refusal {
    Refusal::Plain(Response::new(status, "text/plain", message.into()))
}

/// Whether a path, relative to the environment, is one of the files that modules have for agents.
fn is_served(path: &str) -> bool {
    let mut parts = path.split('/');
    let has_names = parts.by_ref().take(2).filter(|part| !part.is_empty()).count() == 2;
    let is_kind = matches!(parts.next(), Some("files" | "lib" | "scripts" | "tasks"));
    let rest: Vec<&str> = parts.collect();
    has_names && is_kind && !rest.is_empty() && rest.iter().all(|part| !part.is_empty() && *part != "..")
}
