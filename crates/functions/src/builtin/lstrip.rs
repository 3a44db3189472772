//! `lstrip`: removes white space from the beginning of a text.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes white space from the beginning of a text.
    ///
    /// The text of each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// lstrip('  a ') # 'a '
    /// ```
    "lstrip" {
        "(Numeric $arg)" => lstrip(arg),
        "(String $arg)" => lstrip(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" => lstrip(arg),
    }
}

fn lstrip(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text.trim_start_matches(text::is_blank).to_owned())
}
