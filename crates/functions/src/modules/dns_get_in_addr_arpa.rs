//! `get_in_addr_arpa`: the reverse zone of an address.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;

function! {
    /// Returns the name of an address in the reverse zone.
    ///
    /// ```puppet
    /// get_in_addr_arpa('10.1.2') # '2.1.10.in-addr.arpa'
    /// ```
    "get_in_addr_arpa" of "dns" {
        "arity -1" as "(String $address) >> String" => get_in_addr_arpa(*args),
    }
}

fn get_in_addr_arpa(args: &[Value]) -> Result<String, Issue> {
    match args.first() {
        Some(Value::String(address)) => {
            let parts: Vec<&str> = address.trim_end_matches('.').rsplit('.').collect();
            Ok(format!("{}.in-addr.arpa", parts.join(".")))
        }
        other => Err(legacy_arguments::undefined_method("split", other.unwrap_or(&Value::Undef))),
    }
}
