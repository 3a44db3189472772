//! `environment_modules`: which modules there are, with their versions.

use serde_json::{Value as Json, json};

use super::{Answer, only};
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    only(request, &["GET"])?;
    if request.parameter("environment").is_some() {
        return Ok(Response::json(&modules(server, request.environment()?)?));
    }
    let mut all = Vec::new();
    for directory in server.settings().paths("environmentpath")? {
        for entry in server.world.list(&directory).unwrap_or_default() {
            all.extend(modules(server, &entry.name).ok());
        }
    }
    Ok(Response::json(&Json::Array(all)))
}

fn modules(server: &Server, environment: &str) -> Result<Json, crate::Refusal> {
    let compiler = server.compiler(environment)?;
    let modules = compiler.environment().modules().map(|module| {
        let metadata = module.metadata.as_ref();
        let name = metadata.and_then(|metadata| metadata.name.as_deref()).unwrap_or(&module.name);
        json!({ "name": name.replacen('-', "/", 1), "version": metadata.map(|metadata| &metadata.version) })
    });
    Ok(json!({ "modules": modules.collect::<Vec<Json>>(), "name": environment }))
}
