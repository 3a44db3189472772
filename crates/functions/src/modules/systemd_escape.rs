//! `systemd::systemd_escape`: a string in the name of a unit.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns a string, or a path, as it may stand in the name of a unit.
    ///
    /// ```puppet
    /// systemd::systemd_escape('/var/lib', true) # 'var-lib'
    /// ```
    "systemd::systemd_escape" of "systemd" {
        "(String $input, Optional[Boolean] $path = undef) >> String" => systemd_escape(input, path),
    }
}

fn systemd_escape(input: &str, is_path: Option<bool>) -> Result<String, Issue> {
    if is_path != Some(true) {
        return Ok(escaped(input));
    }
    let parts: Vec<&str> = input.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.contains(&"..") {
        return fail(format!("Execution of 'systemd-escape --path {input}' returned 1: "));
    }
    Ok(if parts.is_empty() { "-".to_owned() } else { escaped(&parts.join("/")) })
}

fn escaped(text: &str) -> String {
    let escape = |(index, byte): (usize, u8)| match byte {
        b'/' => "-".to_owned(),
        b'.' if index == 0 => "\\x2e".to_owned(),
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b':' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("\\x{other:02x}"),
    };
    text.bytes().enumerate().map(escape).collect()
}
