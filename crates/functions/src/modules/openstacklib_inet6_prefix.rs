//! `inet6_prefix`: addresses as memcached has them.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::ip_address::IpAddress;

function! {
    /// Returns addresses with `inet6:` before those of version 6, which stand in brackets. One address may be given alone.
    ///
    /// ```puppet
    /// inet6_prefix('::1') # 'inet6:[::1]'
    /// ```
    "inet6_prefix" of "openstacklib" {
        "(Any *$args)" as "(Any $addresses = undef) >> Any" => inet6_prefix(*args),
    }
}

fn inet6_prefix(args: &[Value]) -> Value {
    let addresses = match args {
        [Value::Array(addresses), ..] => addresses,
        _ => args,
    };
    let prefixed: Vec<Value> = addresses.iter().map(prefixed).collect();
    match prefixed.as_slice() {
        [address] => address.clone(),
        _ => prefixed.into(),
    }
}

fn prefixed(address: &Value) -> Value {
    let changed = address.as_str().and_then(|text| {
        let is_prefixed = |line: &str| line.strip_prefix("inet6:").is_some_and(|rest| !rest.is_empty());
        if text.split('\n').any(is_prefixed) {
            return None;
        }
        let is_mark = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '\u{b}' | '[' | ']');
        let mut parts = text.split(is_mark).filter(|part| !part.is_empty());
        let first = parts.next().filter(|first| IpAddress::parse(first).is_ok_and(|address| address.is_v6()))?;
        Some(Value::from(format!("inet6:[{first}]{}", parts.collect::<String>())))
    });
    changed.unwrap_or_else(|| address.clone())
}
