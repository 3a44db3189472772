//! `plans`: the plans of modules.

use bunraku::Environment;
use serde_json::{Value as Json, json};

use super::{Answer, only};
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    only(request, &["GET"])?;
    let name = request.environment()?;
    let compiler = server.compiler(name)?;
    let all = names(server, compiler.environment());
    if path.is_empty() {
        let told = |plan: &String| json!({ "name": plan, "environment": [{ "name": name, "code_id": null }] });
        return Ok(Response::json(&Json::Array(all.iter().map(told).collect())));
    }
    let (module, plan) = path.split_once('/').unwrap_or((path, "init"));
    let wanted = if plan == "init" { module.to_owned() } else { format!("{module}::{}", plan.replace('/', "::")) };
    match all.contains(&wanted) {
        true => Ok(Response::json(&json!({ "metadata": {}, "name": wanted }))),
        false => {
            let body = format!("Could not find plan '{wanted}'").into_bytes();
            Err(Refusal::Plain(Response { body, ..Response::empty(404) }))
        }
    }
}

fn names(server: &Server, environment: &Environment) -> Vec<String> {
    let mut names = Vec::new();
    for module in environment.modules() {
        for entry in server.world.list(&format!("{}/plans", module.path)).unwrap_or_default() {
            let plan = entry.name.strip_suffix(".pp").or_else(|| entry.name.strip_suffix(".yaml"));
            names.extend(plan.map(|plan| match plan {
                "init" => module.name.clone(),
                plan => format!("{}::{plan}", module.name),
            }));
        }
    }
    names
}
