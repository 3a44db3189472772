//! `bool2str`: a boolean as a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns `true` or `false`, or the second or third argument in their place.
    ///
    /// ```puppet
    /// bool2str(true)              # 'true'
    /// bool2str(true, 'yes', 'no') # 'yes'
    /// ```
    "bool2str" of "stdlib" {
        "arity -1" as "(Boolean $value, String $true = undef, String $false = undef) >> String" => bool2str(*args),
    }
}

fn bool2str(args: &[Value]) -> Result<Value, Issue> {
    if args.len() != 1 && args.len() != 3 {
        return fail(format!("bool2str(): Wrong number of arguments given ({} for 3)", args.len()));
    }
    let Some(Value::Boolean(value)) = args.first() else {
        return fail("bool2str(): Requires a boolean to work with");
    };
    let word = |index: usize, default: &str| {
        args.get(index).filter(|word| word.is_truthy()).cloned().unwrap_or(default.into())
    };
    let (yes, no) = (word(1, "true"), word(2, "false"));
    if yes.as_str().is_none() || no.as_str().is_none() {
        return fail("bool2str(): Requires strings to convert to");
    }
    Ok(if *value { yes } else { no })
}
