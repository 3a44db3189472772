//! `environment_modules`: which modules there are, with their versions.

use bunraku::Environment;
use serde_json::{Value as Json, json};

use super::{Answer, environment};
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    if request.parameter("environment").is_some() {
        let (name, compiler) = environment(server, request)?;
        return Ok(Response::json(&modules(name, compiler.environment())));
    }
    let mut all = Vec::new();
    for directory in server.settings().paths("environmentpath")? {
        for entry in server.world.list(&directory).unwrap_or_default() {
            let compiler = server.project.compiler(&entry.name).ok();
            all.extend(compiler.map(|compiler| modules(&entry.name, compiler.environment())));
        }
    }
    Ok(Response::json(&Json::Array(all)))
}

fn modules(name: &str, environment: &Environment) -> Json {
    let modules = environment.modules().map(|module| {
        let metadata = module.metadata.as_ref();
        let name = metadata.and_then(|metadata| metadata.name.as_deref()).unwrap_or(&module.name);
        json!({ "name": name.replacen('-', "/", 1), "version": metadata.map(|metadata| &metadata.version) })
    });
    json!({ "modules": modules.collect::<Vec<Json>>(), "name": name })
}
