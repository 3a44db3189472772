//! `file_metadata`: what is known about one file.

use bunraku::Environment;

use super::{Answer, only};
use crate::files::{Kind, Links, Metadata, Mounts, Permissions, Wanted};
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    only(request, &["GET", "POST"])?;
    let compiler = server.compiler(request.environment()?)?;
    let format = Format::accepted(request, Format::DATA)?;
    let wanted = wanted(server, request)?;
    let missing = || Refusal::not_found(format!("Could not find file_metadata {path}"));
    let found = find(server, request, compiler.environment(), "file_metadata", path)?.ok_or_else(missing)?;
    let metadata = Metadata::read(&found, None, wanted, &server.checksums).map_err(|_| missing())?;
    format.response(metadata.to_json().to_string())
}

/// What a client wants to know about files.
pub(super) fn wanted(server: &Server, request: &Request) -> Result<Wanted, Refusal> {
    let links = match request.parameter("links") {
        Some("follow") => Links::Follow,
        _ => Links::Manage,
    };
    let permissions = match request.parameter("source_permissions") {
        Some("use" | "use_when_creating") => Permissions::Use,
        _ => Permissions::Ignore,
    };
    let name = match request.parameter("checksum_type") {
        Some(name) => name.to_owned(),
        None => server.setting("digest_algorithm")?,
    };
    let checksum = Kind::of(&name).ok_or_else(|| Refusal::server_error(format!("Unsupported checksum type {name}")))?;
    Ok(Wanted { links, permissions, checksum })
}

/// The files that a path of a mount may stand for.
pub(super) fn candidates(
    server: &Server,
    request: &Request,
    environment: &Environment,
    route: &str,
    path: &str,
) -> Result<(bool, Vec<String>), Refusal> {
    let (mount, rest) = path.split_once('/').unwrap_or((path, ""));
    if matches!(mount, "modules" | "tasks" | "scripts") && rest.is_empty() {
        return Err(Refusal::server_error("No module specified"));
    }
    let found = server.mounts.candidates(&*server.world, environment, mount, rest, request.client_name());
    let found = found.ok_or_else(|| Refusal::Told {
        status: 404,
        message: format!("Not authorized to call find on /{route}/{path}: there is no mount '{mount}'"),
        kind: IssueKind::ResourceNotFound,
    })?;
    Ok((Mounts::is_merged(mount), found))
}

/// The file that a path of a mount stands for: the first one that is there.
pub(super) fn find(
    server: &Server,
    request: &Request,
    environment: &Environment,
    route: &str,
    path: &str,
) -> Result<Option<String>, Refusal> {
    let (_, all) = candidates(server, request, environment, route, path)?;
    Ok(all.into_iter().find(|path| std::fs::symlink_metadata(path).is_ok()))
}
