//! Documents that a function reads its data from: files, and what a URL names.

use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_environment::world::{Command, Output};
use bunraku_pcore::Value;
use bunraku_syntax::Issue;
use ecow::eco_format;

use crate::legacy_arguments;
use crate::number::fail;

/// The data of the document that the first argument names; the second argument is returned if there is none, or if it is
/// given and the document cannot be read.
pub(crate) fn load(
    call: &mut Call<'_, '_>,
    args: &[Value],
    parse: fn(&str) -> Result<Value, Issue>,
) -> Result<Value, Issue> {
    let default = args.get(1).cloned().unwrap_or_default();
    let text = match args.first() {
        Some(Value::String(path)) if path.starts_with("http://") || path.starts_with("https://") => fetch(call, path),
        Some(Value::String(path)) => Ok(read(call, path)),
        Some(Value::Default) => legacy_arguments::text(args.first()).map(|_| None),
        other => Err(legacy_arguments::undefined_method("start_with?", other.unwrap_or(&Value::Undef))),
    };
    match text.and_then(|text| text.map_or(Ok(Value::Undef), |text| parse(&text))) {
        Ok(value) if value.is_truthy() => Ok(value),
        Err(issue) if !default.is_truthy() => Err(issue),
        _ => Ok(default),
    }
}

fn read(call: &mut Call<'_, '_>, path: &str) -> Option<String> {
    let text = call.frame.compilation.environment.world().read_text(path).ok();
    if text.is_none() {
        call.frame.log(Level::Warning, eco_format!("Can't load '{path}' File does not exist!"), None);
    }
    text
}

/// What stands at a URL. The program `curl` fetches it: it knows the certificates and proxies of the machine.
fn fetch(call: &mut Call<'_, '_>, url: &str) -> Result<Option<String>, Issue> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let (login, rest) = match rest.rsplit_once('@') {
        Some((login, rest)) => (Some(login), rest),
        None => (None, rest),
    };
    let url = format!("{scheme}://{rest}");
    let options =
        ["--silent", "--location", "--max-time", "60", "--write-out", "%{stderr}%{http_code}", "--config", "-"];
    let arguments = [&options[..], &["--", &url]].concat();
    let input = login.map(login_option).unwrap_or_default();
    let command = Command { program: "curl", arguments: &arguments, input: input.as_bytes(), ..Command::default() };
    let Output { code, stdout, stderr } = match call.frame.compilation.run(command) {
        Ok(output) => output,
        Err(error) => return fail(format!("Can't load '{url}', for that needs the program curl: {error}")),
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, if scheme == "https" { "443" } else { "80" }));
    match code {
        Some(0) => {}
        Some(6) => {
            return fail(format!(
                "Failed to open TCP connection to {name}:{port} (getaddrinfo: Name or service not known)"
            ));
        }
        Some(7) => {
            return fail(format!(
                "Failed to open TCP connection to {name}:{port} (Connection refused - connect(2) for {name}:{port})"
            ));
        }
        _ => return fail(format!("Can't load '{url}'")),
    }
    let status = String::from_utf8_lossy(&stderr);
    if !status.starts_with('2') {
        let message = eco_format!("Can't load '{url}' HTTP Error Code: '{status}'");
        call.frame.log(Level::Warning, message.clone(), None);
        return fail(message);
    }
    match String::from_utf8(stdout) {
        Ok(text) => Ok(Some(text)),
        Err(_) => fail(format!("Can't load '{url}', it is not UTF-8")),
    }
}

/// The login as `curl` reads it from its configuration: among the arguments everybody on the machine would see it.
fn login_option(login: &str) -> String {
    let login = if login.contains(':') { login.to_owned() } else { format!("{login}:") };
    let quoted: String = login.chars().fold(String::new(), |mut quoted, letter| {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            other => quoted.push(other),
        }
        quoted
    });
    format!("user = \"{quoted}\"\n")
}
