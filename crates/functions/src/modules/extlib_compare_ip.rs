//! `extlib::compare_ip`: the order of two addresses.

use bunraku_compiler::function;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;

function! {
    /// Returns `-1`, `0` or `1` as the first address is before, equal to or after the second.
    ///
    /// ```puppet
    /// extlib::compare_ip('10.0.0.1', '10.0.0.2') # -1
    /// ```
    "extlib::compare_ip" of "extlib" {
        "(Stdlib::IP::Address $left, Stdlib::IP::Address $right) >> Integer[-1, 1]" => compare_ip(left, right),
    }
}

fn compare_ip(left: &str, right: &str) -> Result<i64, Issue> {
    Ok(IpAddress::parse(left)?.number().cmp(&IpAddress::parse(right)?.number()) as i64)
}
