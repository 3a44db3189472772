//! `validate_domain_name`: fails unless texts are domain names.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::validation;

function! {
    /// Fails unless all arguments are domain names.
    ///
    /// ```puppet
    /// validate_domain_name('example.com')
    /// ```
    "validate_domain_name" of "stdlib" {
        "arity -1" => validate_domain_name(*args),
    }
}

function! {
    /// Fails unless all arguments are domain names.
    ///
    /// ```puppet
    /// validate_domain_name('example.com')
    /// ```
    NAMESPACED: "stdlib::validate_domain_name" of "stdlib" {
        "(Any *$values)" => validate_domain_name(*values),
    }
}

fn validate_domain_name(args: &[Value]) -> Result<(), Issue> {
    validation::domain_name(args)
}
