//! `environments`: which environments there are.

use std::path::Path;

use bunraku::SettingValue;
use serde_json::{Map, json};

use super::Answer;
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, _: &Request, _: &str) -> Answer {
    let directories = server.settings().paths("environmentpath")?;
    let mut all = Map::new();
    for directory in &directories {
        let Ok(entries) = server.world.list(directory) else { continue };
        for entry in entries.iter().filter(|entry| entry.is_dir) {
            if all.contains_key(&entry.name) {
                continue;
            }
            let Ok(compiler) = server.compiler(&entry.name) else { continue };
            let environment = compiler.environment();
            let directory = environment.directory.clone().unwrap_or_default();
            let manifest = environment.settings.text("manifest")?;
            let manifest = if manifest.is_empty() { format!("{directory}/manifests") } else { manifest };
            let timeout = match environment.settings.value("environment_timeout")? {
                SettingValue::Integer(seconds) => json!(seconds),
                _ => json!("unlimited"),
            };
            let settings = json!({
                "modulepath": environment.modulepath.iter().filter(|path| Path::new(path).is_dir()).collect::<Vec<_>>(),
                "manifest": manifest,
                "environment_timeout": timeout,
                "config_version": environment.settings.text("config_version")?,
            });
            all.insert(entry.name.clone(), json!({ "settings": settings }));
        }
    }
    let paths = directories.iter().map(|path| format!("file://{path}"));
    let paths: Vec<String> = paths.chain(["data:text/plain,internal".to_owned()]).collect();
    Ok(Response::json(&json!({ "search_paths": paths, "environments": all })))
}
