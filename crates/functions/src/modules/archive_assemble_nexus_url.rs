//! `assemble_nexus_url`: where Nexus has an artifact.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;

function! {
    /// Returns the URL of an artifact on a Nexus server.
    ///
    /// ```puppet
    /// assemble_nexus_url('https://nexus.example.com', { 'g' => 'group', 'a' => 'artifact' })
    /// ```
    "assemble_nexus_url" of "archive" {
        "arity -1" as "(Any $url = undef, Any $params = undef) >> String" => assemble_nexus_url(*args),
    }
}

fn assemble_nexus_url(args: &[Value]) -> Result<String, Issue> {
    let url = args.first().map(inspect::to_s).unwrap_or_default();
    let mut query = Vec::new();
    match args.get(1) {
        None => {}
        Some(Value::Array(parameters)) if parameters.is_empty() => {}
        Some(Value::Hash(parameters)) => {
            for (key, value) in parameters.iter() {
                query.push(format!("{}={}", inspect::to_s(key), form_encoded(legacy_arguments::text(Some(value))?)));
            }
        }
        Some(other) => return Err(legacy_arguments::undefined_method("to_a", other)),
    }
    Ok(format!("{url}/service/local/artifact/maven/content?{}", query.join("&")))
}

/// A string as a form sends it.
fn form_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        b' ' => "+".to_owned(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(encode).collect()
}
