//! `extlib::ip_to_reverse`: the name of an address in the reverse zone.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns the name under which DNS has the name of an address.
    ///
    /// ```puppet
    /// extlib::ip_to_reverse('10.0.0.1') # '1.0.0.10.in-addr.arpa'
    /// ```
    "extlib::ip_to_reverse" of "extlib" {
        "(Stdlib::IP::Address $ip) >> String" => ip_to_reverse(ip),
    }
}

fn ip_to_reverse(address: &str) -> Result<String, Issue> {
    Ok(IpAddress::parse(address)?.reverse())
}
