//! The checks of the older `validate_` functions of stdlib, in the words they complain with.

use bunraku_pcore::label::host_class;
use bunraku_pcore::{Regexp, Value, inspect};
use bunraku_syntax::Issue;

use crate::builtin::flatten::flatten;
use crate::number::{fail, float_from_text};
use crate::{legacy_arguments, predicate};

/// A check of the arguments of a function.
pub(crate) type Check = fn(&[Value]) -> Result<(), Issue>;

/// The check with the name of a function, without `validate_`.
pub(crate) fn by_name(name: &str) -> Option<Check> {
    Some(match name {
        "absolute_path" => absolute_path,
        "array" => array,
        "bool" => bool,
        "domain_name" => domain_name,
        "email_address" => email_address,
        "hash" => hash,
        "integer" => integer,
        "ip_address" => ip_address,
        "ipv4_address" => ipv4_address,
        "ipv6_address" => ipv6_address,
        "numeric" => numeric,
        "re" => re,
        "slength" => slength,
        "string" => string,
        _ => return None,
    })
}

fn at_least_one(name: &str, args: &[Value]) -> Result<(), Issue> {
    if args.is_empty() {
        return fail(format!("validate_{name}(): wrong number of arguments (0; must be > 0)"));
    }
    Ok(())
}

fn looks_like(value: &Value, wanted: &str) -> Result<(), Issue> {
    let (shown, class) = (inspect::inspect(value), host_class(value));
    fail(format!("{shown} is not {wanted}.  It looks to be a {class}"))
}

pub(crate) fn absolute_path(args: &[Value]) -> Result<(), Issue> {
    at_least_one("absolute_path", args)?;
    for path in args.iter().flat_map(|arg| match arg {
        Value::Array(paths) => paths.to_vec(),
        other => vec![other.clone()],
    }) {
        if !predicate::is_absolute_path(std::slice::from_ref(&path))? {
            return fail(format!("{} is not an absolute path.", inspect::inspect(&path)));
        }
    }
    Ok(())
}

pub(crate) fn array(args: &[Value]) -> Result<(), Issue> {
    at_least_one("array", args)?;
    args.iter().find(|arg| !matches!(arg, Value::Array(_))).map_or(Ok(()), |arg| looks_like(arg, "an Array"))
}

pub(crate) fn bool(args: &[Value]) -> Result<(), Issue> {
    at_least_one("bool", args)?;
    args.iter().find(|arg| !matches!(arg, Value::Boolean(_))).map_or(Ok(()), |arg| looks_like(arg, "a boolean"))
}

pub(crate) fn hash(args: &[Value]) -> Result<(), Issue> {
    at_least_one("hash", args)?;
    args.iter().find(|arg| !matches!(arg, Value::Hash(_))).map_or(Ok(()), |arg| looks_like(arg, "a Hash"))
}

pub(crate) fn string(args: &[Value]) -> Result<(), Issue> {
    at_least_one("string", args)?;
    let wrong = args.iter().find(|arg| !matches!(arg, Value::String(_) | Value::Undef));
    wrong.map_or(Ok(()), |arg| looks_like(arg, "a string"))
}

fn texts(name: &str, wanted: &str, args: &[Value], is_right: fn(&[Value]) -> Result<bool, Issue>) -> Result<(), Issue> {
    at_least_one(name, args)?;
    for arg in args {
        let shown = inspect::inspect(arg);
        if arg.as_str().is_none() {
            return fail(format!("{shown} is not a string."));
        }
        if !is_right(std::slice::from_ref(arg))? {
            return fail(format!("{shown} is not a {wanted}"));
        }
    }
    Ok(())
}

pub(crate) fn ip_address(args: &[Value]) -> Result<(), Issue> {
    texts("ip_address", "valid IP address.", args, predicate::is_ip_address)
}

pub(crate) fn ipv4_address(args: &[Value]) -> Result<(), Issue> {
    texts("ipv4_address", "valid IPv4 address.", args, predicate::is_ipv4_address)
}

pub(crate) fn ipv6_address(args: &[Value]) -> Result<(), Issue> {
    texts("ipv6_address", "valid IPv6 address.", args, predicate::is_ipv6_address)
}

pub(crate) fn domain_name(args: &[Value]) -> Result<(), Issue> {
    texts("domain_name", "syntactically correct domain name", args, predicate::is_domain_name)
}

pub(crate) fn email_address(args: &[Value]) -> Result<(), Issue> {
    texts("email_address", "valid email address", args, predicate::is_email_address)
}

pub(crate) fn re(args: &[Value]) -> Result<(), Issue> {
    let (value, patterns) = match args {
        [value, patterns] | [value, patterns, _] => (value, patterns),
        _ => return fail(format!("validate_re(): wrong number of arguments ({}; must be 2 or 3)", args.len())),
    };
    let Value::String(text) = value else {
        return fail(format!("validate_re(): input needs to be a String, not a {}", host_class(value)));
    };
    for pattern in flatten(std::slice::from_ref(patterns)) {
        let is_match = match &pattern {
            Value::Regexp(regexp) => regexp.is_match(text)?,
            other => Regexp::new(legacy_arguments::text(Some(other))?)?.is_match(text)?,
        };
        if is_match {
            return Ok(());
        }
    }
    match args.get(2).filter(|message| message.is_truthy()) {
        Some(message) => fail(&*inspect::to_s(message)),
        None => {
            let (value, patterns) = (inspect::inspect(value), inspect::inspect(patterns));
            fail(format!("validate_re(): {value} does not match {patterns}"))
        }
    }
}

pub(crate) fn slength(args: &[Value]) -> Result<(), Issue> {
    let (input, longest, shortest) = match args {
        [input, longest] => (input, longest, None),
        [input, longest, shortest] => (input, longest, Some(shortest).filter(|shortest| shortest.is_truthy())),
        _ => return fail(format!("validate_slength(): Wrong number of arguments ({}; must be 2 or 3)", args.len())),
    };
    let limit = |value: &Value, least: i64, which: &str| match legacy_arguments::strict_integer(value)
        .filter(|number| *number >= least)
    {
        Some(number) => Ok(number),
        None => {
            let (shown, class) = (inspect::to_s(value), host_class(value));
            fail(format!("validate_slength(): Expected {which} positive Numeric, got {shown}:{class}"))
        }
    };
    let longest = limit(longest, 1, "second argument to be a")?;
    let shortest = shortest.map_or(Ok(0), |shortest| limit(shortest, 0, "third argument to be unset or a"))?;
    if longest < shortest {
        return fail("validate_slength(): Expected second argument to be equal to or larger than third argument");
    }
    let check = |text: &str, length: usize| {
        let count = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if (shortest..=longest).contains(&count) {
            return Ok(());
        }
        let shown = inspect::inspect(input);
        fail(format!(
            "validate_slength(): Expected length of {shown} to be between {shortest} and {longest}, was {length}"
        ))
    };
    match input {
        Value::String(text) => check(text, text.chars().count()),
        Value::Array(elements) => elements.iter().enumerate().try_for_each(|(position, element)| match element {
            Value::String(text) => check(text, elements.len()),
            other => {
                let class = host_class(other);
                fail(format!(
                    "validate_slength(): Expected element at array position {position} to be a String, got {class}"
                ))
            }
        }),
        other => {
            let class = host_class(other);
            fail(format!("validate_slength(): Expected first argument to be a String or Array, got {class}"))
        }
    }
}

pub(crate) fn integer(args: &[Value]) -> Result<(), Issue> {
    let read = |text: &str| legacy_arguments::integer_from_text(text).map(|number| number as f64);
    in_limits("validate_integer", "validate_integer", "an Integer", args, read, |number| (number as i64).to_string())
}

pub(crate) fn numeric(args: &[Value]) -> Result<(), Issue> {
    // Compatibility: the complaint about a hash names the other function.
    let show = |number| Value::Float(number).to_string();
    in_limits("validate_numeric", "validate_integer", "a Numeric", args, float_from_text, show)
}

/// Checks numbers against limits; `read` makes a number of a string and `show` a string of a number.
fn in_limits(
    name: &str,
    name_for_hash: &str,
    kind: &str,
    args: &[Value],
    read: impl Fn(&str) -> Option<f64>,
    show: impl Fn(f64) -> String,
) -> Result<(), Issue> {
    let Some(input) = args.first().filter(|_| args.len() < 4) else {
        return fail(format!("{name}(): Wrong number of arguments; must be 1, 2 or 3, got {}", args.len()));
    };
    let limit = |value: Option<&Value>, which: &str, may_be_empty: bool| {
        let Some(value) = value else { return Ok(None) };
        let text = inspect::to_s(value);
        match read(&text) {
            Some(number) => Ok(Some(number)),
            None if may_be_empty && text.is_empty() => Ok(None),
            None => {
                let class = if may_be_empty || which == "second" { "String".into() } else { host_class(value) };
                fail(format!("{name}(): Expected {which} argument to be unset or {kind}, got {text}:{class}"))
            }
        }
    };
    let maximum = limit(args.get(1), "second", args.len() > 2)?;
    let minimum = limit(args.get(2), "third", false)?;
    if let (Some(minimum), Some(maximum)) = (minimum, maximum)
        && minimum > maximum
    {
        let (minimum, maximum) = (show(minimum), show(maximum));
        return fail(format!(
            "{name}(): Expected second argument to be larger than third argument, got {maximum} < {minimum}"
        ));
    }
    let check = |number: f64, shown: &str| {
        if let Some(maximum) = maximum.filter(|maximum| number > *maximum) {
            let maximum = show(maximum);
            return fail(format!("{name}(): Expected {shown} to be smaller or equal to {maximum}, got {shown}."));
        }
        if let Some(minimum) = minimum.filter(|minimum| number < *minimum) {
            let minimum = show(minimum);
            return fail(format!("{name}(): Expected {shown} to be greater or equal to {minimum}, got {shown}."));
        }
        Ok(())
    };
    match input {
        Value::Array(elements) => elements.iter().enumerate().try_for_each(|(position, element)| {
            match Some(element)
                .filter(|element| !matches!(element, Value::Hash(_)))
                .and_then(|element| read(&inspect::to_s(element)))
            {
                Some(number) => check(number, &inspect::inspect(input)),
                None => {
                    let class = host_class(element);
                    fail(format!("{name}(): Expected element at array position {position} to be {kind}, got {class}"))
                }
            }
        }),
        Value::Hash(_) => fail(format!("{name_for_hash}(): Expected first argument to be {kind} or Array, got Hash")),
        other => match read(&inspect::to_s(other)) {
            Some(number) => check(number, &show(number)),
            None => {
                let class = host_class(other);
                fail(format!("{name}(): Expected first argument to be {kind} or Array, got {class}"))
            }
        },
    }
}
