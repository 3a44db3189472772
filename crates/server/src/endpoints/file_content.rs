//! `file_content`: the content of one file.

use std::path::Path;

use super::Answer;
use super::file_metadata::{check_environment, check_key, find};
use crate::format::Format;
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    check_environment(request, "file_content")?;
    let compiler = server.compiler(request.environment()?)?;
    check_key(request, path)?;
    let missing = || Refusal::not_found(format!("Could not find file_content {path}"));
    let found = find(server, request, compiler.environment(), "file_content", path)?.ok_or_else(missing)?;
    Format::accepted(request, Format::BYTES)?;
    if Path::new(&found).is_dir() {
        return Ok(Response::new(200, "application/octet-stream", ""));
    }
    // The world refuses pipes and devices, which have no end.
    let content = server.world.read(&found).map_err(|_| missing())?;
    Ok(Response::new(200, "application/octet-stream", content))
}
