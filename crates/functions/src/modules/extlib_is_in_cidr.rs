//! `extlib::is_in_cidr`: whether an address is in a network.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns whether an address is in a network.
    ///
    /// ```puppet
    /// extlib::is_in_cidr('10.0.0.1', '10.0.0.0/8') # true
    /// ```
    "extlib::is_in_cidr" of "extlib" {
        "(Stdlib::IP::Address::Nosubnet $ip, Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR] $cidr) >> Boolean" => is_in_cidr(ip, cidr),
    }
}

fn is_in_cidr(address: &str, network: &str) -> Result<bool, Issue> {
    Ok(IpAddress::parse(network)?.contains(&IpAddress::parse(address)?))
}
