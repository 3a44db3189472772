//! `$trusted['external']`: what programs of the site know about a node, by the setting `trusted_external_command`.

use std::sync::Arc;

use bunraku_compiler::Node;
use bunraku_environment::world::{Command, entries, join};
use bunraku_environment::{Environment, World};
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::json;

/// Asks the program, or every program in the directory, that the environment's settings name, and keeps the answers in the
/// node's `$trusted`. Without one the node stays as it is.
pub fn trust_external(node: &mut Node, environment: &Environment) -> Result<(), Issue> {
    let Some(command) = environment.settings.optional_text("trusted_external_command")? else { return Ok(()) };
    let certname = node.trusted.get_str("certname").and_then(Value::as_str).unwrap_or(&node.name);
    let world = environment.world();
    let external = match world.is_dir(&command) || command.ends_with('/') {
        true => ask_all(world, command.trim_end_matches('/'), certname)?,
        false => ask(world, &command, certname)?,
    };
    Arc::make_mut(&mut node.trusted).insert("external".into(), external);
    Ok(())
}

/// The answers by the names of the programs without their extensions.
fn ask_all(world: &dyn World, directory: &str, certname: &str) -> Result<Value, Issue> {
    let mut answers = Hash::new();
    for entry in entries(world, directory)? {
        let path = join(directory, &entry.name);
        if entry.is_dir || !world.machine().is_some_and(|machine| machine.is_executable(&path)) {
            continue;
        }
        let stem = entry.name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty());
        let name = stem.unwrap_or(&entry.name);
        if answers.get_str(name).is_some_and(|answer| !answer.is_undef()) {
            return Err(Issue::new("", format!("There is more than one '{name}' script in {directory}")));
        }
        answers.insert(name.into(), ask(world, &path, certname)?);
    }
    Ok(Value::from(answers))
}

/// What one program prints about a node, which is JSON.
fn ask(world: &dyn World, program: &str, certname: &str) -> Result<Value, Issue> {
    let failed = |detail: String| Issue::new("", format!("Execution of '{program} {certname}' {detail}"));
    let output = world.run(&Command { program, arguments: &[certname], ..Command::default() });
    let output = output.map_err(|error| failed(format!("returned 1: {error}")))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    match output.code {
        Some(0) => json::read(&printed).map_err(|error| failed(format!("did not print JSON: {}", error.message()))),
        code => Err(failed(format!("returned {}: {}", code.unwrap_or(1), printed.trim_end()))),
    }
}
