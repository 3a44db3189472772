//! `file_content`: the content of one file.

use std::path::Path;

use super::file_metadata::find;
use super::{Answer, only};
use crate::format::Format;
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    only(request, &["GET", "POST"])?;
    let compiler = server.compiler(request.environment()?)?;
    Format::accepted(request, Format::BYTES)?;
    let missing = || Refusal::not_found(format!("Could not find file_content {path}"));
    let found = find(server, request, compiler.environment(), "file_content", path)?.ok_or_else(missing)?;
    if Path::new(&found).is_dir() {
        return Ok(Response::new(200, "application/octet-stream", ""));
    }
    // The world refuses pipes and devices, which have no end.
    let content = server.world.read(&found).map_err(|_| missing())?;
    Ok(Response::new(200, "application/octet-stream", content))
}
