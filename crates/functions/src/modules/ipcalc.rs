//! The functions of the module ipcalc: questions about an address and its network, each by the name of what it returns.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;
use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the address without the length of its network.
    ///
    /// ```puppet
    /// ip_address('10.1.2.3/8') # '10.1.2.3'
    /// ```
    ADDRESS: "ip_address" of "ipcalc" {
        "arity -1" as "(String $address) >> String" => address(*args),
    }
}

function! {
    /// Returns the last address of a network with its length, or one that is some places before it.
    ///
    /// ```puppet
    /// ip_broadcast('10.1.2.3/8') # '10.255.255.255/8'
    /// ```
    BROADCAST: "ip_broadcast" of "ipcalc" {
        "arity -1" as "(String $address, Any $places = undef) >> String" => broadcast(*args),
    }
}

function! {
    /// Returns the next address of a network, or one that is some places after it.
    ///
    /// ```puppet
    /// ip_increment('10.1.2.3/8') # '10.1.2.4/8'
    /// ```
    INCREMENT: "ip_increment" of "ipcalc" {
        "arity -1" as "(String $address, Any $places = undef) >> String" => increment(*args),
    }
}

function! {
    /// Returns the mask of a network.
    ///
    /// ```puppet
    /// ip_netmask('10.1.2.3/8') # '255.0.0.0'
    /// ```
    NETMASK: "ip_netmask" of "ipcalc" {
        "arity -1" as "(String $address) >> String" => netmask(*args),
    }
}

function! {
    /// Returns the first address of a network with its length, or one that is some places after it.
    ///
    /// ```puppet
    /// ip_network('10.1.2.3/8') # '10.0.0.0/8'
    /// ```
    NETWORK: "ip_network" of "ipcalc" {
        "arity -1" as "(String $address, Any $places = undef) >> String" => network(*args),
    }
}

function! {
    /// Returns how many addresses a network has.
    ///
    /// ```puppet
    /// ip_network_size('10.1.2.3/24') # 256
    /// ```
    NETWORK_SIZE: "ip_network_size" of "ipcalc" {
        "arity -1" as "(String $address) >> Integer" => network_size(*args),
    }
}

function! {
    /// Returns how many places an address is after the first one of its network.
    ///
    /// ```puppet
    /// ip_offset('10.1.2.3/24') # 3
    /// ```
    OFFSET: "ip_offset" of "ipcalc" {
        "arity -1" as "(String $address) >> Integer" => offset(*args),
    }
}

function! {
    /// Returns how many bits of an address are those of its network.
    ///
    /// ```puppet
    /// ip_prefixlength('10.1.2.3/255.0.0.0') # 8
    /// ```
    PREFIXLENGTH: "ip_prefixlength" of "ipcalc" {
        "arity -1" as "(String $address) >> Integer" => prefixlength(*args),
    }
}

function! {
    /// Returns the two halves of a network.
    ///
    /// ```puppet
    /// ip_split('10.0.0.0/8') # ['10.0.0.0/9', '10.128.0.0/9']
    /// ```
    SPLIT: "ip_split" of "ipcalc" {
        "arity -1" as "(String $network) >> Array[String]" => split(*args),
    }
}

function! {
    /// Returns a part of a network: the first one of the given length, or the one at an index.
    ///
    /// ```puppet
    /// ip_subnet('10.0.0.0/8', 16, 3) # '10.3.0.0/16'
    /// ```
    SUBNET: "ip_subnet" of "ipcalc" {
        "arity -1" as "(String $network, Any $length, Any $index = undef) >> String" => subnet(*args),
    }
}

function! {
    /// Returns the network of the given length that a network is part of.
    ///
    /// ```puppet
    /// ip_supernet('10.1.2.0/24', 16) # '10.1.0.0/16'
    /// ```
    SUPERNET: "ip_supernet" of "ipcalc" {
        "arity -1" as "(String $network, Any $length = undef) >> String" => supernet(*args),
    }
}

/// An address, and the network that it is in.
struct Host {
    address: IpAddress,
    network: IpAddress,
}

impl Host {
    fn from_arguments(args: &[Value]) -> Result<Host, Issue> {
        let Some(Value::String(text)) = args.first() else { return fail("address family must be specified") };
        let network = IpAddress::parse(text)?;
        let address = IpAddress::parse(text.split('/').next().unwrap_or_default())?;
        Ok(Host { address, network })
    }

    /// How many addresses the network has; nothing if that is more than any number can tell.
    fn size(&self) -> Option<u128> {
        1_u128.checked_shl(self.network.bits() - self.network.prefix())
    }

    /// The address at a place of the network, with the length of the network.
    fn at(&self, offset: i128) -> Result<String, Issue> {
        let offset = u128::try_from(offset).ok().filter(|offset| self.size().is_none_or(|size| *offset < size));
        let number = offset.and_then(|offset| self.network.number().checked_add(offset));
        let Some(address) = number.and_then(|number| self.network.at(number)) else {
            return fail("offset out of bounds");
        };
        Ok(format!("{address}/{}", self.network.prefix()))
    }

    fn offset(&self) -> u128 {
        self.address.number() - self.network.number()
    }

    fn subnet(&self, prefix: i64, index: i64) -> Result<String, Issue> {
        let prefix = u32::try_from(prefix).unwrap_or(if prefix < 0 { 0 } else { u32::MAX });
        if prefix > self.network.bits() {
            return fail("invalid subnet prefix");
        }
        if prefix <= self.network.prefix() {
            return fail("subnet prefix too long");
        }
        let size = 1_u128.checked_shl(self.network.bits() - prefix).unwrap_or(0);
        let distance = size.checked_mul(u128::from(index.unsigned_abs()));
        let first = self.network.number();
        // Compatibility: an index below zero leads out of the network.
        let number = if index < 0 {
            distance.and_then(|distance| first.checked_sub(distance))
        } else {
            let is_inside = distance.is_some_and(|distance| self.size().is_none_or(|size| distance < size));
            if !is_inside {
                return fail("subnet index out of bounds");
            }
            distance.and_then(|distance| first.checked_add(distance))
        };
        match number.and_then(|number| self.network.at(number)) {
            Some(address) => Ok(format!("{address}/{prefix}")),
            None => fail("invalid address: "),
        }
    }
}

/// The number that an argument gives, or the default if it is not given or `false`.
fn number(args: &[Value], index: usize, default: i64) -> Result<i64, Issue> {
    match args.get(index) {
        None | Some(Value::Undef | Value::Boolean(false)) => Ok(default),
        Some(value) => legacy_arguments::to_i(value),
    }
}

fn address(args: &[Value]) -> Result<String, Issue> {
    Ok(Host::from_arguments(args)?.address.to_string())
}

fn broadcast(args: &[Value]) -> Result<String, Issue> {
    let host = Host::from_arguments(args)?;
    let last = host.network.last().number() - host.network.number();
    let offset = i128::from(number(args, 1, 0)?);
    let place = i128::try_from(last).ok().and_then(|last| last.checked_sub(offset));
    host.at(place.unwrap_or(i128::MAX))
}

fn increment(args: &[Value]) -> Result<String, Issue> {
    let host = Host::from_arguments(args)?;
    let step = i128::from(number(args, 1, 1)?);
    let place = i128::try_from(host.offset()).ok().and_then(|offset| offset.checked_add(step));
    host.at(place.unwrap_or(i128::MAX))
}

fn netmask(args: &[Value]) -> Result<String, Issue> {
    let network = Host::from_arguments(args)?.network;
    let highest = if network.is_v4() { "255.255.255.255" } else { "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" };
    Ok(IpAddress::parse(highest)?.mask(network.prefix()).to_string())
}

fn network(args: &[Value]) -> Result<String, Issue> {
    Host::from_arguments(args)?.at(i128::from(number(args, 1, 0)?))
}

fn network_size(args: &[Value]) -> Result<i64, Issue> {
    let size = Host::from_arguments(args)?.size().and_then(|size| i64::try_from(size).ok());
    size.ok_or_else(|| crate::number::out_of_range("ip_network_size"))
}

fn offset(args: &[Value]) -> Result<i64, Issue> {
    let offset = i64::try_from(Host::from_arguments(args)?.offset());
    offset.map_err(|_| crate::number::out_of_range("ip_offset"))
}

fn prefixlength(args: &[Value]) -> Result<i64, Issue> {
    Ok(Host::from_arguments(args)?.network.prefix().into())
}

fn split(args: &[Value]) -> Result<Value, Issue> {
    let host = Host::from_arguments(args)?;
    let prefix = i64::from(host.network.prefix()) + 1;
    Ok(Value::array([host.subnet(prefix, 0)?.into(), host.subnet(prefix, 1)?.into()]))
}

fn subnet(args: &[Value]) -> Result<String, Issue> {
    let host = Host::from_arguments(args)?;
    host.subnet(args.get(1).map_or(Ok(0), legacy_arguments::to_i)?, number(args, 2, 0)?)
}

fn supernet(args: &[Value]) -> Result<String, Issue> {
    let network = Host::from_arguments(args)?.network;
    let prefix = args.get(1).map_or(Ok(0), legacy_arguments::to_i)?;
    if prefix > i64::from(network.bits()) {
        return fail("invalid supernet prefix");
    }
    if prefix < 0 {
        return fail("supernet prefix too short");
    }
    match u32::try_from(prefix) {
        Ok(prefix) if prefix <= network.prefix() => Ok(format!("{}/{prefix}", network.mask(prefix))),
        _ => fail("supernet prefix too long"),
    }
}
