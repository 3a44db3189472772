//! `generate`: the output of a command.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_environment::world::Command;
use bunraku_pcore::issues::string_of;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::fail;

function! {
    /// Runs a command on the server, without a shell, and returns its output. The command must be an absolute path.
    ///
    /// ```puppet
    /// generate('/usr/bin/hostname', '-f')
    /// ```
    "generate" {
        "arity -2" as "(String $command, Any *$args) >> String" => generate(call, *args),
    }
}

fn generate(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let Some(Value::String(program)) = args.first() else {
        let (shown, class) = (args.first().map(inspect::to_s), args.first().map(host_class));
        let (shown, class) = (shown.unwrap_or_default(), class.unwrap_or_default());
        let message =
            format!("Cannot check if {shown} is an absolute path because it is a '{class}' and not a String'");
        call.frame.compilation.log(Level::Warning, &message);
        return fail("Generators must be fully qualified");
    };
    let program = program.as_str();
    check(program)?;
    let arguments = flatten(args.get(1..).unwrap_or_default());
    let arguments: Vec<String> = arguments.iter().map(|argument| inspect::to_s(argument).into_owned()).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let directory = program.rsplit_once('/').map(|(directory, _)| if directory.is_empty() { "/" } else { directory });
    let world = call.frame.compilation.environment.world();
    if let Some(directory) = directory.filter(|directory| !world.is_dir(directory)) {
        return fail(format!("Working directory {directory} does not exist!"));
    }
    let command = Command { program, arguments: &arguments, directory, ..Command::default() };
    let detail = match call.frame.compilation.run(command) {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            let text = string_of(text)?;
            match output.code {
                Some(0) => return Ok(text),
                code => format!("returned {}: {}", code.unwrap_or(1), text.trim()),
            }
        }
        Err(error) => {
            let error = error.to_string();
            let reason = error.split(" (os error").next().unwrap_or_default();
            format!("returned 1: Error: Could not execute posix command: {reason} - {program}")
        }
    };
    let words: Vec<&str> = std::iter::once(program).chain(arguments).collect();
    fail(format!("Failed to execute generator {program}: Execution of '{}' {detail}", words.join(" ")))
}

/// Only paths that cannot be mistaken for something else are run.
fn check(program: &str) -> Result<(), Issue> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '/' | '_' | '.' | '+');
    if !program.starts_with('/') {
        return fail("Generators must be fully qualified");
    }
    if !program.chars().all(is_allowed) {
        return fail("Generators can only contain alphanumerics, file separators, and dashes");
    }
    if program.contains("..") {
        return fail("Can not use generators with '..' in them.");
    }
    Ok(())
}
