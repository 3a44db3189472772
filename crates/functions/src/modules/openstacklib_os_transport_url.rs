//! `os_transport_url`: the URL of a message service.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::Issue;

use super::openstacklib_normalize_ip_for_uri::normalize_ip_for_uri;
use crate::number::fail;

function! {
    /// Returns the URL of a message service, from a hash that tells `transport`, `host` or `hosts`, `port`, `username`,
    /// `password`, `virtual_host`, `ssl` and `query`.
    ///
    /// ```puppet
    /// os_transport_url({ 'transport' => 'rabbit', 'host' => '1.1.1.1', 'port' => 5672 }) # 'rabbit://1.1.1.1:5672/'
    /// ```
    "os_transport_url" of "openstacklib" {
        "(Any *$args)" as "(Hash $parts) >> String" => os_transport_url(*args),
    }
}

fn os_transport_url(args: &[Value]) -> Result<String, Issue> {
    let [given] = args else { return fail("os_transport_url(): Wrong number of arguments") };
    let Value::Hash(parts) = given else {
        return fail(format!("os_transport_url(): Requires an hash, got {}", host_class(given)));
    };
    check(parts)?;
    let text = |key| parts.get_str(key).and_then(Value::as_str);
    let Some(transport) = text("transport") else { return fail("os_transport_url(): transport is required") };
    let hosts = match (parts.get_str("host"), parts.get_str("hosts")) {
        (None, None) => return fail("os_transport_url(): host or hosts is required"),
        (Some(_), Some(_)) => return fail("os_transport_url(): cannot use both host and hosts."),
        (Some(hosts), None) | (None, Some(hosts)) => hosts,
    };
    let login = userinfo(text("username"), text("password")).map(|login| format!("{login}@")).unwrap_or_default();
    let port = parts.get_str("port").map(|port| format!(":{}", inspect::to_s(port))).unwrap_or_default();
    let hosts = match normalize_ip_for_uri(std::slice::from_ref(hosts)) {
        Value::Array(hosts) => hosts.to_vec(),
        host => vec![host],
    };
    let hosts: Vec<String> = hosts.iter().map(|host| format!("{login}{}{port}", inspect::to_s(host))).collect();
    let path = text("virtual_host").unwrap_or_default();
    let mut query = match parts.get_str("query") {
        Some(Value::Hash(query)) => Hash::clone(query),
        _ => Hash::new(),
    };
    if let Some(ssl) = text("ssl") {
        query.insert("ssl".into(), i64::from(is_true(ssl)?).into());
    }
    let options = query.iter().map(|(key, value)| format!("{}={}", inspect::to_s(key), inspect::to_s(value)));
    let query = if query.is_empty() { String::new() } else { format!("?{}", options.collect::<Vec<_>>().join("&")) };
    Ok(format!("{transport}://{}/{path}{query}", hosts.join(",")))
}

/// A port may be anything, all else has its kind.
fn check(parts: &Hash) -> Result<(), Issue> {
    for (key, value) in parts.iter() {
        let class = match key.as_str() {
            Some("port") => continue,
            Some("hosts") => "Array",
            Some("query") => "Hash",
            _ => "String",
        };
        if host_class(value) != class {
            return fail(format!("os_transport_url(): {} should be a {class}", inspect::to_s(key)));
        }
    }
    Ok(())
}

/// What a string says of a boolean; Ruby looks at each line of it.
fn is_true(text: &str) -> Result<bool, Issue> {
    let has_line = |words: &[&str]| text.split('\n').any(|line| words.contains(&line.to_ascii_lowercase().as_str()));
    if text.split('\n').any(str::is_empty) || text.split('\n').any(|line| matches!(line, "undef" | "undefined")) {
        Ok(false)
    } else if has_line(&["1", "t", "y", "true", "yes"]) {
        Ok(true)
    } else if has_line(&["0", "f", "n", "false", "no"]) {
        Ok(false)
    } else {
        fail("os_transport_url _str2bool(): Unknown type of boolean given")
    }
}

/// Name and password as they stand in a URL, if there is a name.
pub(super) fn userinfo(username: Option<&str>, password: Option<&str>) -> Option<String> {
    let name = username.filter(|name| !name.is_empty()).map(escaped)?;
    let password = password.filter(|password| !password.is_empty()).map(|password| format!(":{}", escaped(password)));
    Some(format!("{name}{}", password.unwrap_or_default()))
}

fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(escape).collect()
}
