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
        let address: IpAddr = bare.parse().map_err(|_| if is_zero_filled(bare) { ambiguous() } else { invalid() })?;
        if bracketed.is_some() && address.is_ipv4() {
            return Err(invalid());
        }
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix_length(prefix, address, bits)?,
            None => bits,
        };
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

    /// How many bits are those of the network.
    pub(crate) fn prefix(&self) -> u32 {
        self.prefix
    }

    /// The address as a number.
    pub(crate) fn number(&self) -> u128 {
        match self.address {
            IpAddr::V4(address) => address.to_bits().into(),
            IpAddr::V6(address) => address.to_bits(),
        }
    }

    /// The mask of the network. That of version 6 is written in full.
    pub(crate) fn netmask(&self) -> String {
        match masked(self.highest(), self.prefix) {
            IpAddr::V4(mask) => mask.to_string(),
            IpAddr::V6(mask) => mask.segments().map(|segment| format!("{segment:04x}")).join(":"),
        }
    }

    /// How many bits an address of its version has.
    pub(crate) fn bits(&self) -> u32 {
        if self.is_v4() { 32 } else { 128 }
    }

    /// The address of the same version that has a number, if there is one.
    pub(crate) fn at(&self, number: u128) -> Option<IpAddress> {
        (number.checked_shr(self.bits()).unwrap_or(0) == 0).then(|| self.with_number(number))
    }

    /// The network of the address that has so many bits.
    pub(crate) fn mask(&self, prefix: u32) -> IpAddress {
        IpAddress { address: masked(self.address, prefix), prefix }
    }

    /// The last address of the network.
    pub(crate) fn last(&self) -> IpAddress {
        let hosts = match self.highest() {
            IpAddr::V4(_) => u128::from(u32::MAX.checked_shr(self.prefix).unwrap_or(0)),
            IpAddr::V6(_) => u128::MAX.checked_shr(self.prefix).unwrap_or(0),
        };
        self.with_number(self.number() | hosts)
    }

    /// An address of the network by its number; negative numbers count from the end, and may lead out of the network.
    pub(crate) fn nth(&self, index: i64) -> Option<IpAddress> {
        let last = self.last().number();
        if index < 0 {
            return last.checked_sub(u128::from(index.unsigned_abs()) - 1).map(|number| self.with_number(number));
        }
        let number = self.number().checked_add(index.unsigned_abs().into()).filter(|number| *number <= last);
        number.map(|number| self.with_number(number))
    }

    /// The name of the address in the reverse zone of DNS.
    pub(crate) fn reverse(&self) -> String {
        match self.address {
            IpAddr::V4(address) => {
                let [first, second, third, fourth] = address.octets();
                format!("{fourth}.{third}.{second}.{first}.in-addr.arpa")
            }
            IpAddr::V6(address) => {
                let digits = format!("{:032x}", address.to_bits());
                digits.chars().rev().flat_map(|digit| [digit, '.']).chain("ip6.arpa".chars()).collect()
            }
        }
    }

    fn highest(&self) -> IpAddr {
        if self.is_v4() { Ipv4Addr::BROADCAST.into() } else { Ipv6Addr::from_bits(u128::MAX).into() }
    }

    fn with_number(&self, number: u128) -> IpAddress {
        let (address, prefix) = match self.address {
            IpAddr::V4(_) => (Ipv4Addr::from_bits(u32::try_from(number).unwrap_or(u32::MAX)).into(), 32),
            IpAddr::V6(_) => (Ipv6Addr::from_bits(number).into(), 128),
        };
        IpAddress { address, prefix }
    }

    /// Whether another address or network lies in this network.
    pub(crate) fn contains(&self, other: &IpAddress) -> bool {
        self.is_v6() == other.is_v6()
            && other.prefix >= self.prefix
            && masked(other.address, self.prefix) == self.address
    }
}

/// How many bits a prefix or netmask has. Compatibility: the reference names the address by its number.
fn prefix_length(text: &str, address: IpAddr, bits: u32) -> Result<u32, Issue> {
    let number = IpAddress { address, prefix: bits }.number();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(runtime_error("leading zeros in prefix"));
        }
        let prefix = text.parse().ok().filter(|prefix| *prefix <= bits);
        return prefix.ok_or_else(|| runtime_error(format!("invalid length: {number}")));
    }
    if text.contains('/') {
        return Err(runtime_error("invalid address: "));
    }
    let mask = match (IpAddress::parse(text)?.address, address) {
        (IpAddr::V4(mask), IpAddr::V4(_)) => u128::from(mask.to_bits()) << 96,
        (IpAddr::V6(mask), IpAddr::V6(_)) => mask.to_bits(),
        _ => return Err(runtime_error(format!("address family is not same: {number}"))),
    };
    let prefix = mask.leading_ones();
    if prefix < 128 && mask << prefix != 0 {
        return Err(runtime_error(format!("invalid mask {text}: {number}")));
    }
    Ok(prefix)
}

/// Whether a string is an address of version 4 but for zeros in front of a number, which some read as octal.
fn is_zero_filled(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('.').collect();
    let is_number = |number: &&str| matches!(number.len(), 1..=3) && number.bytes().all(|byte| byte.is_ascii_digit());
    numbers.len() == 4
        && numbers.iter().all(is_number)
        && numbers.iter().any(|number| number.len() > 1 && number.starts_with('0'))
}

fn ambiguous() -> Issue {
    runtime_error("zero-filled number in IPv4 address is ambiguous: ")
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
        match self.address {
            // An address of version 4 in one of version 6 is written as such.
            IpAddr::V6(address) if (0x1_0000..=u128::from(u32::MAX)).contains(&address.to_bits()) => {
                let low = u32::try_from(address.to_bits()).unwrap_or_default();
                write!(formatter, "::{}", Ipv4Addr::from_bits(low))
            }
            address => write!(formatter, "{address}"),
        }
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
