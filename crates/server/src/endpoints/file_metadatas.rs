//! `file_metadatas`: what is known about all files of a directory.

use std::path::Path;

use super::file_metadata::{candidates, wanted};
use super::{Answer, only};
use crate::files::{Search, search};
use crate::format::Format;
use crate::{Refusal, Request, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    only(request, &["GET", "POST"])?;
    let compiler = server.compiler(request.environment()?)?;
    let format = Format::accepted(request, Format::DATA)?;
    let number = |name: &str| request.parameter(name).and_then(|text| text.parse::<usize>().ok());
    let mut wanted = Search {
        recurses: request.parameter("recurse") == Some("true"),
        limit: number("recurselimit"),
        ignore: request.parameters("ignore").collect(),
        most: number("max_files").filter(|most| *most > 0),
        wanted: wanted(server, request)?,
    };
    let environment = compiler.environment();
    let (is_merged, all) = candidates(server, request, environment, "file_metadatas", path)?;
    let mut roots: Vec<String> = all.into_iter().filter(|path| Path::new(path).exists()).collect();
    if !is_merged {
        roots.truncate(1);
    } else if roots.is_empty() && !path.contains('/') {
        // Without any plugins there is still a root, so that agents clean up what they had before.
        roots = environment.modulepath.iter().filter(|path| Path::new(path).is_dir()).cloned().collect();
        wanted.recurses = false;
    }
    if roots.is_empty() {
        let message = format!("Could not find instances in file_metadata with '{path}'");
        return Err(Refusal::not_found(message));
    }
    let found = search(&roots, &wanted, &server.checksums).map_err(|error| Refusal::server_error(error.to_string()))?;
    let told: Vec<serde_json::Value> = found.iter().map(|it| it.to_json()).collect();
    format.response(serde_json::Value::Array(told).to_string())
}
