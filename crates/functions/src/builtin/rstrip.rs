//! `rstrip`: removes white space from the end of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes white space from the end of a string.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// rstrip(' a  ') # ' a'
    /// ```
    "rstrip" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => rstrip(arg),
        "(String $arg)" as ">> String" => rstrip(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => rstrip(arg),
    }
}

fn rstrip(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text.trim_end_matches(text::is_blank).to_owned())
}
