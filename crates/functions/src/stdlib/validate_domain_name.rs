//! `validate_domain_name`: fails unless strings are domain names.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::validation;

function! {
    /// Fails unless all arguments are domain names.
    ///
    /// ```puppet
    /// validate_domain_name('example.com')
    /// ```
    "validate_domain_name" of "stdlib" {
        "arity -1" as "(Any +$values) >> Any" => validate_domain_name(*args),
    }
}

function! {
    /// Fails unless all arguments are domain names.
    ///
    /// ```puppet
    /// validate_domain_name('example.com')
    /// ```
    NAMESPACED: "stdlib::validate_domain_name" of "stdlib" {
        "(Variant[Stdlib::Fqdn, Stdlib::Dns::Zone] *$values)" as ">> Any" => any(*values),
    }
}

fn validate_domain_name(args: &[Value]) -> Result<(), Issue> {
    validation::domain_name(args)
}

/// The signature has checked the values.
fn any(args: &[Value]) -> Result<(), Issue> {
    if args.is_empty() {
        return fail("stdlib::validate_domain_name(): Wrong number of arguments need at least one");
    }
    Ok(())
}
