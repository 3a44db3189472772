//! `pick_default`: the first value that is something, or the last.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::stdlib::pick::is_nothing;

function! {
    /// Returns the first argument that is neither `undef` nor an empty string, or the last argument if there is none.
    ///
    /// ```puppet
    /// pick_default(undef, '', 'a') # 'a'
    /// pick_default(undef, '')      # ''
    /// ```
    "pick_default" of "stdlib" {
        "arity -1" as "(Any *$values) >> Any" => pick_default(*args),
    }
}

fn pick_default(args: &[Value]) -> Result<Value, Issue> {
    let Some((last, others)) = args.split_last() else { return fail("Must receive at least one argument.") };
    Ok(others.iter().find(|value| !is_nothing(value)).unwrap_or(last).clone())
}
