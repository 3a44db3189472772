//! `validate_email_address`: fails unless strings are email addresses.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::validation;

function! {
    /// Fails unless all arguments are email addresses.
    ///
    /// ```puppet
    /// validate_email_address('a@example.com')
    /// ```
    "validate_email_address" of "stdlib" {
        "arity -1" as "(Any +$values) >> Any" => validate_email_address(*args),
    }
}

function! {
    /// Fails unless all arguments are email addresses.
    ///
    /// ```puppet
    /// validate_email_address('a@example.com')
    /// ```
    NAMESPACED: "stdlib::validate_email_address" of "stdlib" {
        "(Stdlib::Email *$values)" as ">> Any" => any(*values),
    }
}

fn validate_email_address(args: &[Value]) -> Result<(), Issue> {
    validation::email_address(args)
}

/// The signature has checked the values.
fn any(args: &[Value]) -> Result<(), Issue> {
    if args.is_empty() {
        return fail("stdlib::validate_email_address(): Wrong number of arguments need at least one");
    }
    Ok(())
}
