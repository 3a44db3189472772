//! `validate_augeas`: fails unless Augeas can read a string.

use std::io::ErrorKind;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_environment::world::Command;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Fails unless a string can be read with a lens of Augeas, and none of the paths of the third argument is found in it;
    /// `$file` stands for the string there. The fourth argument is the message. The program `augtool` reads the string.
    ///
    /// ```puppet
    /// validate_augeas($passwd, 'Passwd.lns', ['$file/foo'])
    /// ```
    "validate_augeas" of "stdlib" {
        "arity -1" as "(Any $text, Any $lens, Any $tests = undef, Any $message = undef) >> Any" => validate_augeas(call, *args),
    }
}

/// Asks about a string and a lens one command each; the exit code tells the number of the path that is found, counted from
/// 20, or that cannot be read, counted from 120.
const SCRIPT: &str = r#"
file=$(mktemp) || exit 3
trap 'rm -f "$file"' EXIT
printf %s "$1" > "$file"
lens=$2
shift 2
ask() { printf 'defvar file /files%s\n%s %s\n' "$file" "$@" | augtool --noautoload --transform "$lens incl $file" 2>/dev/null; }
command -v augtool >/dev/null || exit 2
message=$(ask get "/augeas/files$file//error/message")
case $message in *" = "*) printf %s "${message#* = }"; exit 10;; esac
number=0
for path; do
  found=$(ask match "$path") || exit $((120 + number))
  case $found in '' | '  (no matches)') ;; *) exit $((20 + number));; esac
  number=$((number + 1))
done
"#;

/// How many paths the exit code has room for.
const MOST_PATHS: usize = 100;

fn validate_augeas(call: &mut Call<'_, '_>, args: &[Value]) -> Result<(), Issue> {
    let [content, lens, rest @ ..] = args else { return wrong_number(args) };
    if rest.len() > 2 {
        return wrong_number(args);
    }
    let message = match rest.get(1).filter(|message| message.is_truthy()) {
        Some(message) => inspect::to_s(message).into_owned(),
        None => format!("validate_augeas(): Failed to validate content against {}", inspect::inspect(lens)),
    };
    let Value::String(lens) = lens else { return Err(legacy_arguments::undefined_method("include?", lens)) };
    let lens = if lens.contains('.') { lens.to_string() } else { format!("{lens}.lns") };
    let content = inspect::to_s(content);
    let mut arguments = vec!["-c", SCRIPT, "sh", &content, &lens];
    let paths: &[Value] = match rest.first() {
        None => &[],
        Some(Value::Array(paths)) => paths,
        Some(other) => return Err(legacy_arguments::undefined_method("each", other)),
    };
    let paths: Vec<&str> = paths.iter().map(|path| legacy_arguments::text(Some(path))).collect::<Result<_, _>>()?;
    if paths.len() > MOST_PATHS {
        return fail(format!("validate_augeas(): more than {MOST_PATHS} paths"));
    }
    arguments.extend(&paths);
    let command = Command { program: "/bin/sh", arguments: &arguments, ..Command::default() };
    let output = match call.frame.compilation.run(command) {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => return missing(),
        Err(error) => return fail(format!("validate_augeas(): {error}")),
    };
    let code = usize::try_from(output.code.unwrap_or(1)).unwrap_or(1);
    match code {
        0 => Ok(()),
        2 => missing(),
        10 => fail(format!("{message} with error: {}", String::from_utf8_lossy(&output.stdout).trim_end())),
        20..120 => {
            let tested = paths.iter().take(code - 19).map(|path| format!(" testing path {path}"));
            fail(format!("{message}{}", tested.collect::<String>()))
        }
        120..220 => {
            let path = paths.get(code - 120).copied().unwrap_or_default();
            fail(format!("unknown error - Matching path expression '{path}' failed"))
        }
        _ => fail("validate_augeas(): the text cannot be written to a file"),
    }
}

fn wrong_number<T>(args: &[Value]) -> Result<T, Issue> {
    fail(format!("validate_augeas(): wrong number of arguments ({}; must be 2, 3, or 4)", args.len()))
}

fn missing<T>() -> Result<T, Issue> {
    fail(
        "validate_augeas(): this function requires the augeas feature. See \
         http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it.",
    )
}
