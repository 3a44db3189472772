//! What the older functions of stdlib take for an integer, an address, a domain name and so on.

use bunraku_pcore::label::in_conversion;
use bunraku_pcore::{Regexp, Value};
use bunraku_syntax::Issue;

use crate::ip_address::IpAddress;
use crate::number::{fail, leading_float, leading_integer};
use crate::path;

/// The only argument.
fn only<'a>(name: &str, args: &'a [Value]) -> Result<&'a Value, Issue> {
    match args {
        [value] => Ok(value),
        _ => fail(format!("{name}(): Wrong number of arguments given {} for 1", args.len())),
    }
}

fn first<'a>(name: &str, args: &'a [Value]) -> Result<&'a Value, Issue> {
    match args.first() {
        Some(value) => Ok(value),
        None => fail(format!("{name}(): Wrong number of arguments given (0 for 1)")),
    }
}

fn matches(value: &Value, pattern: &str) -> Result<bool, Issue> {
    value.as_str().map_or(Ok(false), |text| Regexp::new(pattern)?.is_match(text))
}

pub(crate) fn is_absolute_path(args: &[Value]) -> Result<bool, Issue> {
    match args {
        [value] => Ok(value.as_str().is_some_and(path::is_absolute)),
        _ => fail(format!("is_absolute_path(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}

pub(crate) fn is_array(args: &[Value]) -> Result<bool, Issue> {
    Ok(matches!(first("is_array", args)?, Value::Array(_)))
}

pub(crate) fn is_bool(args: &[Value]) -> Result<bool, Issue> {
    match args {
        [value] => Ok(matches!(value, Value::Boolean(_))),
        _ => fail(format!("is_bool(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}

pub(crate) fn is_float(args: &[Value]) -> Result<bool, Issue> {
    Ok(match only("is_float", args)? {
        Value::Float(_) => true,
        Value::String(text) => Value::Float(leading_float(text)).to_string() == text.as_str(),
        _ => false,
    })
}

pub(crate) fn is_integer(args: &[Value]) -> Result<bool, Issue> {
    match only("is_integer", args)? {
        Value::Integer(_) => Ok(true),
        value => matches(value, r"^-?(?:(?:[1-9]\d*)|0)$"),
    }
}

pub(crate) fn is_numeric(args: &[Value]) -> Result<bool, Issue> {
    match only("is_numeric", args)? {
        Value::Integer(_) | Value::Float(_) => Ok(true),
        value => matches(value, r"^-?(?:(?:[1-9]\d*)|0)(?:\.\d+)?(?:[eE]-?\d+)?$"),
    }
}

pub(crate) fn is_string(args: &[Value]) -> Result<bool, Issue> {
    Ok(match first("is_string", args)? {
        Value::Undef => true,
        Value::String(text) => {
            let (float, integer) = (Value::Float(leading_float(text)).to_string(), leading_integer(text).to_string());
            text.as_str() != float && text.as_str() != integer
        }
        _ => false,
    })
}

fn address(name: &str, args: &[Value]) -> Result<Option<IpAddress>, Issue> {
    Ok(only(name, args)?.as_str().and_then(|text| IpAddress::parse(text).ok()))
}

pub(crate) fn is_ip_address(args: &[Value]) -> Result<bool, Issue> {
    Ok(address("is_ip_address", args)?.is_some())
}

pub(crate) fn is_ipv4_address(args: &[Value]) -> Result<bool, Issue> {
    Ok(address("is_ipv4_address", args)?.is_some_and(|address| address.is_v4()))
}

pub(crate) fn is_ipv6_address(args: &[Value]) -> Result<bool, Issue> {
    Ok(address("is_ipv6_address", args)?.is_some_and(|address| address.is_v6()))
}

pub(crate) fn is_mac_address(args: &[Value]) -> Result<bool, Issue> {
    let value = only("is_mac_address", args)?;
    if value.as_str().is_none() && !matches!(value, Value::Undef | Value::Default) {
        return fail(format!("no implicit conversion of {} into String", in_conversion(value)));
    }
    matches(value, r"(?i)^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){5}$|^[a-f0-9]{1,2}(:[a-f0-9]{1,2}){19}$")
}

pub(crate) fn is_email_address(args: &[Value]) -> Result<bool, Issue> {
    matches(only("is_email_address", args)?, r"\A([\w+\-].?)+@[a-z\d\-]+(\.[a-z]+)*\.[a-z]+\z")
}

pub(crate) fn is_domain_name(args: &[Value]) -> Result<bool, Issue> {
    let Value::String(domain) = only("is_domain_name", args)? else { return Ok(false) };
    if domain == "." {
        return Ok(true);
    }
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    if domain.is_empty() || domain.chars().count() > 255 {
        return Ok(false);
    }
    let labels: Vec<&str> = domain.trim_end_matches('.').split('.').collect();
    let is_label = |label: &&str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let has_alphabetic_end = labels.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_alphabetic()));
    Ok(labels.iter().all(is_label) && (!domain.contains('.') || (has_alphabetic_end && !domain.ends_with('.'))))
}
