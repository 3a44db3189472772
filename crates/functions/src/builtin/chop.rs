//! `chop`: removes the last character; a carriage return with a line feed counts as one.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes the last character; a carriage return with a line feed counts as one.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// chop('hello') # 'hell'
    /// ```
    "chop" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => chop(arg),
        "(String $arg)" as ">> String" => chop(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => chop(arg),
    }
}

fn chop(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text::chop(text).to_owned())
}
