//! `bool2num`: a boolean as a number.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::stdlib::str2bool::str2bool;

function! {
    /// Returns 1 for true and 0 for false; a string is read as by `str2bool`.
    ///
    /// ```puppet
    /// bool2num(true) # 1
    /// ```
    "bool2num" of "stdlib" {
        "arity -1" as "(Variant[Boolean, String] $value) >> Integer" => bool2num(*args),
    }
}

fn bool2num(args: &[Value]) -> Result<i64, Issue> {
    if args.is_empty() {
        return fail("bool2num(): Wrong number of arguments given (0 for 1)");
    }
    str2bool(args.get(..1).unwrap_or_default()).map(i64::from)
}
