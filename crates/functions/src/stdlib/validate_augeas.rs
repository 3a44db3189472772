//! `validate_augeas`: fails unless Augeas can read a text.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Fails unless a text can be read with a lens of Augeas. That library is not part of this program, so it always fails.
    ///
    /// ```puppet
    /// validate_augeas($passwd, 'Passwd.lns')
    /// ```
    "validate_augeas" of "stdlib" {
        "arity -1" => validate_augeas(*args),
    }
}

fn validate_augeas(args: &[Value]) -> Result<Value, Issue> {
    if !(2..=4).contains(&args.len()) {
        return fail(format!("validate_augeas(): wrong number of arguments ({}; must be 2, 3, or 4)", args.len()));
    }
    fail(
        "validate_augeas(): this function requires the augeas feature. See \
         http://docs.puppetlabs.com/guides/augeas.html#pre-requisites for how to activate it.",
    )
}
