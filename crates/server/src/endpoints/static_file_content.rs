//! `static_file_content`: the content of a file as it was when a static catalog was compiled.

use super::Answer;
use crate::code_store::is_served;
use crate::request::is_environment_name;
use crate::versioned_code::{ALLOWED, is_code_id};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    let given = |name: &str| request.parameter(name).filter(|value| !value.is_empty());
    let (Some(environment), Some(code_id), false) = (given("environment"), given("code_id"), path.is_empty()) else {
        let message = "Error: A /static_file_content request requires an environment, a code-id, and a file-path";
        return Err(refused(400, message));
    };
    if !is_environment_name(environment) {
        return Err(refused(400, format!("The environment must be purely alphanumeric, not '{environment}'")));
    }
    if !is_code_id(code_id) {
        return Err(refused(400, format!("Invalid code-id '{code_id}'. {ALLOWED}")));
    }
    if !is_served(path) {
        let message = "Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or \
                       tasks directory of a module.";
        return Err(refused(403, message));
    }
    let content = match &server.configuration.versioned_code {
        Some(versioned) => {
            let content = versioned.content(&*server.world, environment, code_id, path);
            content.map_err(|error| Refusal::text(500, format!("Internal Server Error: {error}")))?
        }
        None => of_tree(server, environment, code_id, path)?,
    };
    Ok(Response::new(200, "application/octet-stream", content))
}

fn refused(status: u16, message: impl Into<String>) -> Refusal {
    Refusal::Plain(Response::new(status, "text/plain", message.into()))
}

/// The content where no programs tell it: the file as it is, or a copy of before.
fn of_tree(server: &Server, environment: &str, code_id: &str, path: &str) -> Result<Vec<u8>, Refusal> {
    let compiler = server.compiler(environment)?;
    if !compiler.environment().settings.boolean("static_catalogs")? {
        // The words of the reference, which has no code to serve without programs.
        let message = "Internal Server Error: java.lang.IllegalStateException: Cannot retrieve code content because the \
                       \"versioned-code.code-content-command\" setting is not present in configuration.";
        return Err(Refusal::text(500, message));
    }
    let content = server.content_of(&compiler, code_id, path)?;
    content.ok_or_else(|| refused(404, format!("There is no '{path}' in the state '{code_id}' of '{environment}'")))
}
