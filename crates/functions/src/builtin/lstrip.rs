//! `lstrip`: removes white space from the beginning of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes white space from the beginning of a string.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// lstrip('  a ') # 'a '
    /// ```
    "lstrip" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => lstrip(arg),
        "(String $arg)" as ">> String" => lstrip(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => lstrip(arg),
    }
}

fn lstrip(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text.trim_start_matches(text::is_blank).to_owned())
}
