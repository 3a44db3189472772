//! One case of a recorded corpus: a program with its settings, facts and files, run in an environment in memory.

use std::sync::Arc;

use bunraku::{
    Compiler, Environment, Hash, Issue, Node, RubyOptions, RunMode, Settings, StandIns, Strict, Target, Value,
    json as data, library, render,
};
use serde_json::{Map, Value as Json, json};

use super::record;
use super::world::Layered;
use crate::packages;

/// The name of the node that cases are compiled for.
const NODE: &str = "test.example.com";

/// Runs a case and gives its result in the shape of the corpus.
pub fn run(case: &Json) -> Json {
    let mut result = run_with_files(case);
    record::forget_files(&mut result);
    result
}

/// The same with the file of each place.
pub fn run_with_files(case: &Json) -> Json {
    let text = |key: &str| case.get(key).and_then(Json::as_str).unwrap_or_default();
    match text("mode") {
        "parse" => record::parsed(text("code"), is_on(case, "tasks"), strict(case)),
        "epp" => with_compiler(case, text("prelude"), |compiler, node| {
            record::template(compiler, node, text("code"), case.get("params"), strict(case))
        }),
        "eval" | "" => with_compiler(case, text("code"), record::value),
        "catalog" => {
            let with_tags = case.get("tags").and_then(Json::as_bool).unwrap_or(false);
            with_compiler(case, text("code"), |compiler, node| record::catalog(compiler, node, with_tags))
        }
        mode => json!({"error": {"message": format!("unknown mode {mode}")}}),
    }
}

/// What a person at a terminal is shown of the errors of a case.
pub fn shown(case: &Json) -> String {
    let code = case.get("code").and_then(Json::as_str).unwrap_or_default();
    let shown = with_compiler(case, code, |compiler, node| match compiler.compile_complete(node).catalog {
        Ok(_) => json!(""),
        Err(failure) => {
            let shown = failure.diagnostics.iter().map(|found| render::human(found, compiler.environment(), false));
            json!(shown.collect::<String>())
        }
    });
    shown.as_str().map_or_else(|| shown.to_string(), str::to_owned)
}

/// Whether a case turns a setting on.
fn is_on(case: &Json, setting: &str) -> bool {
    case.get("settings").and_then(|settings| settings.get(setting)).and_then(Json::as_bool).unwrap_or(false)
}

fn strict(case: &Json) -> Strict {
    match case.get("strict").and_then(Json::as_str) {
        Some("off") => Strict::Off,
        Some("warning") => Strict::Warning,
        _ => Strict::Error,
    }
}

/// How Ruby code runs: by Ruby alone (`always`), without Ruby (`never`), or as it does for users.
fn ruby(case: &Json) -> RubyOptions {
    match case.get("ruby").and_then(Json::as_str) {
        Some("always") => RubyOptions { native: false, ..RubyOptions::default() },
        Some("never") => RubyOptions { ruby: "/nonexistent".into(), ..RubyOptions::default() },
        _ => RubyOptions::default(),
    }
}

/// When native functions stand in for functions of modules: for those of known files (`known`), for none (`never`), or for all. Cases
/// with modules only by name are about the native functions, and were recorded from several versions of the modules.
fn stand_ins(case: &Json) -> StandIns {
    match case.get("stand_ins").and_then(Json::as_str) {
        Some("never") => StandIns::Never,
        Some("known") => StandIns::Known,
        _ => StandIns::Always,
    }
}

/// The modules that a case has only by name.
fn named_modules(case: &Json) -> impl Iterator<Item = &str> {
    let files = case.get("files").and_then(Json::as_object).into_iter().flatten();
    files
        .filter(|(_, content)| content.as_str() == Some("{}"))
        .filter_map(|(path, _)| path.strip_prefix("modules/")?.strip_suffix("/metadata.json"))
}

fn with_compiler(case: &Json, code: &str, run: impl FnOnce(&Compiler, &Node) -> Json) -> Json {
    let compiler = environment(case, code).and_then(|environment| Compiler::new(environment, ruby(case)));
    match compiler {
        Ok(compiler) => {
            let library = library(compiler.environment().settings.target);
            let library = library.with_stand_ins(stand_ins(case)).with_checked_shapes();
            run(&compiler.with_library(library), &node(case))
        }
        Err(issue) => json!({"error": {"message": issue.message()}}),
    }
}

fn environment(case: &Json, code: &str) -> Result<Environment, Issue> {
    let given = case.get("settings").and_then(Json::as_object);
    let modules = case.get("modules").and_then(Json::as_str).unwrap_or(packages::MODULEPATH);
    let world = match given.is_some_and(|given| given.contains_key("modulepath")) {
        true => Layered::over_disk(),
        false => Layered::over_modules(modules, named_modules(case)),
    };
    let files = case.get("files").and_then(Json::as_object);
    for (path, content) in files.into_iter().flatten() {
        world.write(path, content.as_str().unwrap_or_default());
    }
    let mut settings = Settings::new(RunMode::Server);
    // A blank line keeps an empty program from falling back to a manifest file.
    settings.set("code", if code.is_empty() { "\n" } else { code });
    settings.set("certname", NODE);
    settings.set("manifest", "/none");
    // The recorded results were made without them too.
    settings.set("disable_warnings", "deprecations");
    settings.set("modulepath", format!("/production/modules:{}", modules));
    for name in ["strict", "strict_variables"] {
        if let Some(value) = case.get(name) {
            settings.set(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
    }
    if let Some(target) = case.get("target").and_then(Json::as_str) {
        settings.target = Target::parse(target)?;
    }
    for (name, value) in given.into_iter().flatten() {
        settings.set(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    let world = Arc::new(world);
    match files {
        Some(_) => Environment::at(world, &settings, "production", "/production"),
        None => Environment::without_directory(world, &settings, "production"),
    }
}

fn node(case: &Json) -> Node {
    let name = case.get("node").and_then(Json::as_str).unwrap_or(NODE);
    let (hostname, domain) = name.split_once('.').map_or((name, Json::Null), |(host, domain)| (host, json!(domain)));
    let mut facts = base_facts();
    for (fact, value) in case.get("facts").and_then(Json::as_object).into_iter().flatten() {
        facts.insert(fact.clone(), value.clone());
    }
    let trusted = json!({
        "authenticated": "local", "certname": name, "extensions": {},
        "hostname": hostname, "domain": domain, "external": {},
    });
    let server_facts = json!({"serverversion": "0.0.0", "environment": "production"});
    Node {
        facts: hash(&Json::Object(facts)),
        trusted: hash(&trusted),
        server_facts: hash(&server_facts),
        ..Node::new(name)
    }
}

/// The hash that a JSON object stands for; an empty one for anything else.
pub(super) fn hash(object: &Json) -> Arc<Hash> {
    match data::read(&object.to_string()) {
        Ok(Value::Hash(hash)) => hash,
        _ => Arc::default(),
    }
}

/// The facts every case has.
fn base_facts() -> Map<String, Json> {
    let facts = json!({
        "hostname": "test",
        "domain": "example.com",
        "fqdn": NODE,
        "certname": NODE,
        "clientcert": NODE,
        "kernel": "Linux",
        "osfamily": "Debian",
        "operatingsystem": "Debian",
        "os": {"name": "Debian", "family": "Debian", "release": {"full": "12.1", "major": "12", "minor": "1"}},
        "networking": {"hostname": "test", "domain": "example.com", "fqdn": NODE},
        "processors": {"count": 4},
        "is_virtual": false,
    });
    match facts {
        Json::Object(facts) => facts,
        _ => Map::new(),
    }
}
