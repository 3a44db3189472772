//! `extlib::cidr_to_network`: the address of a network.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns the first address of a network.
    ///
    /// ```puppet
    /// extlib::cidr_to_network('10.1.2.3/8') # '10.0.0.0'
    /// ```
    "extlib::cidr_to_network" of "extlib" {
        "(Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR] $ip) >> Variant[Stdlib::IP::Address::V4::Nosubnet, Stdlib::IP::Address::V6::Nosubnet]" => cidr_to_network(ip),
    }
}

fn cidr_to_network(network: &str) -> Result<String, Issue> {
    Ok(IpAddress::parse(network)?.to_string())
}
