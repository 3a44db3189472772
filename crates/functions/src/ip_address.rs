//! Addresses and networks as Ruby's `IPAddr` reads and writes them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bunraku_pcore::issues::{Issue, runtime_error};

/// An address, or a network if it has a prefix; host bits of a network are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IpAddress {
    address: IpAddr,
    prefix: u32,
}

impl IpAddress {
    /// Reads `address`, `[address]`, `address/prefix` or `address/netmask`.
    pub(crate) fn parse(text: &str) -> Result<IpAddress, Issue> {
        // Compatibility: the reference means to name the address and does not.
        let invalid = || runtime_error("invalid address: ");
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let bracketed = address.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        // A zone belongs to the machine, not to the address.
        let bare = bracketed.unwrap_or(address).split('%').next().unwrap_or_default();
        let address: IpAddr = bare.parse().map_err(|_| invalid())?;
        if bracketed.is_some() && address.is_ipv4() {
            return Err(invalid());
        }
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix
            .map_or(Some(bits), |prefix| prefix_length(prefix, address, bits))
            .ok_or_else(|| runtime_error(format!("invalid length: {text}")))?;
        Ok(IpAddress { address: masked(address, prefix), prefix })
    }

    /// Whether it is of version 6.
    pub(crate) fn is_v6(&self) -> bool {
        self.address.is_ipv6()
    }

    /// Whether it is of version 4.
    pub(crate) fn is_v4(&self) -> bool {
        self.address.is_ipv4()
    }

    /// Whether another address or network lies in this network.
    pub(crate) fn contains(&self, other: &IpAddress) -> bool {
        self.is_v6() == other.is_v6()
            && other.prefix >= self.prefix
            && masked(other.address, self.prefix) == self.address
    }
}

fn prefix_length(text: &str, address: IpAddr, bits: u32) -> Option<u32> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().filter(|prefix| *prefix <= bits);
    }
    let mask = match (text.parse().ok()?, address) {
        (IpAddr::V4(mask), IpAddr::V4(_)) => u128::from(mask.to_bits()) << 96,
        (IpAddr::V6(mask), IpAddr::V6(_)) => mask.to_bits(),
        _ => return None,
    };
    let prefix = mask.leading_ones();
    (prefix == 128 || mask << prefix == 0).then_some(prefix)
}

fn masked(address: IpAddr, prefix: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - prefix.min(32)).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - prefix.min(128)).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

impl fmt::Display for IpAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(IpAddress::parse(text).ok().map(|address| address.to_string()).as_deref(), expected, "{text}");
        };
        check("10.1.2.3", Some("10.1.2.3"));
        check("10.1.2.3/8", Some("10.0.0.0"));
        check("10.1.2.3/255.255.0.0", Some("10.1.0.0"));
        check("[fe80::1%eth0]", Some("fe80::1"));
        check("2001:db8::1/32", Some("2001:db8::"));
        check("10.1.2", None);
        check("10.1.2.3/33", None);
        check("01.1.1.1", None);
    }

    #[test]
    fn networks_contain_addresses() {
        let check = |network: &str, address: &str, expected: bool| {
            let parsed = IpAddress::parse(network).ok().zip(IpAddress::parse(address).ok());
            assert_eq!(parsed.map(|(network, address)| network.contains(&address)), Some(expected));
        };
        check("192.168.0.0/16", "192.168.1.5", true);
        check("192.168.0.0/16", "192.169.1.5", false);
        check("::/0", "1.2.3.4", false);
    }
}
