//! `enclose_ipv6`: IPv6 addresses in brackets.

use bunraku_compiler::function;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;
use indexmap::IndexSet;

use crate::builtin::flatten::flatten;
use crate::ip_address::IpAddress;
use crate::number::fail;

function! {
    /// Puts IPv6 addresses into brackets; other addresses and `*` stay. Each is returned once.
    ///
    /// ```puppet
    /// enclose_ipv6(['127.0.0.1', '::1']) # ['127.0.0.1', '[::1]']
    /// ```
    "enclose_ipv6" of "stdlib" {
        "arity -1" as "(Variant[Array, String] $addresses) >> Array" => enclose_ipv6(*args),
    }
}

fn enclose_ipv6(args: &[Value]) -> Result<Value, Issue> {
    let [addresses] = args else {
        return fail(format!("enclose_ipv6(): Wrong number of arguments given {} for 1", args.len()));
    };
    if !matches!(addresses, Value::String(_) | Value::Array(_)) {
        let class = host_class(addresses);
        return fail(format!("enclose_ipv6(): Wrong argument type given {class} expected String or Array"));
    }
    let mut enclosed = IndexSet::new();
    for address in flatten(std::slice::from_ref(addresses)).iter().filter(|address| !address.is_undef()) {
        enclosed.insert(enclose(address)?);
    }
    Ok(Value::array(enclosed))
}

fn enclose(address: &Value) -> Result<Value, Issue> {
    let text = inspect::to_s(address);
    if text == "*" {
        return Ok(address.clone());
    }
    match IpAddress::parse(&text) {
        Ok(parsed) if parsed.is_v6() => Ok(format!("[{parsed}]").into()),
        Ok(_) => Ok(address.clone()),
        Err(_) => fail(format!("enclose_ipv6(): Wrong argument given {text} is not an ip address.")),
    }
}
