//! `pick`: the first value that is something.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the first argument that is neither `undef` nor an empty string; it fails if there is none.
    ///
    /// ```puppet
    /// pick(undef, '', 'a', 'b') # 'a'
    /// ```
    "pick" of "stdlib" {
        "arity -1" as "(Any *$values) >> Any" => pick(*args),
    }
}

fn pick(args: &[Value]) -> Result<Value, Issue> {
    match args.iter().find(|value| !is_nothing(value)) {
        Some(value) => Ok(value.clone()),
        None => fail("pick(): must receive at least one non empty value"),
    }
}

/// Whether a value is `undef` or an empty string.
pub(crate) fn is_nothing(value: &Value) -> bool {
    value.is_undef() || value.as_str().is_some_and(str::is_empty)
}
