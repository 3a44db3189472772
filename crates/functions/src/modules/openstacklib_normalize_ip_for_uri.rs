//! `normalize_ip_for_uri`: addresses as URIs have them.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::ip_address::IpAddress;

function! {
    /// Returns addresses with those of version 6 in brackets. One address may be given alone.
    ///
    /// ```puppet
    /// normalize_ip_for_uri('::1') # '[::1]'
    /// ```
    "normalize_ip_for_uri" of "openstacklib" {
        "(Any *$args)" as "(Any $addresses = undef) >> Any" => normalize_ip_for_uri(*args),
    }
}

/// The addresses, or the one address, with brackets around those of version 6.
pub(crate) fn normalize_ip_for_uri(args: &[Value]) -> Value {
    let addresses = match args {
        [Value::Array(addresses), ..] => addresses,
        _ => args,
    };
    let normalized: Vec<Value> = addresses.iter().map(normalized).collect();
    match normalized.as_slice() {
        [address] => address.clone(),
        _ => normalized.into(),
    }
}

fn normalized(address: &Value) -> Value {
    match address.as_str() {
        Some(text) if !text.contains('[') && IpAddress::parse(text).is_ok_and(|address| address.is_v6()) => {
            format!("[{text}]").into()
        }
        _ => address.clone(),
    }
}
