//! `str2bool`: a string as a boolean.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the boolean that a string stands for: `1`, `t`, `y`, `true` and `yes` are true, `0`, `f`, `n`, `false`, `no` and
    /// nothing are false. A boolean is returned as it is.
    ///
    /// ```puppet
    /// str2bool('yes') # true
    /// ```
    "str2bool" of "stdlib" {
        "arity -1" as "(Any $value) >> Boolean" => str2bool(*args),
    }
}

/// The boolean that a string stands for.
pub(crate) fn str2bool(args: &[Value]) -> Result<bool, Issue> {
    let text = match args.first() {
        None => return fail("str2bool(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Boolean(value)) => return Ok(*value),
        Some(Value::String(text)) => text,
        Some(_) => return fail("str2bool(): Requires string to work with"),
    };
    // The patterns of the reference look at each line.
    let mut lines = text.split('\n').filter_map(of_line);
    match lines.next() {
        Some(value) => Ok(value),
        None => fail("str2bool(): Unknown type of boolean given"),
    }
}

fn of_line(line: &str) -> Option<bool> {
    let is_one_of = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(line));
    if line.is_empty() || is_one_of(&["0", "f", "n", "false", "no"]) || line == "undef" || line == "undefined" {
        return Some(false);
    }
    is_one_of(&["1", "t", "y", "true", "yes"]).then_some(true)
}
