//! `stdlib::ip_in_range`: whether an address is in a network.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;
use crate::legacy_arguments;

function! {
    /// Returns whether an address is in a network, or in one of several.
    ///
    /// ```puppet
    /// stdlib::ip_in_range('10.10.10.53', '10.10.10.0/24') # true
    /// ```
    "stdlib::ip_in_range" of "stdlib" {
        "(String $ipaddress, Variant[String, Array] $range) >> Boolean" => ip_in_range(ipaddress, range),
    }
}

fn ip_in_range(address: &str, ranges: &Value) -> Result<bool, Issue> {
    let address = IpAddress::parse(address)?;
    let mut networks = Vec::new();
    for range in legacy_arguments::list(ranges) {
        networks.push(IpAddress::parse(legacy_arguments::text(Some(&range))?)?);
    }
    Ok(networks.iter().any(|network| network.contains(&address)))
}
