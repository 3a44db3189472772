//! `extlib::cidr_to_netmask`: the netmask of a network.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns the netmask of a network.
    ///
    /// ```puppet
    /// extlib::cidr_to_netmask('10.0.0.0/8') # '255.0.0.0'
    /// ```
    "extlib::cidr_to_netmask" of "extlib" {
        "(Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR] $ip) >> Variant[Stdlib::IP::Address::V4::Nosubnet, Stdlib::IP::Address::V6::Nosubnet]" => cidr_to_netmask(ip),
    }
}

fn cidr_to_netmask(network: &str) -> Result<String, Issue> {
    Ok(IpAddress::parse(network)?.netmask().to_string())
}
