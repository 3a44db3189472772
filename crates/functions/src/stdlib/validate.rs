//! The functions `validate_array`, `validate_re` and so on, which fail if a value is wrong. Data types have taken their
//! place, which they say when they are called.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::settings::Strict;
use bunraku_pcore::Value;

use crate::builtin::flatten::flatten;
use crate::path;
use crate::stdlib::deprecation::deprecate;
use crate::stdlib::is::warn_of_no_path;
use crate::validation;

function! {
    /// Fails unless the arguments are absolute paths.
    ///
    /// ```puppet
    /// validate_absolute_path('/usr')
    /// ```
    ABSOLUTE_PATH: "validate_absolute_path" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => absolute_path(call, *args),
    }
}

function! {
    /// Fails unless the arguments are arrays.
    ///
    /// ```puppet
    /// validate_array([1])
    /// ```
    ARRAY: "validate_array" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => array(call, *args),
    }
}

function! {
    /// Fails unless the arguments are booleans.
    ///
    /// ```puppet
    /// validate_bool(true)
    /// ```
    BOOL: "validate_bool" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => bool(call, *args),
    }
}

function! {
    /// Fails unless the arguments are hashes.
    ///
    /// ```puppet
    /// validate_hash({})
    /// ```
    HASH: "validate_hash" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => hash(call, *args),
    }
}

function! {
    /// Fails unless the arguments are integers, not above the second and not below the third argument.
    ///
    /// ```puppet
    /// validate_integer(5, 10, 1)
    /// ```
    INTEGER: "validate_integer" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any $max = undef, Any $min = undef, Any *$rest) >> Any" => integer(call, *args),
    }
}

function! {
    /// Fails unless the arguments are IP addresses.
    ///
    /// ```puppet
    /// validate_ip_address('::1')
    /// ```
    IP_ADDRESS: "validate_ip_address" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => ip_address(call, *args),
    }
}

function! {
    /// Fails unless the arguments are IPv4 addresses.
    ///
    /// ```puppet
    /// validate_ipv4_address('127.0.0.1')
    /// ```
    IPV4_ADDRESS: "validate_ipv4_address" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => ipv4_address(call, *args),
    }
}

function! {
    /// Fails unless the arguments are IPv6 addresses.
    ///
    /// ```puppet
    /// validate_ipv6_address('::1')
    /// ```
    IPV6_ADDRESS: "validate_ipv6_address" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => ipv6_address(call, *args),
    }
}

function! {
    /// Fails unless the arguments are numbers, not above the second and not below the third argument.
    ///
    /// ```puppet
    /// validate_numeric(1.5, 10, 1)
    /// ```
    NUMERIC: "validate_numeric" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any $max = undef, Any $min = undef, Any *$rest) >> Any" => numeric(call, *args),
    }
}

function! {
    /// Fails unless the arguments are strings that match one of the patterns.
    ///
    /// ```puppet
    /// validate_re('one', '^one$')
    /// ```
    RE: "validate_re" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any $patterns, Any $message = undef) >> Any" => re(call, *args),
    }
}

function! {
    /// Fails unless the arguments are strings of a length up to the second and from the third argument on.
    ///
    /// ```puppet
    /// validate_slength('abc', 17, 3)
    /// ```
    SLENGTH: "validate_slength" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any $max, Any $min = undef) >> Any" => slength(call, *args),
    }
}

function! {
    /// Fails unless the arguments are strings.
    ///
    /// ```puppet
    /// validate_string('a')
    /// ```
    STRING: "validate_string" of "stdlib" {
        "(Any *$args)" as "(Any +$values) >> Any" => string(call, *args),
    }
}

fn absolute_path(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    let outcome =
        validate(call, "validate_absolute_path", "Stdlib::Compat::Absolute_Path", args, validation::absolute_path);
    let paths = flatten(args);
    let wrong = paths.iter().position(|path| !path.as_str().is_some_and(path::is_absolute));
    if call.frame.compilation.settings.strict != Strict::Error {
        warn_of_no_path(call, wrong.and_then(|at| paths.get(at..=at)).unwrap_or_default());
    }
    outcome
}

fn array(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_array", "Stdlib::Compat::Array", args, validation::array)
}

fn bool(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_bool", "Stdlib::Compat::Bool", args, validation::bool)
}

fn hash(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_hash", "Stdlib::Compat::Hash", args, validation::hash)
}

fn integer(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_integer", "Stdlib::Compat::Integer", args, validation::integer)
}

fn ip_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_ip_address", "Stdlib::Compat::Ip_Address", args, validation::ip_address)
}

fn ipv4_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_ipv4_address", "Stdlib::Compat::Ipv4_Address", args, validation::ipv4_address)
}

fn ipv6_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_ipv6_address", "Stdlib::Compat::Ipv6_address", args, validation::ipv6_address)
}

fn numeric(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_numeric", "Stdlib::Compat::Numeric", args, validation::numeric)
}

fn re(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_re", "Pattern[]", args, validation::re)
}

fn slength(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_slength", "String[]", args, validation::slength)
}

fn string(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    validate(call, "validate_string", "Stdlib::Compat::String", args, validation::string)
}

/// Says that the function is out of date before it does its work.
fn validate(call: &mut Call<'_, '_>, name: &str, with: &str, args: &[Value], check: validation::Check) -> Outcome<()> {
    let message = format!(
        "This method is deprecated, please use the stdlib validate_legacy function,\n                    with {with}. There \
         is further documentation for validate_legacy function in the README."
    );
    deprecate(call, name, &message)?;
    Ok(check(args)?)
}
