//! `extlib::netmask_to_cidr`: the length of a netmask.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns how many bits a netmask has.
    ///
    /// ```puppet
    /// extlib::netmask_to_cidr('255.0.0.0') # 8
    /// ```
    "extlib::netmask_to_cidr" of "extlib" {
        "(Stdlib::IP::Address::Nosubnet $netmask) >> Integer[0, 128]" => netmask_to_cidr(netmask),
    }
}

fn netmask_to_cidr(netmask: &str) -> Result<i64, Issue> {
    let any = if IpAddress::parse(netmask)?.is_v6() { "::" } else { "0.0.0.0" };
    Ok(i64::from(IpAddress::parse(&format!("{any}/{netmask}"))?.prefix()))
}
