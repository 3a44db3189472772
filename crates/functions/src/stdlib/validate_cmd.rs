//! `validate_cmd`: fails unless a command accepts a string.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_environment::world::Command;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Writes a string to a file and runs a command with the path of that file, which takes the place of `%` or stands at the end.
    /// It fails if the command does.
    ///
    /// ```puppet
    /// validate_cmd($sudoers, '/usr/sbin/visudo -c -f', 'Visudo failed')
    /// ```
    "validate_cmd" of "stdlib" {
        "arity -1" as "(Any $text, Any $command, Any $message = undef) >> Any" => validate_cmd(call, *args),
    }
}

fn validate_cmd(call: &mut Call<'_, '_>, args: &[Value]) -> Result<(), Issue> {
    if args.len() < 2 || args.len() > 3 {
        return fail(format!("validate_cmd(): wrong number of arguments ({}; must be 2 or 3)", args.len()));
    }
    let content = args.first().map(inspect::to_s).unwrap_or_default();
    let command = args.get(1).unwrap_or(&Value::Undef);
    let message = match args.get(2).filter(|message| message.is_truthy()) {
        Some(message) => inspect::to_s(message).into_owned(),
        None => format!("validate_cmd(): failed to validate content with command {}", inspect::inspect(command)),
    };
    let script = match legacy_arguments::text(Some(command)) {
        Ok(script) => script,
        Err(issue) => return fail(format!("{message}\nTypeError {}", issue.message())),
    };
    // The shell makes the file, so that the world needs no way to write one.
    let check = if script.split_ascii_whitespace().any(|word| word == "%") {
        script.replace('%', "\"$file\"")
    } else {
        format!("{script} \"$file\"")
    };
    let program = format!("file=$(mktemp) && cat > \"$file\" && {check}; code=$?; rm -f \"$file\"; exit $code");
    let command =
        Command { program: "/bin/sh", arguments: &["-c", &program], input: content.as_bytes(), ..Command::default() };
    match call.frame.compilation.run(command) {
        Ok(output) if output.code == Some(0) => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            let code = output.code.unwrap_or(1);
            fail(format!("{message}\nExecution of '{script}' returned {code}: {}", said.trim()))
        }
        Err(error) => fail(format!("{message}\n{error}")),
    }
}
