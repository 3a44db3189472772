//! `strip`: removes white space from both ends of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes white space from both ends of a string.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// strip('  a ') # 'a'
    /// ```
    "strip" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => strip(arg),
        "(String $arg)" as ">> String" => strip(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => strip(arg),
    }
}

fn strip(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text.trim_matches(text::is_blank).to_owned())
}
