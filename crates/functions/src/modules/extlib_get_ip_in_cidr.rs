//! `extlib::get_ip_in_cidr`: an address of a network by its number.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;
use crate::number::fail;

function! {
    /// Returns an address of a network: `first`, `second`, `last`, or by its number; negative numbers count from the end.
    ///
    /// ```puppet
    /// extlib::get_ip_in_cidr('10.0.0.0/8', 'last') # '10.255.255.255'
    /// ```
    "extlib::get_ip_in_cidr" of "extlib" {
        "(Variant[Stdlib::IP::Address::V4::CIDR, Stdlib::IP::Address::V6::CIDR] $cidr, Variant[Enum[\"first\", \"second\", \"last\"], Integer] $index = undef) >> String" => get_ip_in_cidr(cidr, index),
    }
}

fn get_ip_in_cidr(network: &str, index: Option<&Value>) -> Result<String, Issue> {
    let index = match index {
        Some(Value::Integer(index)) => *index,
        Some(Value::String(name)) if name == "second" => 2,
        Some(Value::String(name)) if name == "last" => -1,
        _ => 1,
    };
    match IpAddress::parse(network)?.nth(index) {
        Some(address) => Ok(address.to_string()),
        None if index < 0 => fail("invalid address: "),
        None => fail("Index is outside of the CIDR"),
    }
}
