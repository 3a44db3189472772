//! `plans`: the plans of modules.

use bunraku::Environment;
use serde_json::{Value as Json, json};

use super::{Answer, environment, missing};
use crate::{Request, Response, Server};

/// The names of all plans.
pub(super) fn all(server: &Server, request: &Request, _: &str) -> Answer {
    let (name, compiler) = environment(server, request)?;
    let told = |plan: &String| json!({ "name": plan, "environment": [{ "name": name, "code_id": null }] });
    Ok(Response::json(&Json::Array(names(server, compiler.environment()).iter().map(told).collect())))
}

/// One plan.
pub(super) fn one(server: &Server, request: &Request, path: &str) -> Answer {
    let (_, compiler) = environment(server, request)?;
    let (module, plan) = path.split_once('/').unwrap_or((path, "init"));
    if compiler.environment().module(module).is_none() {
        return Err(missing(format!("Could not find module '{module}'")));
    }
    let wanted = if plan == "init" { module.to_owned() } else { format!("{module}::{plan}") };
    match names(server, compiler.environment()).contains(&wanted) {
        true => Ok(Response::json(&json!({ "metadata": {}, "name": wanted }))),
        false => Err(missing(format!("Could not find plan '{plan}'"))),
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
