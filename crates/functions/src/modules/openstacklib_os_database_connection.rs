//! `os_database_connection`: the URI of a database.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::Issue;

use super::openstacklib_os_transport_url::userinfo;
use crate::number::{fail, leading_integer};

function! {
    /// Returns the URI of a database, from a hash that tells `dialect`, `host`, `port`, `database`, `username`, `password`,
    /// `charset` and `extra`.
    ///
    /// ```puppet
    /// os_database_connection({ 'dialect' => 'mysql', 'host' => '127.0.0.1', 'database' => 'nova' })
    /// # 'mysql://127.0.0.1/nova'
    /// ```
    "os_database_connection" of "openstacklib" {
        "(Any *$args)" as "(Hash $parts) >> String" => os_database_connection(*args),
    }
}

fn os_database_connection(args: &[Value]) -> Result<String, Issue> {
    let [given] = args else {
        let count = args.len();
        return fail(format!("os_database_connection(): Wrong number of arguments given ({count} for 1)"));
    };
    let Value::Hash(parts) = given else {
        return fail(format!("os_database_connection(): Requires an hash, got {}", host_class(given)));
    };
    for (key, value) in parts.iter() {
        let class = if key.as_str() == Some("extra") { "Hash" } else { "String" };
        if host_class(value) != class {
            return fail(format!("os_database_connection(): {} should be a {class}", inspect::to_s(key)));
        }
    }
    let text = |key| parts.get_str(key).and_then(Value::as_str);
    let Some(scheme) = text("dialect") else { return fail("os_database_connection(): dialect is required") };
    let Some(database) = text("database") else { return fail("os_database_connection(): database is required") };
    let (host, port) = (text("host"), text("port"));
    if port.is_some() && host.is_none() {
        return fail("os_database_connection(): host is required with port");
    }
    let scheme = checked("scheme", scheme, is_scheme(scheme))?.to_ascii_lowercase();
    let login = userinfo(text("username"), text("password")).map(|login| format!("{login}@")).unwrap_or_default();
    let host = match host {
        Some(host) if host.contains(':') && !host.starts_with('[') => Some(format!("[{host}]")),
        host => host.map(str::to_owned),
    };
    if let Some(host) = &host {
        checked("host", host, is_host(host))?;
    }
    let port = port.map(|port| format!(":{}", leading_integer(port))).unwrap_or_default();
    let path = if host.is_some() { format!("/{database}") } else { format!("///{database}") };
    checked("absolute path", &path, is_made_of(&path, "!$&'()*+,-./:;=@_~"))?;
    // Compatibility: some schemes have an authority even if it is empty.
    let has_authority = host.is_some() || matches!(scheme.as_str(), "file" | "postgres");
    let authority = if has_authority { "//" } else { "" };
    let query = query(parts)?.map(|query| format!("?{query}")).unwrap_or_default();
    Ok(format!("{scheme}:{authority}{login}{}{port}{path}{query}", host.unwrap_or_default()))
}

fn checked<'p>(name: &str, part: &'p str, is_valid: bool) -> Result<&'p str, Issue> {
    if is_valid { Ok(part) } else { fail(format!("bad component(expected {name} component): {part}")) }
}

fn is_scheme(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.bytes().all(is_part)
}

fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && is_made_of(text, "!$&'()*+,-.;=_~"),
    }
}

/// Whether a string has only letters and digits, these marks, and escapes.
fn is_made_of(text: &str, marks: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let is_digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
        let is_valid = match byte {
            b'%' => is_digit(bytes.next()) && is_digit(bytes.next()),
            byte => byte.is_ascii_alphanumeric() || marks.as_bytes().contains(&byte),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

/// The options after the question mark, with escapes for what may not be there.
fn query(parts: &Hash) -> Result<Option<String>, Issue> {
    let mut options = match parts.get_str("extra") {
        Some(Value::Hash(options)) => Hash::clone(options),
        _ => Hash::new(),
    };
    if let Some(charset) = parts.get_str("charset") {
        options.insert("charset".into(), charset.clone());
    }
    if options.is_empty() {
        return Ok(None);
    }
    let pairs = options.iter().map(|(key, value)| format!("{}={}", inspect::to_s(key), inspect::to_s(value)));
    let text: String = pairs.collect::<Vec<_>>().join("&").replace(['\t', '\r', '\n'], "");
    let digits = |at: usize| text.as_bytes().get(at + 1..at + 3);
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    let mut escaped = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'%' && digits(at).is_some_and(|digits| !digits.iter().any(is_digit)) {
            let digits = String::from_utf8_lossy(digits(at).unwrap_or_default()).into_owned();
            return fail(format!("invalid percent escape: %{digits}"));
        }
        let is_escape = byte == b'%' && digits(at).is_some_and(|digits| digits.iter().all(is_digit));
        let is_plain = matches!(byte, b'!' | b'$'..=b'&' | b'('..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'~');
        if is_escape || (is_plain && byte != b'%') {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(Some(escaped))
}
