//! `file_metadata`: what is known about one file.

use bunraku::Environment;

use super::Answer;
use crate::files::{Kind, Links, Metadata, Mounts, Permissions, Wanted};
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    let compiler = server.compiler(request.environment()?)?;
    check_key(request, path)?;
    let wanted = wanted(server, request)?;
    let missing = || Refusal::not_found(format!("Could not find file_metadata {path}"));
    let found = find(server, request, compiler.environment(), "file_metadata", path)?.ok_or_else(missing)?;
    let metadata = Metadata::read(&found, None, wanted, &server.checksums).map_err(|_| missing())?;
    Format::accepted(request, Format::DATA)?.response(metadata.to_json().to_string())
}

/// Refuses a path that names nothing.
pub(super) fn check_key(request: &Request, path: &str) -> Result<(), Refusal> {
    let message = || format!("No request key specified in {}", request.path);
    if path.is_empty() { Err(Refusal::bad_request(message(), IssueKind::RuntimeError)) } else { Ok(()) }
}

/// Two of the routes may be about a project of Bolt instead of an environment, in the reference. None is known here.
pub(super) fn check_environment(request: &Request, route: &str) -> Result<(), Refusal> {
    let refused = |status: u16, message: String| Err(Refusal::Bare(Response::new(status, "text/plain", message)));
    let names = "`environment` or `versioned_project` query parameter";
    match (request.parameter("environment"), request.parameter("versioned_project")) {
        (Some(_), None) => Ok(()),
        (Some(_), Some(_)) => {
            let names = names.replace(" or ", " and ");
            refused(400, format!("A {route} request cannot specify both {names}s."))
        }
        (None, None) => refused(400, format!("A {route} request must include an {names}.")),
        (None, Some(project)) => refused(404, format!("Could not find a project '{project}'")),
    }
}

/// What a client wants to know about files.
pub(super) fn wanted(server: &Server, request: &Request) -> Result<Wanted, Refusal> {
    let links = match request.parameter("links") {
        Some("follow") => Links::Follow,
        None | Some("manage") => Links::Manage,
        Some(other) if request.path.starts_with("/puppet/v3/file_metadatas/") => {
            return Err(Refusal::server_error(format!("Invalid :links value '{other}'")));
        }
        Some(_) => return Err(Refusal::server_error(":links can only be set to :manage or :follow")),
    };
    let permissions = match request.parameter("source_permissions") {
        Some("use" | "use_when_creating") => Permissions::Use,
        None | Some("ignore") => Permissions::Ignore,
        Some(other) => return Err(Refusal::server_error(format!("Unsupported source_permission {other}"))),
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
        let what = if mount == "tasks" { "task" } else { "module" };
        return Err(Refusal::server_error(format!("No {what} specified")));
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
