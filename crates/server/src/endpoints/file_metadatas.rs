//! `file_metadatas`: what is known about all files of a directory.

use std::path::Path;

use super::Answer;
use super::file_metadata::{candidates, check_environment, check_key, wanted};
use crate::files::{Mounts, Search, search};
use crate::format::Format;
use crate::{IssueKind, Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    check_environment(request, "file_metadatas")?;
    let compiler = server.compiler(request.environment()?)?;
    check_key(request, path)?;
    let mut wanted = Search {
        recurses: recurses(request)?,
        limit: number(request, "recurselimit")?,
        ignore: request.parameters("ignore").collect(),
        most: number(request, "max_files")?.filter(|most| *most > 0),
        wanted: wanted(server, request)?,
    };
    let environment = compiler.environment();
    // Where the directories of all modules are put together, it is all of them, whatever follows the mount.
    let mount = path.split('/').next().filter(|mount| Mounts::is_merged(mount));
    let (is_merged, all) = candidates(server, request, environment, "file_metadatas", mount.unwrap_or(path))?;
    let found = all.into_iter().filter(|path| Path::new(path).exists());
    let mut roots: Vec<String> = found.map(|path| path.trim_end_matches('/').to_owned()).collect();
    if !is_merged {
        roots.truncate(1);
    } else if roots.is_empty() {
        // Without any plugins there is still a root, so that agents clean up what they had before.
        roots = environment.modulepath.iter().filter(|path| Path::new(path).is_dir()).cloned().collect();
        if roots.is_empty() {
            roots.extend(Some(server.setting("codedir")?).filter(|path| Path::new(path).is_dir()));
        }
        wanted.recurses = false;
    }
    if roots.is_empty() {
        let message = format!("Could not find instances in file_metadata with '{path}'");
        return Err(Refusal::not_found(message));
    }
    let found = search(&roots, &wanted, &server.checksums).map_err(|error| Refusal::server_error(error.to_string()))?;
    let told: Vec<serde_json::Value> = found.iter().map(|it| it.to_json()).collect();
    Format::accepted(request, Format::DATA)?.response(serde_json::Value::Array(told).to_string())
}

/// Whether what is below is wanted, too. How far down is said by another parameter.
fn recurses(request: &Request) -> Result<bool, Refusal> {
    match request.parameter("recurse") {
        None | Some("false") => Ok(false),
        Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            let message = "Fileset recurse parameter must not be a number anymore, please use recurselimit";
            Err(Refusal::server_error(message))
        }
        Some(_) => Ok(true),
    }
}

/// A number; `-1`, and `infinite`, stand for none.
fn number(request: &Request, name: &str) -> Result<Option<usize>, Refusal> {
    match request.parameter(name) {
        None | Some("-1" | "infinite") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| {
            let message = format!("The parameter {name} must be a number, not '{text}'");
            Refusal::bad_request(message, IssueKind::RuntimeError)
        }),
    }
}
