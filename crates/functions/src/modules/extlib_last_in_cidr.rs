//! `extlib::last_in_cidr`: the last address of a network.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns the last address of a network.
    ///
    /// ```puppet
    /// extlib::last_in_cidr('10.1.2.3/8') # '10.255.255.255'
    /// ```
    "extlib::last_in_cidr" of "extlib" {
        "(Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR] $ip) >> Variant[Stdlib::IP::Address::V4::Nosubnet, Stdlib::IP::Address::V6::Nosubnet]" => last_in_cidr(ip),
    }
}

fn last_in_cidr(network: &str) -> Result<String, Issue> {
    Ok(IpAddress::parse(network)?.last().to_string())
}
