//! The questions `is_array`, `is_string` and so on. Match expressions with data types have taken their place, which most
//! of them say when they are called.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::predicate;
use crate::stdlib::deprecation::deprecate;

function! {
    /// Returns whether a value is an absolute path, of Unix or Windows.
    ///
    /// ```puppet
    /// is_absolute_path('/usr') # true
    /// ```
    IS_ABSOLUTE_PATH: "is_absolute_path" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_absolute_path(call, *args),
    }
}

function! {
    /// Returns whether a value is an array.
    ///
    /// ```puppet
    /// is_array([1]) # true
    /// ```
    IS_ARRAY: "is_array" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_array(call, *args),
    }
}

function! {
    /// Returns whether a value is a boolean.
    ///
    /// ```puppet
    /// is_bool(true) # true
    /// ```
    IS_BOOL: "is_bool" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_bool(call, *args),
    }
}

function! {
    /// Returns whether a value is a float, or a string that is one.
    ///
    /// ```puppet
    /// is_float('1.5') # true
    /// ```
    IS_FLOAT: "is_float" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_float(call, *args),
    }
}

function! {
    /// Returns whether a value is an IP address.
    ///
    /// ```puppet
    /// is_ip_address('::1') # true
    /// ```
    IS_IP_ADDRESS: "is_ip_address" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_ip_address(call, *args),
    }
}

function! {
    /// Returns whether a value is an IPv4 address.
    ///
    /// ```puppet
    /// is_ipv4_address('127.0.0.1') # true
    /// ```
    IS_IPV4_ADDRESS: "is_ipv4_address" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_ipv4_address(call, *args),
    }
}

function! {
    /// Returns whether a value is an IPv6 address.
    ///
    /// ```puppet
    /// is_ipv6_address('::1') # true
    /// ```
    IS_IPV6_ADDRESS: "is_ipv6_address" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_ipv6_address(call, *args),
    }
}

function! {
    /// Returns whether a value is a number, or a string that is one.
    ///
    /// ```puppet
    /// is_numeric('1.5') # true
    /// ```
    IS_NUMERIC: "is_numeric" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_numeric(call, *args),
    }
}

function! {
    /// Returns whether a value is a string that is not a number.
    ///
    /// ```puppet
    /// is_string('a') # true
    /// ```
    IS_STRING: "is_string" of "stdlib" {
        "(Any *$args)" as "(Any $value, Any *$rest) >> Boolean" => is_string(call, *args),
    }
}

function! {
    /// Returns whether a value is a domain name.
    ///
    /// ```puppet
    /// is_domain_name('example.com') # true
    /// ```
    IS_DOMAIN_NAME: "is_domain_name" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_domain_name(*args),
    }
}

function! {
    /// Returns whether a value is an email address.
    ///
    /// ```puppet
    /// is_email_address('a@example.com') # true
    /// ```
    IS_EMAIL_ADDRESS: "is_email_address" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_email_address(*args),
    }
}

function! {
    /// Returns whether a value is the name of a function.
    ///
    /// ```puppet
    /// is_function_available('fail') # true
    /// ```
    IS_FUNCTION_AVAILABLE: "is_function_available" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_function_available(call, *args),
    }
}

function! {
    /// Returns whether a value is a hash.
    ///
    /// ```puppet
    /// is_hash({}) # true
    /// ```
    IS_HASH: "is_hash" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_hash(*args),
    }
}

function! {
    /// Returns whether a value is an integer, or a string that is one.
    ///
    /// ```puppet
    /// is_integer('1') # true
    /// ```
    IS_INTEGER: "is_integer" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_integer(*args),
    }
}

function! {
    /// Returns whether a value is the hardware address of a network card.
    ///
    /// ```puppet
    /// is_mac_address('00:a0:1f:12:7f:a0') # true
    /// ```
    IS_MAC_ADDRESS: "is_mac_address" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => is_mac_address(*args),
    }
}

fn is_absolute_path(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    let answer = ask(call, "is_absolute_path", "Stdlib::Compat::Absolute_Path", args, predicate::is_absolute_path);
    if answer.is_ok() {
        warn_of_no_path(call, args);
    }
    answer
}

/// Says that something is no path because it is no string.
pub(crate) fn warn_of_no_path(call: &mut Call<'_, '_>, values: &[Value]) {
    if let [value] = values
        && value.as_str().is_none()
    {
        let (shown, class) = (inspect::to_s(value), host_class(value));
        let message =
            format!("Cannot check if {shown} is an absolute path because it is a '{class}' and not a String'");
        // Compatibility: it is said once for Unix and once for Windows.
        call.frame.compilation.log(Level::Warning, &message);
        call.frame.compilation.log(Level::Warning, &message);
    }
}

fn is_array(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_array", "Stdlib::Compat::Array", args, predicate::is_array)
}

fn is_bool(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_bool", "Stdlib::Compat::Bool", args, predicate::is_bool)
}

fn is_float(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_float", "Stdlib::Compat::Float", args, predicate::is_float)
}

fn is_ip_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_ip_address", "Stdlib::Compat::Ip_address", args, predicate::is_ip_address)
}

fn is_ipv4_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_ipv4_address", "Stdlib::Compat::Ipv4", args, predicate::is_ipv4_address)
}

fn is_ipv6_address(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_ipv4_address", "Stdlib::Compat::Ipv6", args, predicate::is_ipv6_address)
}

fn is_numeric(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_numeric", "Stdlib::Compat::Numeric", args, predicate::is_numeric)
}

fn is_string(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<bool> {
    ask(call, "is_string", "Stdlib::Compat::String", args, predicate::is_string)
}

/// Says that the question is out of date before it is answered.
fn ask(
    call: &mut Call<'_, '_>,
    key: &str,
    alias: &str,
    args: &[Value],
    predicate: fn(&[Value]) -> Result<bool, Issue>,
) -> Outcome<bool> {
    let message = format!(
        "This method is deprecated, please use match expressions with {alias} instead. They are described at \
         https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions."
    );
    deprecate(call, key, &message)?;
    Ok(predicate(args)?)
}

fn is_domain_name(args: &[Value]) -> Result<bool, Issue> {
    predicate::is_domain_name(args)
}

fn is_email_address(args: &[Value]) -> Result<bool, Issue> {
    predicate::is_email_address(args)
}

fn is_function_available(call: &mut Call<'_, '_>, args: &[Value]) -> Result<bool, Issue> {
    let [name] = args else {
        return fail(format!("is_function_available?(): Wrong number of arguments given {} for 1", args.len()));
    };
    Ok(name.as_str().is_some_and(|name| call.frame.compilation.library.get(name).is_some()))
}

fn is_hash(args: &[Value]) -> Result<bool, Issue> {
    match args {
        [value] => Ok(matches!(value, Value::Hash(_))),
        _ => fail(format!("is_hash(): Wrong number of arguments given ({} for 1)", args.len())),
    }
}

fn is_integer(args: &[Value]) -> Result<bool, Issue> {
    predicate::is_integer(args)
}

fn is_mac_address(args: &[Value]) -> Result<bool, Issue> {
    predicate::is_mac_address(args)
}
