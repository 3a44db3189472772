//! `tasks`: the tasks of modules, and the files that each one needs.

use bunraku::Environment;
use serde_json::{Map, Value as Json, json};

use super::{Answer, environment, missing};
use crate::files::Kind;
use crate::{Request, Response, Server};

/// All tasks.
pub(super) fn all(server: &Server, request: &Request, _: &str) -> Answer {
    let (name, compiler) = environment(server, request)?;
    let all = tasks(server, compiler.environment());
    let told = all.iter().map(|task| {
        let text = |key: &str| task.metadata.get(key).and_then(Json::as_str).unwrap_or_default();
        let is_private = task.metadata.get("private").and_then(Json::as_bool).unwrap_or(false);
        json!({ "name": task.name(), "private": is_private, "description": text("description"),
                "environment": [{ "name": name, "code_id": null }] })
    });
    Ok(Response::json(&Json::Array(told.collect())))
}

/// One task, with its files.
pub(super) fn one(server: &Server, request: &Request, path: &str) -> Answer {
    let (environment, compiler) = environment(server, request)?;
    let (module, task) = path.split_once('/').unwrap_or((path, "init"));
    if compiler.environment().module(module).is_none() {
        return Err(missing(format!("Could not find module '{module}'")));
    }
    let found = tasks(server, compiler.environment()).into_iter().find(|it| it.module == module && it.task == task);
    let found = found.ok_or_else(|| missing(format!("Could not find task '{task}'")))?;
    // Where the state of the code is known, the file is to be that of this state.
    let code_id = server.versioned_code_id(environment);
    let directory = compiler.environment().directory.as_deref().unwrap_or_default();
    let in_environment = found.path.strip_prefix(directory).and_then(|path| path.strip_prefix('/'));
    let files = found.files.iter().filter_map(|file| {
        let content = server.world.read(&format!("{}/tasks/{file}", found.path)).ok()?;
        let uri = match (&code_id, in_environment) {
            (Some(code_id), Some(path)) => json!({
                "path": format!("/puppet/v3/static_file_content/{path}/tasks/{file}"),
                "params": { "environment": environment, "code_id": code_id },
            }),
            _ => json!({ "path": format!("/puppet/v3/file_content/tasks/{module}/{file}"),
                         "params": { "environment": environment } }),
        };
        Some(json!({
            "filename": file,
            "sha256": Kind::Sha256.of_bytes(&content),
            "size_bytes": content.len(),
            "uri": uri,
        }))
    });
    let files: Vec<Json> = files.collect();
    Ok(Response::json(&json!({ "metadata": found.metadata, "name": found.name(), "files": files })))
}

struct Task {
    module: String,
    path: String,
    task: String,
    metadata: Map<String, Json>,
    files: Vec<String>,
}

impl Task {
    fn name(&self) -> String {
        if self.task == "init" { self.module.clone() } else { format!("{}::{}", self.module, self.task) }
    }
}

fn tasks(server: &Server, environment: &Environment) -> Vec<Task> {
    let mut found: Vec<Task> = Vec::new();
    for module in environment.modules() {
        for entry in server.world.list(&format!("{}/tasks", module.path)).unwrap_or_default() {
            let (task, extension) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
            let is_name =
                !task.is_empty() && task.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
            if entry.is_dir || !is_name {
                continue;
            }
            if !found.iter().any(|known| known.module == module.name && known.task == task) {
                found.push(Task {
                    module: module.name.clone(),
                    path: module.path.clone(),
                    task: task.to_owned(),
                    metadata: Map::new(),
                    files: Vec::new(),
                });
            }
            let Some(known) = found.iter_mut().find(|known| known.module == module.name && known.task == task) else {
                continue;
            };
            if extension == "json" {
                let text = server.world.read_text(&format!("{}/tasks/{}", module.path, entry.name)).unwrap_or_default();
                known.metadata = serde_json::from_str(&text).unwrap_or_default();
            } else {
                known.files.push(entry.name.clone());
            }
        }
    }
    found
}
